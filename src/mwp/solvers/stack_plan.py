"""The actions of a stack decoder, and index structures for all steps of a batch of solutions.

An action is 0 for the end, or 1 + a symbol: to push a leaf, or to apply an operator.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from torch import Tensor

from mwp.solvers.forest import Forest, Ids, Subtrees, plan_subtrees
from mwp.solvers.steps import Steps, pack_steps
from mwp.solvers.symbols import OPERATOR_COUNT, symbol_token

END = 0
FIRST_ACTION = 1
# What the decoder sees at a step: the two tops of the stack, the upper one last, and the symbol of the last action.
SEEN = 3
# Where these stand among the vectors [empty | operators | subtrees].
EMPTY = 0
FIRST_OPERATOR = 1
FIRST_SUBTREE = FIRST_OPERATOR + OPERATOR_COUNT


@dataclass(frozen=True)
class StackPlan:
    steps: Steps
    subtrees: Subtrees  # all of them
    seen: Tensor  # (M, 3) vectors seen at each step
    depth: Tensor  # (M,) vectors on the stack before each step
    actions: Tensor  # (M,)


def make_plan(solutions: Sequence[Sequence[int]], owners: Sequence[int]) -> StackPlan:
    """`solutions` are prefix symbol ids, `owners` the row of each solution's problem in the batch."""
    forest = Forest(solutions, owners)
    placed = plan_subtrees(forest, np.arange(len(forest.symbol)))
    written = _Written(forest, placed.place)
    for root in np.flatnonzero(forest.depth == 0).tolist():
        written.add(root)
    packing = pack_steps([len(solution) + 1 for solution in solutions], owners)
    return StackPlan(
        steps=packing.steps,
        subtrees=placed.subtrees,
        seen=packing.packed(np.array(written.seen)),
        depth=packing.packed(written.depth),
        actions=packing.packed(written.actions),
    )


class _Written:
    """Solutions action by action, with what is seen before each."""

    def __init__(self, forest: Forest, place: Ids) -> None:
        self.symbol, self.left, self.right = forest.symbol.tolist(), forest.left.tolist(), forest.right.tolist()
        self.vector = (FIRST_SUBTREE + place).tolist()
        self.seen: list[tuple[int, int, int]] = []
        self.depth: list[int] = []
        self.actions: list[int] = []

    def add(self, root: int) -> None:
        stack = [EMPTY, EMPTY]
        last = EMPTY
        for node in self._postfix(root):
            self._note(stack, last, FIRST_ACTION + self.symbol[node])
            applies = self.symbol[node] < OPERATOR_COUNT
            if applies:
                del stack[-2:]
            stack.append(self.vector[node])
            last = FIRST_OPERATOR + self.symbol[node] if applies else self.vector[node]
        self._note(stack, last, END)

    def _note(self, stack: list[int], last: int, action: int) -> None:
        self.seen.append((stack[-2], stack[-1], last))
        self.depth.append(len(stack) - 2)
        self.actions.append(action)

    def _postfix(self, root: int) -> list[int]:
        mirrored, waiting = [], [root]
        while waiting:
            node = waiting.pop()
            mirrored.append(node)
            if self.left[node] >= 0:
                waiting += [self.left[node], self.right[node]]
        return mirrored[::-1]


def prefix_tokens(actions: Sequence[int]) -> tuple[str, ...]:
    """The ended actions of one solution as prefix tokens."""
    finished: list[tuple[str, ...]] = []
    for action in actions[:-1]:
        symbol = action - FIRST_ACTION
        operands: tuple[str, ...] = ()
        if symbol < OPERATOR_COUNT:
            right, left = finished.pop(), finished.pop()
            operands = (*left, *right)
        finished.append((symbol_token(symbol), *operands))
    (solution,) = finished
    return solution
