"""Saved runs: a run's scores, curves, buffer summary and predictions as small files for git, without any text.

Beside them what trainings cost, as `benchmarks.cost` measured it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, ValidationError

from mwp import upgrades
from mwp.data.files import read_records, read_text
from mwp.data.problems import Record
from mwp.errors import BadInput
from mwp.evaluation.outcomes import ScoredProblem
from mwp.evaluation.scores import Scores
from mwp.report.tables import table

RUN = "run.json"


def _new_names(values: Any, names: Mapping[str, str]) -> Any:
    return {names.get(name, name): value for name, value in values.items()} if values else values


class Correctness(Record):
    """A 1 for each hypothesis of a problem that is right by the scorer, or sound, else a 0; best first."""

    id: str
    exact: str
    paper: str
    sound: str


def correctness_of(outcome: ScoredProblem) -> Correctness:
    hypotheses = outcome.hypotheses
    return Correctness(
        id=outcome.problem.id,
        exact="".join(str(int("exact" in hypothesis.right)) for hypothesis in hypotheses),
        paper="".join(str(int("paper" in hypothesis.right)) for hypothesis in hypotheses),
        sound="".join(str(int(hypothesis.sound)) for hypothesis in hypotheses) if outcome.problem.gold else "",
    )


class SourceCounts(Record):
    """The solutions of one source in a buffer; of `checked` ones, whose problem has a ground truth, some are sound."""

    solutions: int
    checked: int = Field(validation_alias="judged")
    sound: int


class BufferSummary(Record):
    """`sizes` counts the problems by the number of their solutions."""

    sizes: dict[int, int]
    sources: Annotated[dict[str, SourceCounts], BeforeValidator(partial(_new_names, names=upgrades.SOURCES))]


class SavedRun(Record):
    """A training, and its scores by dataset; a tuning run that was never tested has none, one broken off no buffer.

    `history` has the metrics of each epoch, with the minutes since the start; `machine` is where it ran;
    `verifier` are the weights of its features.
    """

    system: str
    title: str
    setting: str
    fold: int
    config: Annotated[dict[str, Any], BeforeValidator(upgrades.upgraded)]
    seeding: Annotated[dict[str, Any], BeforeValidator(partial(upgrades.upgraded, group="seeding"))] = Field(
        validation_alias="start"
    )
    machine: str
    history: tuple[dict[str, float], ...]
    buffer: BufferSummary | None
    verifier: Annotated[dict[str, float] | None, BeforeValidator(partial(_new_names, names=upgrades.FEATURES))] = Field(
        None, validation_alias="plausibility"
    )
    scores: dict[str, Scores]

    @property
    def minutes(self) -> float:
        return self.history[-1]["minutes"]


def correctness_file(folder: Path, dataset: str) -> Path:
    return folder / f"{dataset}-correctness.jsonl.gz"


def predictions_file(folder: Path, dataset: str) -> Path:
    return folder / f"{dataset}.jsonl.gz"


@dataclass(frozen=True)
class SavedRuns:
    """The saved runs of a folder, by system and fold: `SYSTEM/fold-K/run.json` and the files beside it."""

    folder: Path

    @cached_property
    def runs(self) -> dict[tuple[str, int], SavedRun]:
        found = [_read(path) for path in sorted(self.folder.glob(f"*/fold-*/{RUN}"))]
        return {(run.system, run.fold): run for run in found}

    def correctness(self, system: str, fold: int, dataset: str) -> Sequence[Correctness]:
        return read_records(_found(correctness_file(self.folder / system / f"fold-{fold}", dataset)), Correctness)


def _found(path: Path) -> Path:
    """Under the name that the first edition gave it, where there is no other."""
    old = path.with_name(path.name.replace("-correctness.", "-marks."))
    return old if old.exists() and not path.exists() else path


def _read(path: Path) -> SavedRun:
    try:
        return SavedRun.model_validate_json(read_text(path))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the file"
        raise BadInput(
            f"{path}: no saved run: {where}: {first['msg']}; write it again with: mwp results export"
        ) from error


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
