"""Seeded quantities that print as Math23k spells them."""

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import gcd
from random import Random


@dataclass(frozen=True)
class Part:
    """A proper fraction such as `(3/4)`, or a mixed number such as `2(3/4)`."""

    top: int
    bottom: int
    units: int = 0

    def __str__(self) -> str:
        return f"{self.units or ''}({self.top}/{self.bottom})"

    @property
    def value(self) -> Fraction:
        return self.units + Fraction(self.top, self.bottom)

    def of(self, whole: int) -> int:
        """This part of a whole that the denominator divides."""
        share = self.value * whole
        if share.denominator != 1:
            raise ValueError(f"{self} of {whole} is not whole")
        return int(share)


def part(rng: Random, low: int = 3, high: int = 10, units: int = 0) -> Part:
    """A proper fraction in lowest terms whose denominator lies in low..high."""
    bottom = rng.randint(low, high)
    top = rng.choice([top for top in range(1, bottom) if gcd(top, bottom) == 1])
    return Part(top, bottom, units)


def whole(rng: Random, low: int, high: int, step: int = 1) -> int:
    return rng.randrange(low, high + 1, step)


def decimal(rng: Random, low: int, high: int, places: int = 1) -> Decimal:
    """A number from low to high with at most so many decimals."""
    scale: int = 10**places
    return Decimal(rng.randint(low * scale, high * scale)) / scale


def tidy(value: Decimal) -> Decimal:
    """The same number printed without trailing zeros."""
    return value.quantize(Decimal(1)) if value == value.to_integral_value() else value.normalize()
