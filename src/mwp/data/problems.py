"""The record that every later stage reads: a problem with its numbers, answer and, where known, its equation."""

import re
from fractions import Fraction
from typing import Annotated

from pydantic import BaseModel, ConfigDict, PlainSerializer, PlainValidator

from mwp.arith.expressions import Expression
from mwp.arith.notation import from_prefix
from mwp.errors import BadInput

NUMBER_TOKEN = "NUM"
_RATIONAL = re.compile(r"-?\d+(\.\d+|/0*[1-9]\d*)?", re.ASCII)


def _read_rational(value: object) -> Fraction:
    # Fraction alone would raise ZeroDivisionError on "1/0" and work for hours on "1e999999999".
    if isinstance(value, Fraction | int) or (isinstance(value, str) and _RATIONAL.fullmatch(value)):
        return Fraction(value)
    raise ValueError(f"expected a rational such as 20 or 7/2, found {str(value)[:40]!r}")


# A rational is written as "7/2" or "20", so that every file can be read without this package.
Rational = Annotated[Fraction, PlainValidator(_read_rational), PlainSerializer(str, return_type=str)]


class Record(BaseModel):
    """A frozen line of a JSON lines file. A field with a `validation_alias` is read under that older name too."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True, loc_by_alias=False)


class Number(Record):
    """N_i: a numeral of the text with its exact value and its span."""

    spelling: str
    value: Rational
    start: int
    end: int


class Problem(Record):
    """A word problem; `gold` holds every reading of its equation as prefix tokens (none for an answer-only problem).

    An equation has several readings where one of its literals occurs more than once in the text. The answer is None
    where nobody knows it: a question that somebody asks.
    """

    id: str
    source: str
    text: str
    tokens: tuple[str, ...]
    numbers: tuple[Number, ...]
    answer: Rational | None
    answer_spelling: str
    gold: tuple[tuple[str, ...], ...] = ()

    @classmethod
    def from_text(
        cls, text: str, answer: str | None = None, equation: str | None = None, *, id: str = "1"
    ) -> "Problem":
        """A problem from its text, as a person writes it.

        Parameters
        ----------
        text : str
            The problem in Chinese, its numbers in digits.
        answer : str, optional
            A number such as `103`, `3.5`, `20%` or `1/3`, a unit may follow. None: the equation's value, if there is
            an equation; else the answer is not known.
        equation : str, optional
            Over the numbers of the text, such as `56*2-9`; N0 is the first number, N1 the second. None: not known.
        id : str, default "1"
            Its name, which must differ from those of other problems beside it.

        Returns
        -------
        Problem

        Examples
        --------
        >>> problem = mwp.Problem.from_text("小明有5个苹果，吃了2个，还剩几个？", answer="3", equation="5-2")
        >>> problem.values, problem.answer, problem.gold
        ((Fraction(5, 1), Fraction(2, 1)), Fraction(3, 1), (('-', 'N0', 'N1'),))
        """
        from mwp.data.readers import typed_problem  # which makes problems of this class

        return typed_problem(text, answer, equation, id)

    @property
    def known_answer(self) -> Fraction:
        """The answer of a problem that must have one."""
        if self.answer is None:
            raise BadInput(f"problem {self.id!r} has no answer; give problems with answers")
        return self.answer

    @property
    def values(self) -> tuple[Fraction, ...]:
        return tuple(number.value for number in self.numbers)

    @property
    def readings(self) -> list[Expression]:
        return [from_prefix(tokens) for tokens in self.gold]


class Drop(Record):
    """A record that was not used, and why."""

    id: str
    reason: str
    detail: str = ""
