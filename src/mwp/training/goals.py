"""Goals of 1-FIX (LBF): the values with which one subtree would make the whole solution give the answer.

A goal goes down by inverting an operator with the value of the sibling. It may hold values that do not serve (the
inverse through 0 and that of `^` are not worked out), but leaves none out that does.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import inf

from mwp.arith.expressions import Operator


@dataclass(frozen=True, slots=True)
class Goal:
    """All values from `low` to `high`, both included: an answer is known to a tolerance."""

    low: Fraction | float
    high: Fraction | float

    def __contains__(self, value: Fraction) -> bool:
        return self.low <= value <= self.high

    def shifted(self, by: Fraction) -> "Goal":
        # An infinite end would turn `by` into a float, which a huge power does not fit.
        return self if self is ANYTHING else Goal(self.low + by, self.high + by)

    def scaled(self, by: Fraction) -> "Goal":
        """`by` is not 0."""
        if self is ANYTHING:
            return self
        return Goal(self.low * by, self.high * by) if by > 0 else Goal(self.high * by, self.low * by)


ANYTHING = Goal(-inf, inf)

_ZERO = Fraction(0)


def left_goal(goal: Goal, operator: Operator, right: Fraction) -> Goal | None:
    """For the left operand, if `operator` with `right` is to reach `goal`; None where nothing can."""
    if operator == "+":
        return goal.shifted(-right)
    if operator == "-":
        return goal.shifted(right)
    if operator == "*":
        return _factor_goal(goal, right)
    if operator == "/":
        return goal.scaled(right) if right else None
    return ANYTHING if right.denominator == 1 else None


def right_goal(goal: Goal, operator: Operator, left: Fraction) -> Goal | None:
    """For the right operand, if `operator` with `left` is to reach `goal`; None where nothing can."""
    if operator == "+":
        return goal.shifted(-left)
    if operator == "-":
        return goal.scaled(Fraction(-1)).shifted(left)
    if operator == "*":
        return _factor_goal(goal, left)
    if operator == "/":
        return _divisor_goal(goal, left)
    return ANYTHING


def _factor_goal(goal: Goal, other: Fraction) -> Goal | None:
    if other:
        return goal.scaled(1 / other)
    return ANYTHING if _ZERO in goal else None


def _divisor_goal(goal: Goal, dividend: Fraction) -> Goal | None:
    if _ZERO in goal:
        return ANYTHING
    if not dividend:
        return None
    # Both ends have one sign, so between them the quotient only falls or only rises.
    return Goal(*sorted((dividend / goal.low, dividend / goal.high)))
