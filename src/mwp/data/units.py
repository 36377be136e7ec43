"""Units and parts: what a text shows of its numbers and of what it asks for, read off by fixed rules."""

import re
from dataclasses import dataclass
from fractions import Fraction

from mwp.data.problems import Number

_ASKED = re.compile(r"(?:多少|几)\s*([^\W\d])")
_SHARE = re.compile(r"几分之|百分之(?:几|多少)|百分率|百分比|多少(?:%|成)|几成")
# Measure words of things that come in whole numbers.
COUNTED = frozenset(
    "人个只本棵名位台辆头朵张支枝盒箱页块件套袋根条次道颗粒瓶筐排间所题盆幅枚户双把桶匹艘架座栋层班组种"
)


def is_part(number: Number) -> bool:
    """Of something, as (1/4), 0.3 and 25% are."""
    return number.value < 1 or "(" in number.spelling or "%" in number.spelling


def unit_behind(text: str, number: Number) -> str:
    """The character behind a number, which in Chinese tells its unit; empty for none."""
    behind = text[number.end : number.end + 1]
    return behind if behind.isalpha() else ""


def asked_unit(text: str) -> str:
    """The character behind the last "how many"; empty for none."""
    asked = _ASKED.findall(text)
    return asked[-1] if asked else ""


def asks_for_share(text: str) -> bool:
    """Whether it asks what part or percentage one thing is of another."""
    return bool(_SHARE.search(text))


@dataclass(frozen=True)
class Piece:
    """Of a solution: its value, its unit (empty if unknown), and whether it is a part of something (None: unknown)."""

    value: Fraction | None
    unit: str = ""
    part: bool | None = None


def scaled(operator: str, left: Piece, right: Piece) -> tuple[str, bool | None]:
    """Unit and part of a product, a quotient or a power: a part of kilograms is kilograms."""
    if right.part and left.part is False and operator in "*/":
        return left.unit, False
    if left.part and right.part is False and operator == "*":
        return right.unit, False
    if left.part and right.part and operator == "*":
        return "", True
    return "", None
