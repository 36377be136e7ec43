"""Equality of solutions as functions of the quantities N_i, and one name for equal solutions.

`same_function` evaluates at fixed pseudo-random assignments in prime fields, so nothing is rounded and numbers stay
small; the first three in different fields, so that no constant vanishes in all. Two different functions of total degree
d are taken for equal with probability below (d / 2^61)^3. Quantities inside an exponent must be integers, so they take
values from 2 to 7 only; functions that differ in nothing but exponents are confused at about 6^-9.

`canonical` is equal for solutions that are equal modulo commutativity and associativity.
"""

from fractions import Fraction
from functools import lru_cache
from hashlib import blake2b

from mwp.arith.expressions import Constant, Expression, Operation, Operator, Quantity, evaluate, nodes
from mwp.arith.notation import leaf_token

# The value at each trial, None where the expression has none.
Fingerprint = tuple[int | None, ...]
_PRIMES = (2**61 - 1, 2**89 - 1, 2**107 - 1)
_TRIALS = 3
_TRIALS_WITH_EXPONENTS = 9
_SMALL = range(2, 8)
# Numerator and denominator modulo the trial's prime; the denominator is never 0.
_Ratio = tuple[int, int]
_SUM = ("+", "-")
_PRODUCT = ("*", "/")


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
        """An exponent must be evaluated exactly, as it is not an element of a prime field."""
        if isinstance(node, Quantity):
            return Constant(Fraction(self.quantity(node.index)))
        if isinstance(node, Constant):
            return node
        return Operation(node.operator, self.with_numbers(node.left), self.with_numbers(node.right))


@lru_cache(maxsize=4096)
def _draw(trial: int, index: int) -> int:
    """A number that looks random and is the same on every machine."""
    return int.from_bytes(blake2b(f"{trial} {index}".encode(), digest_size=16).digest())


def canonical(expression: Expression) -> str:
    """A sum as its sorted signed terms, a product as its sorted factors and divisors: `N0-(N1-N2)` is `(+N0+N2-N1)`.

    Nested sums and nested products are flattened; nothing cancels, nothing is multiplied out, `^` stays as it is.
    """
    if not isinstance(expression, Operation):
        return leaf_token(expression)
    if expression.operator == "^":
        return f"({canonical(expression.left)}^{canonical(expression.right)})"
    family = _SUM if expression.operator in _SUM else _PRODUCT
    return f"({''.join(sorted(_terms(expression, *family)))})"


def _terms(expression: Expression, direct: str, inverse: str) -> list[str]:
    """The terms of a sum or the factors of a product, each behind the operator that brings it in."""
    terms = []
    pending = [(expression, False)]
    while pending:
        node, inverted = pending.pop()
        if isinstance(node, Operation) and node.operator in (direct, inverse):
            pending.append((node.left, inverted))
            pending.append((node.right, inverted != (node.operator == inverse)))
        else:
            terms.append((inverse if inverted else direct) + canonical(node))
    return terms
