"""Number mapping: the i-th numeral of a text is N_i, and an equation's literals are traced back to them."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import islice, product

from mwp.arith.expressions import ONE, PI, Constant, Expression, Leaf, Operation, Quantity, leaves
from mwp.arith.infix import parse
from mwp.arith.numerals import NUMERAL, parse_numeral
from mwp.data.problems import Number

CONSTANTS = (ONE, PI)
# Each literal that stands k times in the text multiplies the readings by k.
MAX_READINGS = 64


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
