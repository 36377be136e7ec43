"""Results that stay in git: a run's scores, curves, buffer and predictions as small files, without any text."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from mwp.data.files import read_records, read_text
from mwp.data.problems import Record
from mwp.errors import BadInput
from mwp.evaluation.outcomes import Outcome
from mwp.evaluation.scores import Scores

RUN = "run.json"


class Marks(Record):
    """A 1 for each beam of a problem that is right by the scorer, or sound, else a 0; best beam first."""

    id: str
    exact: str
    paper: str
    sound: str


def marks_of(outcome: Outcome) -> Marks:
    verdicts = outcome.verdicts
    return Marks(
        id=outcome.problem.id,
        exact="".join(str(int("exact" in verdict.right)) for verdict in verdicts),
        paper="".join(str(int("paper" in verdict.right)) for verdict in verdicts),
        sound="".join(str(int(verdict.sound)) for verdict in verdicts) if outcome.problem.gold else "",
    )


class Stock(Record):
    """The solutions of one source in a buffer; of `judged` ones, whose problem has a ground truth, some are sound."""

    solutions: int
    judged: int
    sound: int


class BufferSummary(Record):
    """`sizes` counts the problems by the number of their solutions."""

    sizes: dict[int, int]
    sources: dict[str, Stock]


class KeptRun(Record):
    """A training, and its scores by dataset; a trial that was never tested has none, one broken off no buffer.

    `history` has the metrics of each epoch, with the minutes since the start; `machine` is where it ran;
    `plausibility` are the weights of the traits by which beams are believed.
    """

    system: str
    title: str
    setting: str
    fold: int
    config: dict[str, Any]
    start: dict[str, Any]
    machine: str
    history: tuple[dict[str, float], ...]
    buffer: BufferSummary | None
    plausibility: dict[str, float] | None = None
    scores: dict[str, Scores]

    @property
    def minutes(self) -> float:
        return self.history[-1]["minutes"]


def marks_file(folder: Path, dataset: str) -> Path:
    return folder / f"{dataset}-marks.jsonl.gz"


def predictions_file(folder: Path, dataset: str) -> Path:
    return folder / f"{dataset}.jsonl.gz"


@dataclass(frozen=True)
class Kept:
    """The kept runs of a folder, by system and fold: `SYSTEM/fold-K/run.json` and what stands beside it."""

    folder: Path

    @cached_property
    def runs(self) -> dict[tuple[str, int], KeptRun]:
        found = [_read(path) for path in sorted(self.folder.glob(f"*/fold-*/{RUN}"))]
        return {(run.system, run.fold): run for run in found}

    def marks(self, system: str, fold: int, dataset: str) -> Sequence[Marks]:
        return read_records(marks_file(self.folder / system / f"fold-{fold}", dataset), Marks)


def _read(path: Path) -> KeptRun:
    try:
        return KeptRun.model_validate_json(read_text(path))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the file"
        raise BadInput(f"{path}: no kept run: {where}: {first['msg']}; write it again with: mwp keep") from error
