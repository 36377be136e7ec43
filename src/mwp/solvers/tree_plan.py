"""Index structures that let a tree decoder work on a whole batch of solutions level by level.

Under teacher forcing the subtree vectors do not depend on goals, so all of them are computed bottom-up, one step a
height; then all goals top-down, one step a depth. Nodes are numbered depth by depth; within a depth the left children
come first, in the order of the operators above them, then the right children in the same order.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from mwp.solvers.symbols import OPERATOR_COUNT

Ids = NDArray[np.int64]


@dataclass(frozen=True)
class Merge:
    """Subtrees of one height: an operator over two subtrees that stand earlier in the list of subtrees."""

    operators: Tensor
    left: Tensor
    right: Tensor


@dataclass(frozen=True)
class Level:
    """The nodes of one depth: half of them left children, half right children (depth 0: roots alone)."""

    owners: Tensor  # (n,) problem of each node
    left_subtrees: Tensor  # (n/2,) subtree of each left child, which its right sibling sees; empty at depth 0
    operators: Tensor  # (o,) which of the n nodes are operators
    operator_ids: Tensor  # (o,)


@dataclass(frozen=True)
class TreePlan:
    leaf_owners: Tensor  # leaves inside left subtrees: problem
    leaf_symbols: Tensor  # and symbol, counted from the first constant
    merges: tuple[Merge, ...]
    levels: tuple[Level, ...]
    owners: Tensor  # (M,) problem of each node, all levels
    symbols: Tensor  # (M,) symbol of each node
    solutions: Tensor  # (M,) solution of each node
    count: int  # S, the number of solutions


class _Forest:
    """All nodes of all solutions, in prefix order, with parent, depth, height and side."""

    def __init__(self, solutions: Sequence[Sequence[int]], owners: Sequence[int]) -> None:
        self.symbol = np.array([symbol for solution in solutions for symbol in solution], dtype=np.int64)
        lengths = np.array([len(solution) for solution in solutions])
        self.solution = np.repeat(np.arange(len(solutions)), lengths)
        self.owner = np.asarray(owners, dtype=np.int64)[self.solution]
        size = len(self.symbol)
        self.left, self.right = np.full(size, -1), np.full(size, -1)
        self.depth, self.height = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64)
        self.in_left = np.zeros(size, dtype=bool)  # inside some left subtree
        self._link(lengths)

    def _link(self, lengths: Ids) -> None:
        symbol, left, right = self.symbol.tolist(), self.left, self.right
        end = len(symbol)
        finished: list[int] = []
        for node in range(end - 1, -1, -1):
            if symbol[node] < OPERATOR_COUNT and len(finished) > 1:
                first, second = finished.pop(), finished.pop()
                left[node], right[node] = first, second
                self.height[node] = 1 + max(self.height[first], self.height[second])
            finished.append(node)
        if len(finished) != len(lengths) or finished[::-1] != (np.cumsum(lengths) - lengths).tolist():
            raise ValueError("a solution is not one complete prefix expression")
        for node in range(end):
            if left[node] >= 0:
                first, second = left[node], right[node]
                self.depth[first] = self.depth[second] = self.depth[node] + 1
                self.in_left[first] = True
                self.in_left[second] = self.in_left[node]


def make_plan(solutions: Sequence[Sequence[int]], owners: Sequence[int]) -> TreePlan:
    """`solutions` are prefix symbol ids, `owners` the row of each solution's problem in the batch."""
    forest = _Forest(solutions, owners)
    leaves, merges, place = _subtrees(forest)
    nodes, levels = _levels(forest, place)
    return TreePlan(
        leaf_owners=torch.from_numpy(forest.owner[leaves]),
        leaf_symbols=torch.from_numpy(forest.symbol[leaves] - OPERATOR_COUNT),
        merges=tuple(merges),
        levels=tuple(levels),
        owners=torch.from_numpy(forest.owner[nodes]),
        symbols=torch.from_numpy(forest.symbol[nodes]),
        solutions=torch.from_numpy(forest.solution[nodes]),
        count=len(solutions),
    )


def _subtrees(forest: _Forest) -> tuple[Ids, list[Merge], Ids]:
    """The subtrees that some goal will see, by height, and the place of each node's subtree among them."""
    place = np.full(len(forest.symbol), -1, dtype=np.int64)
    inside = np.flatnonzero(forest.in_left)
    leaves = inside[forest.height[inside] == 0]
    place[leaves] = np.arange(len(leaves))
    count = len(leaves)
    merges = []
    for height in range(1, int(forest.height[inside].max(initial=0)) + 1):
        chosen = inside[forest.height[inside] == height]
        place[chosen] = count + np.arange(len(chosen))
        count += len(chosen)
        merges.append(
            Merge(
                operators=torch.from_numpy(forest.symbol[chosen]),
                left=torch.from_numpy(place[forest.left[chosen]]),
                right=torch.from_numpy(place[forest.right[chosen]]),
            )
        )
    return leaves, merges, place


def _levels(forest: _Forest, place: Ids) -> tuple[Ids, list[Level]]:
    nodes = np.flatnonzero(forest.depth == 0)
    every, levels = [], []
    above: Ids = np.empty(0, dtype=np.int64)
    while len(nodes):
        operators = np.flatnonzero(forest.symbol[nodes] < OPERATOR_COUNT)
        levels.append(
            Level(
                owners=torch.from_numpy(forest.owner[nodes]),
                left_subtrees=torch.from_numpy(place[forest.left[above]]),
                operators=torch.from_numpy(operators),
                operator_ids=torch.from_numpy(forest.symbol[nodes[operators]]),
            )
        )
        every.append(nodes)
        above = nodes[operators]
        nodes = np.concatenate((forest.left[above], forest.right[above]))
    return np.concatenate(every), levels
