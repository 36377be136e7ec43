"""A problem's text: one spelling, words, numbers, and the equation over these.

The i-th numeral of a text is N_i; an equation's literals are traced back to them. Every numeral is one NUM token.
"""

import logging
import re
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from functools import cache
from itertools import islice, product
from typing import Any

from mwp.arith.expressions import ONE, PI, Constant, Expression, Leaf, Operation, Quantity, leaves
from mwp.arith.notation import parse
from mwp.arith.numerals import NUMERAL, parse_numeral
from mwp.data.dictionary import load_dictionary
from mwp.data.problems import NUMBER_TOKEN, Number

_WIDE = str.maketrans("０１２３４５６７８９％／", "0123456789%/")
_WIDE_FRACTION = re.compile(r"（(\d+/\d+)）")
_ESCAPE = re.compile(r"\\+u([0-9a-fA-F]{4})")
_SCIENTIFIC = re.compile(r"(?<![\d.])\d+(?:\.\d+)?[eE][-+]?\d{1,2}(?!\d)")
_WHOLE = re.compile(r"(\d+)\.0(%?)")
_NOT_OF_AN_EQUATION = re.compile(r"[^\d\s.,:：=+\-−－＋*×/÷^()（）\[\]{}%％]")
_UNIT_POWER = re.compile(r"(?<=[a-z])[23]")
CONSTANTS = (ONE, PI)
# Each literal that stands k times in the text multiplies the readings by k.
MAX_READINGS = 64


def normalise(text: str) -> str:
    """Full-width digits, percents and fractions, `4e-07` and `\\u3000` in plain spelling; the rest as it is."""
    text = _ESCAPE.sub(lambda match: chr(int(match[1], 16)), text)
    # A lone surrogate is no character, and no file could hold it.
    text = text.encode("utf8", "replace").decode("utf8")
    text = _WIDE_FRACTION.sub(r"(\1)", text.translate(_WIDE))
    return _SCIENTIFIC.sub(lambda match: format(Decimal(match[0]), "f"), text).strip()


def join_words(text: str) -> str:
    """A segmented text in one piece: `积 是 48.0 ．` to `积是48．`; two numerals side by side stay apart."""
    joined = ""
    for word in text.split():
        word = _WHOLE.sub(r"\1\2", word) if _WHOLE.fullmatch(word) else word
        apart = joined[-1:].isdecimal() and word[:1].isdecimal()
        joined += f" {word}" if apart else word
    return joined


def cut_unit(text: str) -> str:
    """`80千米/小时` to `80`. What follows must be a unit and nothing to calculate with, else the text stays whole."""
    match = _NOT_OF_AN_EQUATION.search(text)
    if match is None or re.search(r"\d", _UNIT_POWER.sub("", text[match.start() :])):
        return text
    return text[: match.start()].strip()


@cache
def _segmenter() -> Any:
    import jieba  # reading its dictionary takes a second

    jieba.setLogLevel(logging.WARNING)
    tokenizer = jieba.Tokenizer()
    # Else jieba would look for a dictionary in the temporary folder.
    tokenizer.FREQ, tokenizer.total = load_dictionary(tokenizer, jieba.__version__)
    tokenizer.initialized = True
    return tokenizer


def segment(text: str, numbers: Sequence[Number]) -> tuple[str, ...]:
    tokens: list[str] = []
    end = 0
    for number in numbers:
        tokens += _words(text[end : number.start])
        tokens.append(NUMBER_TOKEN)
        end = number.end
    return tuple(tokens + _words(text[end:]))


def _words(text: str) -> list[str]:
    words = (word for word in _segmenter().cut(text) if not word.isspace())
    # The text's own "NUM" must not be taken for a number.
    return [word.lower() if word == NUMBER_TOKEN else word for word in words]


def find_numbers(text: str) -> tuple[Number, ...]:
    """All numerals, left to right: fractions first, then decimals, then integers. May raise NumeralError."""
    return tuple(
        Number(spelling=match[0], value=parse_numeral(match[0]), start=match.start(), end=match.end())
        for match in NUMERAL.finditer(text)
    )


def map_equation(equation: str, numbers: Sequence[Number]) -> list[Expression]:
    """Every reading of an equation's right-hand side over the text's numbers. May raise InfixError.

    A literal with the value of some N_i means one of these; any other literal is a constant.
    """
    fractions = {number.value for number in numbers if "(" in number.spelling}
    tree = parse(equation, fractions)
    choices = [_meanings(leaf, numbers) for leaf in leaves(tree)]
    return [_replace_leaves(tree, list(choice)) for choice in islice(product(*choices), MAX_READINGS)]


def _meanings(leaf: Leaf, numbers: Sequence[Number]) -> list[Leaf]:
    if isinstance(leaf, Quantity):
        return [leaf]
    found: list[Leaf] = [Quantity(i) for i, number in enumerate(numbers) if number.value == leaf.value]
    return found or [leaf]


def _replace_leaves(tree: Expression, replacements: list[Leaf]) -> Expression:
    """Put the replacements, taken from the front, in the place of the leaves in prefix order."""
    if not isinstance(tree, Operation):
        return replacements.pop(0)
    left = _replace_leaves(tree.left, replacements)
    return Operation(tree.operator, left, _replace_leaves(tree.right, replacements))


def unknown_constants(expression: Expression) -> list[Fraction]:
    """The literals that are neither in the text nor among the constants a solver knows."""
    return [leaf.value for leaf in leaves(expression) if isinstance(leaf, Constant) and leaf not in CONSTANTS]
