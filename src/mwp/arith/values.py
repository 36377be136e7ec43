"""The exact value of a solution."""

from collections.abc import Sequence
from fractions import Fraction

from mwp.arith.expressions import Constant, Expression, Operation, Operator, Quantity

_MAX_BITS = 4096


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
    """The operations in the order in which one works them out."""
    if not isinstance(expression, Operation):
        return []
    return [*operations(expression.left), *operations(expression.right), expression]
