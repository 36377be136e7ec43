"""What a data set holds, in counts: the content of `mwp data info`."""

from collections import Counter
from collections.abc import Iterable, Sequence

from mwp.arith.expressions import operator_count
from mwp.arith.numerals import NUMERAL
from mwp.data.cleaning import gives_answer
from mwp.data.problems import Drop, Problem, Record
from mwp.data.texts import cut_unit, normalise

ANSWER_KINDS = ("integer", "decimal", "fraction", "percent", "expression")


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
        wrong_equations=sum(not gives_answer(problem) for problem in supervised),
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
    return "integer" if problem.answer.denominator == 1 else "decimal"


def has_duplicated_numbers(problem: Problem) -> bool:
    """Whether two numbers of the text are spelled alike."""
    spellings = [number.spelling for number in problem.numbers]
    return len(set(spellings)) < len(spellings)


def _histogram(values: Iterable[int]) -> dict[int, int]:
    return dict(sorted(Counter(values).items()))
