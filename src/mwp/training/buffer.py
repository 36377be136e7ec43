"""The solution buffer (Step 2): the solutions of every training problem, and where and when each came from."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Literal, NamedTuple

from pydantic import ConfigDict, FiniteFloat

from mwp.arith.expressions import Expression
from mwp.arith.prefix import PrefixError, from_prefix
from mwp.arith.values import evaluate
from mwp.data.cleaning import trainable
from mwp.data.files import read_records, write_records
from mwp.data.problems import Problem, Record
from mwp.errors import BadInput
from mwp.search.labels import Label
from mwp.solvers.symbols import symbol_ids

# Prefix tokens.
Solution = tuple[str, ...]
Source = Literal["given", "wda", "beam", "fix"]

UNKNOWN_SYMBOL = "a symbol that no solver knows"
FULL = "the buffer is full"
WRONG = "does not give the answer"

_ABSOLUTE = Fraction(1, 1000)
_RELATIVE = Fraction(1, 10_000)
# Decimals of a recorded weight; what a training multiplies by is not rounded.
_DECIMALS = 4


class Weighing(NamedTuple):
    """What a solution weighed from `epoch` on: s by Eq. 3 and the discriminator's t where they were asked, and a.

    Starting weights and uniform ones have neither s nor t.
    """

    epoch: int
    s: float | None
    t: float | None
    a: float


class Entry(Record):
    """`epoch` is when the solution came; `score` the log share that the prior of WDA gave it; `life` its weighings."""

    model_config = ConfigDict(ser_json_inf_nan="strings")  # the weights of a training that diverged are no numbers

    solution: Solution
    source: Source
    epoch: int
    score: FiniteFloat | None = None
    life: tuple[Weighing, ...] = ()


class ProblemBuffer(Record):
    """A line of a buffer's file: the entries of one problem, and how often others were refused for which reason."""

    problem: str
    entries: tuple[Entry, ...]
    refused: dict[str, int]


class Buffer:
    """Entries by the problem's key, in order of arrival, no token sequence twice.

    A key names a problem across datasets, such as `full/123`. A problem with `cap` entries takes no more: the first
    ones stay, the ground truth among them, and what comes later is refused.
    """

    def __init__(self, keys: Iterable[str], cap: int | None = None) -> None:
        if cap is not None and cap < 1:
            raise ValueError(f"expected a cap of 1 or more, found {cap}")
        self.cap = cap
        self._entries: dict[str, dict[Solution, Entry]] = {}
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
        entries[solution] = Entry(solution=solution, source=source, epoch=epoch, score=score)
        return True

    def _fault(self, key: str, solution: Solution) -> str | None:
        try:
            symbol_ids(solution)
        except (KeyError, ValueError):
            return UNKNOWN_SYMBOL
        return FULL if self.is_full(key) else None

    def is_full(self, key: str) -> bool:
        return self.cap is not None and len(self._entries[key]) >= self.cap

    def refuse(self, key: str, reason: str) -> None:
        self._refused.setdefault(key, Counter())[reason] += 1

    def weigh(self, key: str, weighings: Sequence[Weighing]) -> None:
        """Add to the lives of a problem's solutions, one weighing for each in their order."""
        entries = self._entries[key]
        for entry, weighing in zip(list(entries.values()), weighings, strict=True):
            life = (*entry.life, _rounded(weighing))
            entries[entry.solution] = entry.model_copy(update={"life": life})

    def entries(self, key: str) -> list[Entry]:
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
        """How often a solution was refused, by reason; the same one may come at every update."""
        return sum(self._refused.values(), Counter())

    def records(self) -> list[ProblemBuffer]:
        return [
            ProblemBuffer(problem=key, entries=tuple(entries.values()), refused=dict(self._refused.get(key, ())))
            for key, entries in self._entries.items()
        ]

    @classmethod
    def of_records(cls, records: Iterable[ProblemBuffer], cap: int | None = None) -> "Buffer":
        by_problem = list(records)
        buffer = cls((record.problem for record in by_problem), cap)
        for record in by_problem:
            buffer._entries[record.problem] = {entry.solution: entry for entry in record.entries}
            if record.refused:
                buffer._refused[record.problem] = Counter(record.refused)
        return buffer


def _rounded(weighing: Weighing) -> Weighing:
    s, t = (None if weight is None else round(weight, _DECIMALS) for weight in (weighing.s, weighing.t))
    return Weighing(weighing.epoch, s, t, round(weighing.a, _DECIMALS))


@lru_cache(maxsize=100_000)
def _expression(solution: Solution) -> Expression:
    """Problems share most of their solutions."""
    return from_prefix(solution)


def reaches_answer(solution: Solution, problem: Problem) -> bool:
    """Whether the exact value is the answer to 1e-3, or to 1e-4 of it: what lets a solution into a buffer."""
    try:
        value = evaluate(_expression(solution), problem.values)
    except PrefixError:
        return False
    return value is not None and abs(value - problem.answer) <= tolerance(problem.answer)


def tolerance(answer: Fraction) -> Fraction:
    return max(_ABSOLUTE, _RELATIVE * abs(answer))


def give(buffer: Buffer, problems: Mapping[str, Problem]) -> None:
    """Start with the ground truth, in its first reading; `problems` by key, those outside the buffer are passed over.

    A problem that cannot serve as a supervised example gets none, and the reason is counted.
    """
    for key, problem in problems.items():
        if key not in buffer:
            continue
        if reason := trainable(problem):
            buffer.refuse(key, reason)
        else:
            buffer.add(key, problem.gold[0], "given", epoch=0)


def label(buffer: Buffer, problems: Mapping[str, Problem], labels: Iterable[Label], keep: int) -> None:
    """Start with the best `keep` candidates of WDA.

    `problems` are, by key, all that were labelled; those outside the buffer (held out of training) are passed over.
    """
    keys = {problem.id: key for key, problem in problems.items()}
    for found in labels:
        if found.id not in keys:
            raise BadInput(
                f"a label for an unknown problem: {found.id!r} is none of the {len(keys):,} problems; "
                "search again, so that labels and problems belong together"
            )
        if keys[found.id] in buffer:
            _add_candidates(buffer, keys[found.id], problems[keys[found.id]], found, keep)


def _add_candidates(buffer: Buffer, key: str, problem: Problem, found: Label, keep: int) -> None:
    for candidate in found.candidates[:keep]:
        if reaches_answer(candidate.solution, problem):
            buffer.add(key, candidate.solution, "wda", epoch=0, score=candidate.score)
        else:
            buffer.refuse(key, WRONG)


def write_buffer(path: Path, buffer: Buffer) -> None:
    write_records(path, buffer.records())


def read_buffer(path: Path, cap: int | None = None) -> Buffer:
    return Buffer.of_records(read_records(path, ProblemBuffer), cap)
