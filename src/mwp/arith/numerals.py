"""Numerals as they are written in problems, equations and answers, read as exact rationals."""

import re
from fractions import Fraction

FRACTION = r"\d*\((?:\d+/\d+|\(\d+\)/\(\d+\))\)"
DECIMAL = r"\d+\.\d+%?"
INTEGER = r"\d+%?"
NUMERAL = re.compile(f"{FRACTION}|{DECIMAL}|{INTEGER}")
# Longer numerals are no quantities of a word problem, and a search in float64 could not tell them apart.
MAX_DIGITS = 30
_MIXED = re.compile(r"(\d*)\(\(?(\d+)\)?/\(?(\d+)\)?\)")
_PLAIN = re.compile(r"(\d+(?:\.\d+)?)(%?)")


class NumeralError(ValueError):
    """The text is not a numeral; the message says which text and why."""


def parse_numeral(text: str) -> Fraction:
    """`12`, `3.5`, `25%`, `(1/6)`, `((2)/(3))`, `3(1/2)`, `8((1)/(3))`, each with an optional minus."""
    body = text.strip()
    sign = -1 if body.startswith("-") else 1
    body = body.removeprefix("-")
    if sum(character.isdigit() for character in body) > MAX_DIGITS:
        raise NumeralError(f"a numeral of more than {MAX_DIGITS} digits: {body[:12]}...")
    if plain := _PLAIN.fullmatch(body):
        value = Fraction(plain[1])
        return sign * (value / 100 if plain[2] else value)
    if NUMERAL.fullmatch(body) and (mixed := _MIXED.fullmatch(body)):
        whole, numerator, denominator = int(mixed[1] or 0), int(mixed[2]), int(mixed[3])
        if denominator == 0:
            raise NumeralError(f"a fraction with denominator 0: {text.strip()}")
        return sign * (whole + Fraction(numerator, denominator))
    raise NumeralError(f"not a number: {text.strip()[:40]!r}")


def decimal_places(value: Fraction) -> int | None:
    """How many decimals write `value` exactly; None if no finite number does."""
    denominator, positions = value.denominator, 0
    while denominator % 10 == 0:
        denominator, positions = denominator // 10, positions + 1
    while denominator % 2 == 0:
        denominator, positions = denominator // 2, positions + 1
    while denominator % 5 == 0:
        denominator, positions = denominator // 5, positions + 1
    return positions if denominator == 1 else None


def print_numeral(value: Fraction) -> str:
    """The shortest of our spellings: an integer, a finite decimal, or a fraction such as `(2/3)` or `1(2/3)`."""
    sign, value = ("-", -value) if value < 0 else ("", value)
    positions = decimal_places(value)
    if positions == 0:
        return f"{sign}{value.numerator}"
    if positions is not None:
        digits = str(value.numerator * 10**positions // value.denominator).rjust(positions + 1, "0")
        return f"{sign}{digits[:-positions]}.{digits[-positions:]}"
    whole, rest = divmod(value.numerator, value.denominator)
    return f"{sign}{whole or ''}({rest}/{value.denominator})"
