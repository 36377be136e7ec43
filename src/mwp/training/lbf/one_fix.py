"""1-FIX of LBF: the change of one token that makes a wrong solution give the answer and costs the least probability.

Best-first from the root, whose target is the answer: a target is passed down to the operands by inverting the operator
with the sibling's value, and another leaf or operator that meets the target of its node is an option. A target may
contain values that do not serve (the inverse through 0 and that of `^` are not computed), but leaves none out that
does; the whole is evaluated again before an option is taken, so a fix is right and none is missed.
"""

from dataclasses import dataclass
from fractions import Fraction
from heapq import heappop, heappush
from math import inf

from mwp.arith.expressions import Operator, answer_tolerance
from mwp.arith.notation import Solution
from mwp.training.lbf.drafts import Draft, DraftTree, Option

_ZERO = Fraction(0)


@dataclass(frozen=True, slots=True)
class Change:
    """`position` is an index into the prefix; `loss` the log-probability of the old token there minus the new one's."""

    position: int
    old: str
    new: str
    loss: float


@dataclass(frozen=True, slots=True)
class Fix:
    """A solution that gives the answer; `change` is None if the draft gave it as it stood."""

    solution: Solution
    change: Change | None


def one_fix(draft: Draft) -> Fix | None:
    """The fix with the smallest loss; None if no single change of a leaf or an operator gives the answer."""
    slack = answer_tolerance(draft.answer)
    answer = TargetInterval(draft.answer - slack, draft.answer + slack)
    tree = DraftTree(draft)
    value = tree.values[0]
    if value is not None and value in answer:
        return Fix(draft.tokens, None)
    change = _Search(tree, answer).best()
    if change is None:
        return None
    return Fix((*draft.tokens[: change.position], change.new, *draft.tokens[change.position + 1 :]), change)


@dataclass(frozen=True, slots=True)
class TargetInterval:
    """All values from `low` to `high`, both included: an answer is known to a tolerance."""

    low: Fraction | float
    high: Fraction | float

    def __contains__(self, value: Fraction) -> bool:
        return self.low <= value <= self.high

    def shifted(self, by: Fraction) -> "TargetInterval":
        # An infinite end would turn `by` into a float, which a huge power does not fit.
        return self if self is ANYTHING else TargetInterval(self.low + by, self.high + by)

    def scaled(self, by: Fraction) -> "TargetInterval":
        """`by` is not 0."""
        if self is ANYTHING:
            return self
        return (
            TargetInterval(self.low * by, self.high * by) if by > 0 else TargetInterval(self.high * by, self.low * by)
        )


class _Search:
    """A queue of subtrees with their targets, by the least loss of any change in them, and of options, by theirs."""

    def __init__(self, tree: DraftTree, answer: TargetInterval) -> None:
        self.tree = tree
        self.answer = answer
        self.queue: list[tuple[float, int, int, TargetInterval | Option]] = []
        self.pushed = 0
        self._push(tree.losses[0], 0, answer)

    def _push(self, loss: float, position: int, item: TargetInterval | Option) -> None:
        # Among equals the older one is first, and items are never compared.
        self.pushed += 1
        heappush(self.queue, (loss, self.pushed, position, item))

    def best(self) -> Change | None:
        while self.queue:
            loss, _, position, item = heappop(self.queue)
            if isinstance(item, TargetInterval):
                self._open(position, item)
            elif self._gives_the_answer(position, item):
                return Change(position, self.tree.tokens[position], item.token, loss)
        return None

    def _gives_the_answer(self, position: int, option: Option) -> bool:
        value = self.tree.root_value(position, option.value)
        return value is not None and value in self.answer

    def _open(self, position: int, target: TargetInterval) -> None:
        for option in self.tree.options(position):
            if option.value in target:
                self._push(self.tree.loss(position, option.token), position, option)
        if self.tree.right[position]:
            self._open_children(position, target)

    def _open_children(self, position: int, target: TargetInterval) -> None:
        """A child whose sibling has no value is skipped: no change in it could give the whole a value."""
        operator, left, right = self.tree.operator(position), position + 1, self.tree.right[position]
        left_value, right_value = self.tree.values[left], self.tree.values[right]
        if right_value is not None and (below := left_target(target, operator, right_value)) is not None:
            self._push(self.tree.losses[left], left, below)
        if left_value is not None and (below := right_target(target, operator, left_value)) is not None:
            self._push(self.tree.losses[right], right, below)


ANYTHING = TargetInterval(-inf, inf)


def left_target(target: TargetInterval, operator: Operator, right: Fraction) -> TargetInterval | None:
    """For the left operand, if `operator` with `right` is to reach `target`; None where nothing can."""
    if operator == "+":
        return target.shifted(-right)
    if operator == "-":
        return target.shifted(right)
    if operator == "*":
        return _factor_target(target, right)
    if operator == "/":
        return target.scaled(right) if right else None
    return ANYTHING if right.denominator == 1 else None


def right_target(target: TargetInterval, operator: Operator, left: Fraction) -> TargetInterval | None:
    """For the right operand, if `operator` with `left` is to reach `target`; None where nothing can."""
    if operator == "+":
        return target.shifted(-left)
    if operator == "-":
        return target.scaled(Fraction(-1)).shifted(left)
    if operator == "*":
        return _factor_target(target, left)
    if operator == "/":
        return _divisor_target(target, left)
    return ANYTHING


def _factor_target(target: TargetInterval, other: Fraction) -> TargetInterval | None:
    if other:
        return target.scaled(1 / other)
    return ANYTHING if _ZERO in target else None


def _divisor_target(target: TargetInterval, dividend: Fraction) -> TargetInterval | None:
    if _ZERO in target:
        return ANYTHING
    if not dividend:
        return None
    # Both ends have one sign, so between them the quotient only falls or only rises.
    return TargetInterval(*sorted((dividend / target.low, dividend / target.high)))
