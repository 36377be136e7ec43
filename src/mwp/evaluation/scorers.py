"""Is a value the answer? Two scorers on the same predictions, both always reported."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Literal, get_args

from mwp.data.problems import Problem

ABSOLUTE = Fraction(1, 1_000)
RELATIVE = Fraction(1, 10_000)

ScorerName = Literal["exact", "paper"]
SCORER_NAMES: tuple[ScorerName, ...] = get_args(ScorerName)
Scorer = Callable[[Fraction | None, Problem], bool]


def exact(value: Fraction | None, problem: Problem) -> bool:
    """The headline: the answer as a rational, within 1e-3 or a ten-thousandth of the answer."""
    return is_near(value, problem.answer)


def is_near(value: Fraction | None, answer: Fraction) -> bool:
    if value is None:
        return False
    distance = abs(value - answer)
    return distance <= ABSOLUTE or distance <= RELATIVE * abs(answer)


def paper(value: Fraction | None, problem: Problem) -> bool:
    """The published evaluation in effect: what `float()` cannot read (`(1/2)`, `3(1/2)`, `25%`) is always wrong."""
    return reads_as_float(problem.answer_spelling) and exact(value, problem)


def reads_as_float(spelling: str) -> bool:
    try:
        float(spelling)
    except ValueError:
        return False
    return True


SCORERS: Mapping[ScorerName, Scorer] = {"exact": exact, "paper": paper}
