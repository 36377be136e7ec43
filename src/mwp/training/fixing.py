"""1-FIX of LBF: the change of one token that makes a wrong solution give the answer and costs the least probability.

Best-first from the root, whose goal is the answer: a goal is passed down to the operands, and another leaf or another
operator that meets the goal of its node is a candidate. The whole is worked out anew before one is taken, so the fix
is right although some goals are wider than they need be, and as none is narrower no fix is missed.
"""

from dataclasses import dataclass
from heapq import heappop, heappush

from mwp.training.buffer import Solution, tolerance
from mwp.training.draft_tree import Draft, DraftTree, Option
from mwp.training.goals import Goal, left_goal, right_goal


@dataclass(frozen=True, slots=True)
class Change:
    """`place` is an index into the prefix; `loss` the log-probability of the old token there minus the new one's."""

    place: int
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
    slack = tolerance(draft.answer)
    answer = Goal(draft.answer - slack, draft.answer + slack)
    tree = DraftTree(draft)
    value = tree.values[0]
    if value is not None and value in answer:
        return Fix(draft.tokens, None)
    change = _Search(tree, answer).best()
    if change is None:
        return None
    return Fix((*draft.tokens[: change.place], change.new, *draft.tokens[change.place + 1 :]), change)


class _Search:
    """A queue of subtrees with their goals, by the least loss of any change in them, and of candidates, by theirs."""

    def __init__(self, tree: DraftTree, answer: Goal) -> None:
        self.tree = tree
        self.answer = answer
        self.queue: list[tuple[float, int, int, Goal | Option]] = []
        self.pushed = 0
        self._push(tree.losses[0], 0, answer)

    def _push(self, loss: float, place: int, item: Goal | Option) -> None:
        # Among equals the older one is first, and items are never compared.
        self.pushed += 1
        heappush(self.queue, (loss, self.pushed, place, item))

    def best(self) -> Change | None:
        while self.queue:
            loss, _, place, item = heappop(self.queue)
            if isinstance(item, Goal):
                self._open(place, item)
            elif self._gives_the_answer(place, item):
                return Change(place, self.tree.tokens[place], item.token, loss)
        return None

    def _gives_the_answer(self, place: int, option: Option) -> bool:
        value = self.tree.root_value(place, option.value)
        return value is not None and value in self.answer

    def _open(self, place: int, goal: Goal) -> None:
        for option in self.tree.options(place):
            if option.value in goal:
                self._push(self.tree.loss(place, option.token), place, option)
        if self.tree.right[place]:
            self._open_children(place, goal)

    def _open_children(self, place: int, goal: Goal) -> None:
        """A child whose sibling has no value is passed over: no change in it could give the whole one."""
        operator, left, right = self.tree.operator(place), place + 1, self.tree.right[place]
        left_value, right_value = self.tree.values[left], self.tree.values[right]
        if right_value is not None and (below := left_goal(goal, operator, right_value)) is not None:
            self._push(self.tree.losses[left], left, below)
        if left_value is not None and (below := right_goal(goal, operator, left_value)) is not None:
            self._push(self.tree.losses[right], right, below)
