"""Answers for people: the equations that a solver proposes for a problem, computed step by step."""

import math
from collections.abc import Sequence
from fractions import Fraction

from pydantic import Field

from mwp.arith.expressions import Expression, evaluate, operations
from mwp.arith.notation import to_infix
from mwp.arith.numerals import decimal_places, print_numeral
from mwp.data.problems import Problem, Rational, Record
from mwp.display import html_table
from mwp.inference.predictions import Hypothesis, MergedHypothesis

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


def steps(expression: Expression, values: Sequence[Fraction]) -> tuple[Step, ...]:
    """In the order of computation, up to the first that has no result."""
    found: list[Step] = []
    for operation in operations(expression):
        left, right = evaluate(operation.left, values), evaluate(operation.right, values)
        if left is None or right is None:
            break
        result = evaluate(operation, values)
        shown = None if result is None else written(result)
        found.append(Step(left=written(left), operator=operation.operator, right=written(right), result=shown))
    return tuple(found)


class Answer(Record):
    """An equation in N0, N1, ... and filled in with the numbers; `equal` are the ones merged into it.

    `value` is exact and `text` as people write it, None where the equation has none. `qualification` is the
    discriminator's score, and `verified` how likely this answer is right if any is: None where the solver has none.
    """

    equation: str
    filled_in: str = Field(validation_alias="worked")
    solution: tuple[str, ...]
    steps: tuple[Step, ...]
    value: Rational | None
    text: str | None = Field(validation_alias="answer")
    probability: float
    qualification: float | None = Field(validation_alias="fitness")
    verified: float | None = Field(None, validation_alias="plausibility")
    equal: tuple[str, ...] = Field((), validation_alias="also")

    def __str__(self) -> str:
        return f"{self.equation} = {self.text or 'no value'}"

    def __repr__(self) -> str:
        return f"<Answer {self}, probability {self.probability:.1%}>"

    def _repr_html_(self) -> str:
        return Answers([self])._repr_html_()


class Answers(list[Answer]):
    """A list that a notebook shows as a table."""

    def _repr_html_(self) -> str:
        rows = [
            (
                one.equation,
                f"{one.filled_in} = {one.text or 'no value'}",
                f"{one.probability:.1%}",
                "" if one.verified is None else f"{one.verified:.1%}",
            )
            for one in self
        ]
        return html_table(("equation", "filled in", "probability", "verified"), rows)


class SolvedProblem(Record):
    """The answers to a problem, best first; `answer` is the first one's as people write it."""

    text: str
    numbers: tuple[GivenNumber, ...]
    answer: str | None
    answers: tuple[Answer, ...] = Field(validation_alias="suggestions")


def solved_problem(problem: Problem, groups: Sequence[MergedHypothesis]) -> SolvedProblem:
    """Merged hypotheses as answers for people."""
    answers = tuple(_answer(group, problem) for group in groups)
    return SolvedProblem(
        text=problem.text,
        numbers=tuple(
            GivenNumber(name=f"N{index}", spelling=number.spelling, value=number.value)
            for index, number in enumerate(problem.numbers)
        ),
        answer=answers[0].text if answers else None,
        answers=answers,
    )


def _answer(group: MergedHypothesis, problem: Problem) -> Answer:
    best: Hypothesis = group.best
    expression, values = best.expression, problem.values
    return Answer(
        equation=to_infix(expression),
        filled_in=to_infix(expression, [_operand(value) for value in values]),
        solution=best.solution,
        steps=steps(expression, values),
        value=best.value,
        text=None if best.value is None else written(best.value),
        probability=math.exp(group.log_prob),
        qualification=best.qualification,
        verified=group.verified,
        equal=tuple(to_infix(one.expression) for one in group.members[1:]),
    )


def written(value: Fraction) -> str:
    """As people write it: 25, 3.5, else a fraction such as 5/3; of a huge number its size."""
    positions = decimal_places(value)
    if positions is not None and positions <= DECIMALS:
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
