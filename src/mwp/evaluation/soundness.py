"""A solution is sound if it equals the ground truth as a function of the quantities; else it is spurious."""

from mwp.arith.equality import same_function
from mwp.arith.expressions import Expression
from mwp.data.problems import Problem
from mwp.search.labels import Label


def is_sound(solution: Expression, problem: Problem) -> bool:
    """Equal to any reading of the ground truth; a problem without one has no sound solution to compare with."""
    return any(same_function(solution, reading) for reading in problem.readings)


def sound_rank(label: Label, problem: Problem) -> int | None:
    """The place, from 0, of the first sound candidate; None if none is."""
    for rank, candidate in enumerate(label.candidates):
        if is_sound(candidate.expression, problem):
            return rank
    return None
