"""Solutions as immutable binary trees over the quantities N_i of a problem, constants and operators."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, get_args

Operator = Literal["+", "-", "*", "/", "^"]
OPERATORS: tuple[Operator, ...] = get_args(Operator)


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
