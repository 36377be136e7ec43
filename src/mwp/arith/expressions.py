"""Solutions as immutable binary trees over the quantities N_i, constants and operators; their exact values."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, get_args

Operator = Literal["+", "-", "*", "/", "^"]
OPERATORS: tuple[Operator, ...] = get_args(Operator)
_MAX_BITS = 4096
ABSOLUTE = Fraction(1, 1_000)
RELATIVE = Fraction(1, 10_000)


@dataclass(frozen=True, slots=True)
class Quantity:
    """N_i, the i-th number of the problem's text."""

    index: int


@dataclass(frozen=True, slots=True)
class Constant:
    """A number that the text does not hold, such as 1 or pi."""

    value: Fraction


@dataclass(frozen=True, slots=True)
class Operation:
    operator: Operator
    left: "Expression"
    right: "Expression"


Leaf = Quantity | Constant
Expression = Quantity | Constant | Operation
ONE = Constant(Fraction(1))
PI = Constant(Fraction("3.14"))


def nodes(expression: Expression) -> Iterator[Expression]:
    """Every node in prefix order."""
    pending = [expression]
    while pending:
        node = pending.pop()
        yield node
        if isinstance(node, Operation):
            pending += [node.right, node.left]


def leaves(expression: Expression) -> list[Leaf]:
    return [node for node in nodes(expression) if not isinstance(node, Operation)]


def operator_count(expression: Expression) -> int:
    return sum(isinstance(node, Operation) for node in nodes(expression))


def evaluate(expression: Expression, numbers: Sequence[Fraction] = ()) -> Fraction | None:
    """The value with N_i = numbers[i]; None where there is none (division by zero, a root, a huge power)."""
    if isinstance(expression, Constant):
        return expression.value
    if isinstance(expression, Quantity):
        return numbers[expression.index] if expression.index < len(numbers) else None
    left = evaluate(expression.left, numbers)
    right = evaluate(expression.right, numbers) if left is not None else None
    if left is None or right is None:
        return None
    return apply(expression.operator, left, right)


def apply(operator: Operator, left: Fraction, right: Fraction) -> Fraction | None:
    if operator == "^":
        return _power(left, right)
    if operator == "/":
        result = left / right if right else None
    elif operator == "*":
        result = left * right
    elif operator == "+":
        result = left + right
    else:
        result = left - right
    return result if result is not None and _bits(result) <= _MAX_BITS else None


def _bits(value: Fraction) -> int:
    return max(value.numerator.bit_length(), value.denominator.bit_length())


def _power(base: Fraction, exponent: Fraction) -> Fraction | None:
    if exponent.denominator != 1 or abs(exponent) * _bits(base) > _MAX_BITS or (base == 0 and exponent <= 0):
        return None
    return base ** int(exponent)


def operations(expression: Expression) -> list[Operation]:
    """The operations in the order in which they are computed."""
    if not isinstance(expression, Operation):
        return []
    return [*operations(expression.left), *operations(expression.right), expression]


def answer_tolerance(answer: Fraction) -> Fraction:
    """How far a value may be from the answer: 1e-3, or a ten-thousandth of it."""
    return max(ABSOLUTE, RELATIVE * abs(answer))


def matches_answer(value: Fraction | None, answer: Fraction) -> bool:
    return value is not None and abs(value - answer) <= answer_tolerance(answer)
