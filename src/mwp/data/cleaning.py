"""D-Math23k by rule; twins; what a data set holds.

Twins are problems that are equal up to their numbers: one in training gives away the other in the test.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mwp.arith.expressions import operator_count
from mwp.arith.numerals import FRACTION, NUMERAL
from mwp.data.problems import NUMBER_TOKEN, Drop, Problem, Record
from mwp.data.soundness import gold_gives_answer
from mwp.data.text import cut_unit, normalise, unknown_constants

_FRACTION = re.compile(FRACTION)
_OPERATOR = re.compile(r"[-+*/]")
_PUNCTUATION = re.compile(r"[\W_]+")
ANSWER_KINDS = ("integer", "decimal", "fraction", "percent", "expression")


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
    """Drop also the problems of another dataset: trained on here, they would give away tests there."""
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
    if not gold_gives_answer(problem):
        return "equation does not give the answer"
    return None


def twin_key(problem: Problem) -> str:
    """The text with every numeral as NUM and no punctuation, so that a closing `？` or `．` tells no twins apart."""
    key, end = "", 0
    for number in problem.numbers:
        key += _PUNCTUATION.sub("", problem.text[end : number.start]) + f" {NUMBER_TOKEN} "
        end = number.end
    return key + _PUNCTUATION.sub("", problem.text[end:])


def same_key(problem: Problem) -> tuple[object, ...]:
    """What a problem has in common with itself in another dataset: its words and its numbers."""
    return twin_key(problem), *(number.value for number in problem.numbers)


def twin_groups(problems: Iterable[Problem]) -> list[list[Problem]]:
    """Every problem with its twins, in file order; most groups hold one problem."""
    groups: dict[str, list[Problem]] = {}
    for problem in problems:
        groups.setdefault(twin_key(problem), []).append(problem)
    return list(groups.values())


class Inventory(Record):
    """Histograms are from a value (numbers in a problem, operators in a ground truth) to how many problems have it."""

    problems: int
    with_equation: int
    without_equation: int
    numbers: dict[int, int]
    operators: dict[int, int]
    answers: dict[str, int]
    duplicated_numbers: int
    wrong_equations: int
    dropped: int
    drops: dict[str, int]


def take_inventory(problems: Sequence[Problem], drops: Sequence[Drop] = ()) -> Inventory:
    supervised = [problem for problem in problems if problem.gold]
    kinds = Counter(answer_kind(problem) for problem in problems)
    return Inventory(
        problems=len(problems),
        with_equation=len(supervised),
        without_equation=len(problems) - len(supervised),
        numbers=_histogram(len(problem.numbers) for problem in problems),
        operators=_histogram(operator_count(problem.readings[0]) for problem in supervised),
        answers={kind: kinds[kind] for kind in ANSWER_KINDS},
        duplicated_numbers=sum(has_duplicated_numbers(problem) for problem in problems),
        wrong_equations=sum(not gold_gives_answer(problem) for problem in supervised),
        dropped=len(drops),
        drops=dict(Counter(drop.reason for drop in drops).most_common()),
    )


def answer_kind(problem: Problem) -> str:
    """How the answer is written; `240.0` is an integer."""
    spelling = cut_unit(normalise(problem.answer_spelling)).removeprefix("-")
    if not NUMERAL.fullmatch(spelling):
        return "expression"
    if spelling.endswith("%"):
        return "percent"
    if "(" in spelling:
        return "fraction"
    return "integer" if problem.known_answer.denominator == 1 else "decimal"


def has_duplicated_numbers(problem: Problem) -> bool:
    """Whether two numbers of the text are spelled alike."""
    spellings = [number.spelling for number in problem.numbers]
    return len(set(spellings)) < len(spellings)


def _histogram(values: Iterable[int]) -> dict[int, int]:
    return dict(sorted(Counter(values).items()))
