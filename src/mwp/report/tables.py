"""The one table writer: Markdown for a terminal and files, cells with intervals and links for the page."""

from dataclasses import dataclass

from mwp.display import table as table
from mwp.evaluation.statistics import Estimate
from mwp.evaluation.statistics import percent as percent
from mwp.report.pooled_scores import Comparison, RunLink

NOT_RUN = "not run"


def percent_of(count: int, total: int) -> str:
    return f"{count / total:.1%}" if total else "-"


@dataclass(frozen=True)
class Cell:
    """`kind` is `paper` (a printed figure), `own` or `missing`; `detail` is small text below it."""

    text: str
    detail: str = ""
    kind: str = "own"
    bold: bool = False
    links: tuple[RunLink | Comparison, ...] = ()


@dataclass(frozen=True)
class HeaderCell:
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
class RowGroup:
    title: str
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Grid:
    """`heads` are the rows of headers without the first column's, which is `corner`."""

    id: str
    title: str
    caption: str
    heads: tuple[tuple[HeaderCell, ...], ...]
    bodies: tuple[RowGroup, ...]
    corner: str = "system"


MISSING = Cell(NOT_RUN, kind="missing")
NOTHING = Cell("–", kind="missing")


def share_cell(estimate: Estimate | None) -> Cell:
    """In %, with the ends of the interval; nothing to estimate is a dash."""
    if estimate is None:
        return NOTHING
    return Cell(f"{100 * estimate.value:.1f}", f"{100 * estimate.low:.1f} to {100 * estimate.high:.1f}")


def mean_cell(estimate: Estimate) -> Cell:
    return Cell(f"{estimate.value:.2f}", f"{estimate.low:.2f} to {estimate.high:.2f}")


def points_cell(difference: Estimate | None) -> Cell:
    """Percentage points with their sign, bold where the interval excludes zero."""
    if difference is None:
        return NOTHING
    low, high = 100 * difference.low, 100 * difference.high
    return Cell(_signed(100 * difference.value), f"{_signed(low)} to {_signed(high)}", bold=low > 0 or high < 0)


def _signed(value: float) -> str:
    return f"{value:+.1f}".replace("-", "−")


def mean(estimate: Estimate) -> str:
    return f"{estimate.value:.2f} ({estimate.low:.2f} to {estimate.high:.2f})"


def points(difference: Estimate) -> str:
    low, high = 100 * difference.low, 100 * difference.high
    text = f"{100 * difference.value:+.1f} ({low:+.1f} to {high:+.1f})"
    return f"**{text}**" if low > 0 or high < 0 else text
