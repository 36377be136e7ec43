"""A table of the page: cells with a figure, its interval and links, under headers that may span several columns."""

from collections.abc import Sequence
from dataclasses import dataclass

from mwp.evaluation.intervals import Estimate
from mwp.report.standings import Comparison, RunLink, Standing

NOT_RUN = "not run"


@dataclass(frozen=True)
class Cell:
    """`kind` is `paper` (a printed figure), `own` or `missing`; `detail` stands small below the text."""

    text: str
    detail: str = ""
    kind: str = "own"
    bold: bool = False
    links: tuple[RunLink | Comparison, ...] = ()


@dataclass(frozen=True)
class Head:
    """`start` opens a group of columns."""

    text: str
    span: int = 1
    rows: int = 1
    start: bool = False


@dataclass(frozen=True)
class Row:
    title: str
    name: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class Body:
    title: str
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Grid:
    """`heads` are the rows of headers without the first column's, which is `corner`."""

    id: str
    title: str
    caption: str
    heads: tuple[tuple[Head, ...], ...]
    bodies: tuple[Body, ...]
    corner: str = "system"


MISSING = Cell(NOT_RUN, kind="missing")
NOTHING = Cell("–", kind="missing")


def share(estimate: Estimate | None) -> Cell:
    """In %, with the ends of the interval; nothing to estimate is a dash."""
    if estimate is None:
        return NOTHING
    return Cell(f"{100 * estimate.value:.1f}", f"{100 * estimate.low:.1f} to {100 * estimate.high:.1f}")


def mean(estimate: Estimate) -> Cell:
    return Cell(f"{estimate.value:.2f}", f"{estimate.low:.2f} to {estimate.high:.2f}")


def points(difference: Estimate | None) -> Cell:
    """Percentage points with their sign, bold where the interval excludes zero."""
    if difference is None:
        return NOTHING
    low, high = 100 * difference.low, 100 * difference.high
    return Cell(_signed(100 * difference.value), f"{_signed(low)} to {_signed(high)}", bold=low > 0 or high < 0)


def _signed(value: float) -> str:
    return f"{value:+.1f}".replace("-", "−")


def folds_and_runs(standings: Sequence[Standing]) -> tuple[Cell, Cell]:
    """The same for every dataset that a system was tested on."""
    if not standings:
        return Cell("0", kind="missing"), Cell("none", kind="missing")
    folds, runs = standings[0].folds, standings[0].runs
    return Cell(str(len(folds))), Cell("" if runs else "not in the store", links=runs)
