"""The record that every later stage reads: a problem with its numbers, answer and, where known, its equation."""

import re
from fractions import Fraction
from typing import Annotated

from pydantic import BaseModel, ConfigDict, PlainSerializer, PlainValidator

from mwp.arith.expressions import Expression
from mwp.arith.notation import from_prefix

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

    An equation has several readings where one of its literals occurs more than once in the text.
    """

    id: str
    source: str
    text: str
    tokens: tuple[str, ...]
    numbers: tuple[Number, ...]
    answer: Rational
    answer_spelling: str
    gold: tuple[tuple[str, ...], ...] = ()

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
