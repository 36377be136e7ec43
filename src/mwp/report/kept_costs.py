"""What trainings cost, as `benchmarks.cost` measured it."""

from collections.abc import Sequence

from mwp.data.problems import Record
from mwp.report.tables import table


class EpochCost(Record):
    """An epoch of training; `solutions` a problem on average: not every ground truth can be written in many ways."""

    problems: int
    solutions: float
    seconds: float


class GridCost(Record):
    """A kind of training of the paper's grid: operations a problem in a step and in a beam search, and the hours of all
    such trainings on a GPU."""

    kind: str
    trainings: int
    epochs: int
    updates: int
    step: float
    search: float
    hours: float


class Costs(Record):
    """A GPU with a peak of `tflops` is taken to reach the share `used` of it."""

    by_problems: tuple[EpochCost, ...]
    by_solutions: tuple[EpochCost, ...]
    tflops: float
    used: float
    grid: tuple[GridCost, ...]

    @property
    def hours(self) -> float:
        return sum(row.hours for row in self.grid)


def epochs_table(epochs: Sequence[EpochCost]) -> str:
    return table(
        ("problems", "solutions each", "seconds an epoch", "problems/s", "against the first"),
        [
            (
                f"{one.problems:,}",
                f"{one.solutions:.2f}",
                f"{one.seconds:.0f}",
                f"{one.problems / one.seconds:.0f}",
                f"{one.seconds / epochs[0].seconds:.2f}",
            )
            for one in epochs
        ],
    )


def grid_table(grid: Sequence[GridCost]) -> str:
    return table(
        ("kind", "trainings", "epochs", "million operations a problem and step", "a search", "hours on the GPU"),
        [
            (
                row.kind,
                str(row.trainings),
                str(row.epochs),
                *(f"{count / 1e6:,.0f}" for count in (row.step, row.search)),
                f"{row.hours:.1f}",
            )
            for row in grid
        ],
    )
