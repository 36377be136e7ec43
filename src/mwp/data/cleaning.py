"""D-Math23k by rule, and which problems can serve as supervised training examples."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from mwp.arith.numerals import FRACTION
from mwp.arith.values import evaluate
from mwp.data.mapping import unknown_constants
from mwp.data.problems import Drop, Problem
from mwp.data.twins import same_key

TOLERANCE = Fraction(1, 1000)

_FRACTION = re.compile(FRACTION)
_OPERATOR = re.compile(r"[-+*/]")


@dataclass(frozen=True)
class Cleaning:
    kept: list[Problem]
    drops: list[Drop]


def clean(problems: Iterable[Problem]) -> Cleaning:
    """Keep the word problems; drop bare calculations and problems without a number."""
    kept: list[Problem] = []
    drops: list[Drop] = []
    for problem in problems:
        if reason := _fault(problem):
            drops.append(Drop(id=problem.id, reason=reason, detail=problem.text[:80]))
        else:
            kept.append(problem)
    return Cleaning(kept, drops)


def without(cleaning: Cleaning, others: Iterable[Problem]) -> Cleaning:
    """Drop also what stands among the problems of another dataset: trained on here, it would give away a test there."""
    known = {same_key(problem) for problem in others}
    kept: list[Problem] = []
    drops = list(cleaning.drops)
    for problem in cleaning.kept:
        if same_key(problem) in known:
            drops.append(Drop(id=problem.id, reason="also in the dataset with equations", detail=problem.text[:80]))
        else:
            kept.append(problem)
    return Cleaning(kept, drops)


def _fault(problem: Problem) -> str | None:
    if not problem.numbers:
        return "no number in the text"
    if "=" in problem.text and _OPERATOR.search(_FRACTION.sub("", problem.text)):
        return "equation in the text"
    return None


def trainable(problem: Problem) -> str | None:
    """Why a problem cannot serve as a supervised training example; None if it can."""
    if not problem.numbers:
        return "no number in the text"
    if not problem.gold:
        return "no equation"
    # The readings differ only in which of several equal numbers they take.
    if unknown_constants(problem.readings[0]):
        return "a constant other than 1 and 3.14"
    if not gives_answer(problem):
        return "equation does not give the answer"
    return None


def gives_answer(problem: Problem) -> bool:
    """Whether the ground truth evaluates to the answer within 1e-3."""
    value = evaluate(problem.readings[0], problem.values) if problem.gold else None
    return value is not None and abs(value - problem.answer) <= TOLERANCE
