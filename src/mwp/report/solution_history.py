"""The history of each solution in a problem's buffer, as records and as text."""

from collections.abc import Iterator, Sequence

from mwp.arith.notation import from_prefix, to_infix
from mwp.arith.numerals import print_numeral
from mwp.data.problems import Problem, Rational, Record
from mwp.data.soundness import is_sound
from mwp.training.buffer import BufferEntry, ProblemBuffer, Source

COLUMNS = 12
SOUNDNESS = {True: "sound", False: "spurious", None: "no ground truth"}


class HistoryPoint(Record):
    """Weights from `epoch` on: s by Eq. 3, the discriminator's score t, the weight a; None if not computed."""

    epoch: int
    s: float | None
    t: float | None
    a: float | None


class SolutionRecord(Record):
    """A solution, its source and epoch, and its weights; `sound` is None without a ground truth."""

    equation: str
    worked: str
    solution: tuple[str, ...]
    source: Source
    epoch: int
    prior: float | None
    sound: bool | None
    weights: tuple[HistoryPoint, ...]


class SolutionHistory(Record):
    """All solutions of a problem in one training; `refused` counts those that were not taken, by reason."""

    problem: str
    system: str
    fold: int
    text: str
    numbers: tuple[str, ...]
    answer: Rational
    solutions: tuple[SolutionRecord, ...]
    refused: dict[str, int]


def solution_history(problem: Problem, buffered: ProblemBuffer, system: str, fold: int) -> SolutionHistory:
    return SolutionHistory(
        problem=buffered.problem,
        system=system,
        fold=fold,
        text=problem.text,
        numbers=tuple(number.spelling for number in problem.numbers),
        answer=problem.known_answer,
        solutions=tuple(_record(entry, problem) for entry in buffered.entries),
        refused=buffered.refused,
    )


def _record(entry: BufferEntry, problem: Problem) -> SolutionRecord:
    expression = from_prefix(entry.solution)
    spellings: Sequence[str] = [number.spelling for number in problem.numbers]
    return SolutionRecord(
        equation=to_infix(expression),
        worked=to_infix(expression, spellings),
        solution=entry.solution,
        source=entry.source,
        epoch=entry.epoch,
        prior=entry.score,
        sound=is_sound(expression, problem) if problem.gold else None,
        weights=tuple(HistoryPoint(epoch=epoch, s=s, t=t, a=a) for epoch, s, t, a in entry.weights),
    )


def history_text(history: SolutionHistory) -> str:
    numbers = ", ".join(f"N{position} = {spelling}" for position, spelling in enumerate(history.numbers))
    lines = [
        f"{history.problem} in {history.system} fold {history.fold}",
        history.text,
        f"{numbers}; answer {print_numeral(history.answer)}",
        f"{len(history.solutions)} solutions{_refusals(history.refused)}",
    ]
    for position, record in enumerate(history.solutions, 1):
        lines += [
            "",
            f"{position}. {record.equation} = {record.worked}",
            f"   {_origin(record)}",
            *_weights(record.weights),
        ]
    return "\n".join(lines)


def _refusals(refused: dict[str, int]) -> str:
    """The same solution may be refused at every update."""
    return "".join(f"; {count} times refused: {reason}" for reason, count in refused.items())


def _origin(record: SolutionRecord) -> str:
    prior = "" if record.prior is None else f", log share in the prior {record.prior:.2f}"
    return f"{record.source}, epoch {record.epoch}, {SOUNDNESS[record.sound]}{prior}"


def _weights(points: Sequence[HistoryPoint]) -> Iterator[str]:
    for start in range(0, len(points), COLUMNS):
        some = points[start : start + COLUMNS]
        yield _row("epoch", [str(point.epoch) for point in some])
        for name in ("s", "t", "a"):
            yield _row(name, [_figure(getattr(point, name)) for point in some])


def _row(name: str, cells: Sequence[str]) -> str:
    return f"   {name:<5}" + "".join(f"{cell:>7}" for cell in cells)


def _figure(weight: float | None) -> str:
    return "-" if weight is None else f"{weight:.3f}"
