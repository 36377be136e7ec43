"""Equality of solutions as functions of the quantities N_i, by exact evaluation at fixed pseudo-random assignments.

Trials work in prime fields, so nothing is rounded and numbers stay small; the first three in different ones, so that
no constant vanishes in all. Two different functions of total degree d are taken for equal with probability below
(d / 2^61)^3. Quantities inside an exponent must be integers, so they take values from 2 to 7 only; functions that
differ in nothing but exponents are confused at about 6^-9.
"""

from fractions import Fraction
from functools import lru_cache
from hashlib import blake2b

from mwp.arith.expressions import Constant, Expression, Operation, Operator, Quantity, nodes
from mwp.arith.values import evaluate

# The value at each trial, None where the expression has none.
Fingerprint = tuple[int | None, ...]

_PRIMES = (2**61 - 1, 2**89 - 1, 2**107 - 1)
_TRIALS = 3
_TRIALS_WITH_EXPONENTS = 9
_SMALL = range(2, 8)

# Numerator and denominator modulo the trial's prime; the denominator is never 0.
_Ratio = tuple[int, int]


def same_function(left: Expression, right: Expression) -> bool:
    """Whether both have the same value whatever the quantities are; False where one of them has none."""
    exponents = exponent_quantities(left) | exponent_quantities(right)
    values = fingerprint(left, exponents)
    return values is not None and values == fingerprint(right, exponents)


def exponent_quantities(expression: Expression) -> frozenset[int]:
    """The indices of the quantities that occur inside an exponent."""
    return frozenset(
        leaf.index
        for node in nodes(expression)
        if isinstance(node, Operation) and node.operator == "^"
        for leaf in nodes(node.right)
        if isinstance(leaf, Quantity)
    )


def fingerprint(expression: Expression, exponents: frozenset[int] = frozenset()) -> Fingerprint | None:
    """Equal for equal functions and usable as a key; None if there is no value anywhere, as for 1/(N0-N0).

    `exponents` are the quantities that get small values besides those in the exponents of `expression`. Fingerprints
    of several expressions are comparable if each got the union of `exponent_quantities` of them all; without powers
    of quantities that is the default.
    """
    small = exponents | exponent_quantities(expression)
    trials = range(_TRIALS_WITH_EXPONENTS if small else _TRIALS)
    values = tuple(_Trial(number, small).value(expression) for number in trials)
    return None if all(value is None for value in values) else values


class _Trial:
    """One assignment of values to all quantities, in one prime field."""

    def __init__(self, number: int, small: frozenset[int]) -> None:
        self.number = number
        self.small = small
        self.prime = _PRIMES[number % len(_PRIMES)]

    def value(self, expression: Expression) -> int | None:
        ratio = self.ratio(expression)
        if ratio is None:
            return None
        numerator, denominator = ratio
        return numerator if denominator == 1 else numerator * pow(denominator, -1, self.prime) % self.prime

    def ratio(self, node: Expression) -> _Ratio | None:
        if isinstance(node, Quantity):
            return self.quantity(node.index), 1
        if isinstance(node, Constant):
            denominator = node.value.denominator % self.prime
            return (node.value.numerator % self.prime, denominator) if denominator else None
        left = self.ratio(node.left)
        if left is None:
            return None
        if node.operator == "^":
            return self.power(left, evaluate(self.with_numbers(node.right)))
        right = self.ratio(node.right)
        return None if right is None else self.apply(node.operator, left, right)

    def quantity(self, index: int) -> int:
        drawn = _draw(self.number, index)
        return _SMALL[drawn % len(_SMALL)] if index in self.small else drawn % self.prime

    def apply(self, operator: Operator, left: _Ratio, right: _Ratio) -> _Ratio | None:
        (a, b), (c, d), prime = left, right, self.prime
        if operator == "*":
            return a * c % prime, b * d % prime
        if operator == "/":
            return (a * d % prime, b * c % prime) if c else None
        if operator == "+":
            return (a * d + c * b) % prime, b * d % prime
        return (a * d - c * b) % prime, b * d % prime

    def power(self, base: _Ratio, exponent: Fraction | None) -> _Ratio | None:
        numerator, denominator = base
        if exponent is None or exponent.denominator != 1 or (numerator == 0 and exponent <= 0):
            return None
        if exponent < 0:
            numerator, denominator = denominator, numerator
        times = abs(exponent.numerator)
        return pow(numerator, times, self.prime), pow(denominator, times, self.prime)

    def with_numbers(self, node: Expression) -> Expression:
        """An exponent must be worked out exactly, as it lives in no prime field."""
        if isinstance(node, Quantity):
            return Constant(Fraction(self.quantity(node.index)))
        if isinstance(node, Constant):
            return node
        return Operation(node.operator, self.with_numbers(node.left), self.with_numbers(node.right))


@lru_cache(maxsize=4096)
def _draw(trial: int, index: int) -> int:
    """A number that looks random and is the same on every machine."""
    return int.from_bytes(blake2b(f"{trial} {index}".encode(), digest_size=16).digest())
