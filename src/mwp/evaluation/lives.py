"""The life of each solution that a training ever buffered for a problem."""

from collections.abc import Sequence

from mwp.arith.infix import to_infix
from mwp.arith.prefix import from_prefix
from mwp.data.problems import Problem, Rational, Record
from mwp.evaluation.soundness import is_sound
from mwp.training.buffer import Entry, ProblemBuffer, Source


class Moment(Record):
    """What a solution weighed from `epoch` on: s by Eq. 3, the discriminator's t, the weight a; None if not asked."""

    epoch: int
    s: float | None
    t: float | None
    a: float | None


class Life(Record):
    """A solution, where and when it came from, and its weights; `sound` is None without a ground truth."""

    equation: str
    worked: str
    solution: tuple[str, ...]
    source: Source
    epoch: int
    prior: float | None
    sound: bool | None
    weights: tuple[Moment, ...]


class Lives(Record):
    """All solutions of a problem in one training; `refused` counts those that were not taken, by reason."""

    problem: str
    system: str
    fold: int
    text: str
    numbers: tuple[str, ...]
    answer: Rational
    solutions: tuple[Life, ...]
    refused: dict[str, int]


def lives_of(problem: Problem, buffered: ProblemBuffer, system: str, fold: int) -> Lives:
    return Lives(
        problem=buffered.problem,
        system=system,
        fold=fold,
        text=problem.text,
        numbers=tuple(number.spelling for number in problem.numbers),
        answer=problem.answer,
        solutions=tuple(_life(entry, problem) for entry in buffered.entries),
        refused=buffered.refused,
    )


def _life(entry: Entry, problem: Problem) -> Life:
    expression = from_prefix(entry.solution)
    spellings: Sequence[str] = [number.spelling for number in problem.numbers]
    return Life(
        equation=to_infix(expression),
        worked=to_infix(expression, spellings),
        solution=entry.solution,
        source=entry.source,
        epoch=entry.epoch,
        prior=entry.score,
        sound=is_sound(expression, problem) if problem.gold else None,
        weights=tuple(Moment(epoch=epoch, s=s, t=t, a=a) for epoch, s, t, a in entry.life),
    )
