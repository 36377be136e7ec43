"""Answers for people: the equations that a model suggests for a problem, worked out step by step."""

import math
from collections.abc import Sequence
from fractions import Fraction

from mwp.arith.expressions import Expression
from mwp.arith.infix import to_infix
from mwp.arith.numerals import decimal_places, print_numeral
from mwp.arith.values import evaluate, operations
from mwp.data.problems import Problem, Rational, Record
from mwp.evaluation.merging import Merged
from mwp.evaluation.predictions import Beam

DECIMALS = 6
DIGITS = 20


class GivenNumber(Record):
    name: str
    spelling: str
    value: Rational


class Step(Record):
    """One operation with its numbers as people write them; no result where there is none, as in 1 / 0."""

    left: str
    operator: str
    right: str
    result: str | None


class Suggestion(Record):
    """An equation in N0, N1, ... and with the numbers in their places. `also` are the equal ones merged into it.

    `fitness` is the discriminator's score and `plausibility` how likely this one is right if any is, None where the
    model has none.
    """

    equation: str
    worked: str
    solution: tuple[str, ...]
    steps: tuple[Step, ...]
    value: Rational | None
    answer: str | None
    probability: float
    fitness: float | None
    plausibility: float | None = None
    also: tuple[str, ...] = ()


class Answer(Record):
    """Suggestions, most plausible first; `answer` is that of the first one."""

    text: str
    numbers: tuple[GivenNumber, ...]
    answer: str | None
    suggestions: tuple[Suggestion, ...]


def make_answer(problem: Problem, groups: Sequence[Merged]) -> Answer:
    suggestions = tuple(_suggestion(group, problem) for group in groups)
    return Answer(
        text=problem.text,
        numbers=tuple(
            GivenNumber(name=f"N{place}", spelling=number.spelling, value=number.value)
            for place, number in enumerate(problem.numbers)
        ),
        answer=suggestions[0].answer if suggestions else None,
        suggestions=suggestions,
    )


def _suggestion(group: Merged, problem: Problem) -> Suggestion:
    best: Beam = group.best
    expression, values = best.expression, problem.values
    return Suggestion(
        equation=to_infix(expression),
        worked=to_infix(expression, [_operand(value) for value in values]),
        solution=best.solution,
        steps=steps(expression, values),
        value=best.value,
        answer=None if best.value is None else written(best.value),
        probability=math.exp(group.log_prob),
        fitness=best.fitness,
        plausibility=group.plausibility,
        also=tuple(to_infix(beam.expression) for beam in group.members[1:]),
    )


def steps(expression: Expression, values: Sequence[Fraction]) -> tuple[Step, ...]:
    """In the order in which one works them out, up to the first that has no result."""
    found: list[Step] = []
    for operation in operations(expression):
        left, right = evaluate(operation.left, values), evaluate(operation.right, values)
        if left is None or right is None:
            break
        result = evaluate(operation, values)
        shown = None if result is None else written(result)
        found.append(Step(left=written(left), operator=operation.operator, right=written(right), result=shown))
    return tuple(found)


def written(value: Fraction) -> str:
    """As people write it: 25, 3.5, else a fraction such as 5/3; of a huge number its size."""
    places = decimal_places(value)
    if places is not None and places <= DECIMALS:
        plain = print_numeral(value)
    else:
        plain = f"{value.numerator}/{value.denominator}"
    return plain if len(plain) <= DIGITS else _size(value)


def _size(value: Fraction) -> str:
    try:
        return f"≈ {float(value):.6g}"
    except OverflowError:
        return f"≈ {'-' if value < 0 else ''}10^{_digits(abs(value))}"


def _digits(value: Fraction) -> int:
    return round((value.numerator.bit_length() - value.denominator.bit_length()) * math.log10(2))


def _operand(value: Fraction) -> str:
    """Of an equation, where a fraction needs its brackets."""
    shown = written(value)
    return f"({shown})" if "/" in shown else shown
