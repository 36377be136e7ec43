"""The solution buffer (Step 2): the solutions of every training problem, and where and when each came from."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

from pydantic import BeforeValidator, ConfigDict, Field, FiniteFloat

from mwp import upgrades
from mwp.arith.notation import Solution
from mwp.data.cleaning import trainable
from mwp.data.files import read_records, write_records
from mwp.data.problems import Problem, Record
from mwp.data.soundness import gives_answer
from mwp.data.vocabulary import symbol_ids
from mwp.errors import BadInput
from mwp.wda.labels import Label

Source = Annotated[
    Literal["gold", "search", "beam", "lbf"], BeforeValidator(lambda source: upgrades.SOURCES.get(source, source))
]
UNKNOWN_SYMBOL = "a symbol that no solver knows"
FULL = "the buffer is full"
WRONG = "does not give the answer"
# Decimals of a recorded weight; what a training multiplies by is not rounded.
_DECIMALS = 4


class WeightRecord(NamedTuple):
    """The weights of a solution from `epoch` on: s by Eq. 3, the discriminator's score t, and the weight a in the loss.

    Starting weights and uniform ones have neither s nor t; in the first stage there is no t.
    """

    epoch: int
    s: float | None
    t: float | None
    a: float


class BufferEntry(Record):
    """`epoch` is when the solution was added, `score` its log share by the prior of WDA."""

    model_config = ConfigDict(ser_json_inf_nan="strings")  # the weights of a training that diverged are no numbers

    solution: Solution
    source: Source
    epoch: int
    score: FiniteFloat | None = None
    weights: tuple[WeightRecord, ...] = Field((), validation_alias="life")


class ProblemBuffer(Record):
    """A line of a buffer's file: the entries of one problem, and how often others were refused for which reason."""

    problem: str
    entries: tuple[BufferEntry, ...]
    refused: dict[str, int]


class SolutionBuffer:
    """Entries by the problem's key, in order of arrival, no token sequence twice.

    A key names a problem across datasets, such as `full/123`. A problem with `max_solutions` entries takes no
    more: the first ones stay, the ground truth among them, and later ones are refused.
    """

    def __init__(self, keys: Iterable[str], max_solutions: int | None = None) -> None:
        if max_solutions is not None and max_solutions < 1:
            raise ValueError(f"expected max_solutions of 1 or more, found {max_solutions}")
        self.max_solutions = max_solutions
        self._entries: dict[str, dict[Solution, BufferEntry]] = {}
        self._refused: dict[str, Counter[str]] = {}
        for key in keys:
            if key in self._entries:
                raise BadInput(f"expected every problem once in a buffer, found {key!r} again")
            self._entries[key] = {}

    def __contains__(self, key: str) -> bool:
        return key in self._entries

    def add(self, key: str, solution: Solution, source: Source, epoch: int, score: float | None = None) -> bool:
        """Whether the solution was new and has been taken."""
        entries = self._entries[key]
        if solution in entries:
            return False
        if reason := self._fault(key, solution):
            self.refuse(key, reason)
            return False
        entries[solution] = BufferEntry(solution=solution, source=source, epoch=epoch, score=score)
        return True

    def _fault(self, key: str, solution: Solution) -> str | None:
        try:
            symbol_ids(solution)
        except (KeyError, ValueError):
            return UNKNOWN_SYMBOL
        return FULL if self.is_full(key) else None

    def is_full(self, key: str) -> bool:
        return self.max_solutions is not None and len(self._entries[key]) >= self.max_solutions

    def refuse(self, key: str, reason: str) -> None:
        self._refused.setdefault(key, Counter())[reason] += 1

    def record_weights(self, key: str, records: Sequence[WeightRecord]) -> None:
        """The weights of a problem's solutions from now on, one record for each in their order."""
        entries = self._entries[key]
        for entry, record in zip(list(entries.values()), records, strict=True):
            weights = (*entry.weights, _rounded(record))
            entries[entry.solution] = entry.model_copy(update={"weights": weights})

    def entries(self, key: str) -> list[BufferEntry]:
        return list(self._entries[key].values())

    @property
    def sizes(self) -> dict[str, int]:
        return {key: len(entries) for key, entries in self._entries.items()}

    @property
    def size(self) -> int:
        """Solutions of all problems together."""
        return sum(self.sizes.values())

    @property
    def empty(self) -> int:
        """Problems without a solution; they skip the solver's loss."""
        return sum(not entries for entries in self._entries.values())

    @property
    def refusals(self) -> Counter[str]:
        """How often a solution was refused, by reason; the same one may be found at every update."""
        return sum(self._refused.values(), Counter())

    def records(self) -> list[ProblemBuffer]:
        return [
            ProblemBuffer(problem=key, entries=tuple(entries.values()), refused=dict(self._refused.get(key, ())))
            for key, entries in self._entries.items()
        ]

    @classmethod
    def of_records(cls, records: Iterable[ProblemBuffer], max_solutions: int | None = None) -> "SolutionBuffer":
        by_problem = list(records)
        buffer = cls((record.problem for record in by_problem), max_solutions)
        for record in by_problem:
            buffer._entries[record.problem] = {entry.solution: entry for entry in record.entries}
            if record.refused:
                buffer._refused[record.problem] = Counter(record.refused)
        return buffer


def _rounded(record: WeightRecord) -> WeightRecord:
    s, t = (None if weight is None else round(weight, _DECIMALS) for weight in (record.s, record.t))
    return WeightRecord(record.epoch, s, t, round(record.a, _DECIMALS))


def seed_with_gold(buffer: SolutionBuffer, problems: Mapping[str, Problem]) -> None:
    """Start with the ground truth, in its first reading; `problems` by key, those outside the buffer are skipped.

    A problem that cannot serve as a supervised example gets none, and the reason is counted.
    """
    for key, problem in problems.items():
        if key not in buffer:
            continue
        if reason := trainable(problem):
            buffer.refuse(key, reason)
        else:
            buffer.add(key, problem.gold[0], "gold", epoch=0)


def seed_with_candidates(
    buffer: SolutionBuffer, problems: Mapping[str, Problem], labels: Iterable[Label], max_candidates: int
) -> None:
    """Start with the best `max_candidates` candidates of WDA.

    `problems` are, by key, all that were labelled; those outside the buffer (held out of training) are skipped.
    """
    keys = {problem.id: key for key, problem in problems.items()}
    for found in labels:
        if found.id not in keys:
            raise BadInput(
                f"a label for an unknown problem: {found.id!r} is none of the {len(keys):,} problems; "
                "search again, so that labels and problems belong together"
            )
        if keys[found.id] in buffer:
            _add_candidates(buffer, keys[found.id], problems[keys[found.id]], found, max_candidates)


def _add_candidates(buffer: SolutionBuffer, key: str, problem: Problem, found: Label, max_candidates: int) -> None:
    for candidate in found.candidates[:max_candidates]:
        if gives_answer(candidate.solution, problem):
            buffer.add(key, candidate.solution, "search", epoch=0, score=candidate.score)
        else:
            buffer.refuse(key, WRONG)


def write_buffer(path: Path, buffer: SolutionBuffer) -> None:
    write_records(path, buffer.records())


def read_buffer(path: Path, max_solutions: int | None = None) -> SolutionBuffer:
    return SolutionBuffer.of_records(read_records(path, ProblemBuffer), max_solutions)
