"""A story checked and solved: what both raw files are rendered from."""

import re
from dataclasses import dataclass
from fractions import Fraction

from mwp.arith.expressions import ONE, PI, Constant, Expression, evaluate, leaves, operator_count
from mwp.arith.notation import parse
from mwp.arith.numerals import NUMERAL, decimal_places, parse_numeral
from tools.sample.story import AnswerForm, Story

MAX_NUMBERS = 8
MAX_OPERATORS = 5


class StoryError(ValueError):
    """A situation told something it never may; the message quotes the story."""


@dataclass(frozen=True)
class Problem:
    text: str
    equation: str
    form: AnswerForm
    numbers: tuple[str, ...]  # as the text spells them
    answer: Fraction

    @property
    def repeats_a_number(self) -> bool:
        return len({parse_numeral(number) for number in self.numbers}) < len(self.numbers)

    @property
    def skeleton(self) -> str:
        """The text without its numbers and punctuation; twins share it."""
        return re.sub(r"[\W_]+", "", NUMERAL.sub("N", self.text))


def solve(story: Story) -> Problem | None:
    """The story with its answer, or None if its numbers came out unfit and it must be told again."""
    numbers = tuple(NUMERAL.findall(story.text))
    values = [parse_numeral(number) for number in numbers]
    expression = parse(story.equation, [parse_numeral(number) for number in numbers if "(" in number])
    literals = {leaf for leaf in leaves(expression) if isinstance(leaf, Constant)}
    unknown = literals - {Constant(value) for value in values} - {ONE, PI}
    if unknown or len(numbers) > MAX_NUMBERS or operator_count(expression) > MAX_OPERATORS:
        raise StoryError(f"the equation does not suit the text: {story.equation} | {story.text}")
    # With 第1天 in the text, the 1 of 1-(1/5) would be taken for the first day.
    if ONE in literals and ONE.value in values:
        return None
    answer = _tidy_value(expression, story)
    return Problem(story.text, story.equation, story.form, numbers, answer) if answer else None


def _tidy_value(expression: Expression, story: Story) -> Fraction | None:
    """The value, if it is positive and fits the form of the answer."""
    value = evaluate(expression)
    if value is None or value <= 0:
        return None
    if story.form is AnswerForm.FRACTION:
        return value if value.denominator > 1 else None
    places = decimal_places(value * 100 if story.form is AnswerForm.PERCENT else value)
    most = {AnswerForm.COUNT: 0, AnswerForm.PERCENT: 1}.get(story.form, 3 if "3.14" in story.equation else 2)
    return value if places is not None and places <= most else None
