"""The trees of a batch of solutions, and index structures to work on them level by level.

Under teacher forcing the subtree vectors do not depend on goals, so all of them are computed bottom-up, one step a
height; then all goals top-down, one step a depth. Nodes are numbered depth by depth; within a depth the left children
come first, in the order of the operators above them, then the right children in the same order.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from mwp.data.vocabulary import INCOMPLETE, OPERATOR_COUNT

Ids = NDArray[np.int64]


class Forest:
    """All nodes of all solutions, in prefix order, with parent, depth, height and side."""

    def __init__(self, solutions: Sequence[Sequence[int]], problem_index: Sequence[int]) -> None:
        self.symbol = np.array([symbol for solution in solutions for symbol in solution], dtype=np.int64)
        lengths = np.array([len(solution) for solution in solutions])
        self.solution = np.repeat(np.arange(len(solutions)), lengths)
        self.problem_index = np.asarray(problem_index, dtype=np.int64)[self.solution]
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
            if symbol[node] < OPERATOR_COUNT:
                if len(finished) < 2:
                    raise ValueError(INCOMPLETE)
                first, second = finished.pop(), finished.pop()
                left[node], right[node] = first, second
                self.height[node] = 1 + max(self.height[first], self.height[second])
            finished.append(node)
        if len(finished) != len(lengths) or finished[::-1] != (np.cumsum(lengths) - lengths).tolist():
            raise ValueError(INCOMPLETE)
        for node in range(end):
            if left[node] >= 0:
                first, second = left[node], right[node]
                self.depth[first] = self.depth[second] = self.depth[node] + 1
                self.in_left[first] = True
                self.in_left[second] = self.in_left[node]


@dataclass(frozen=True)
class Merge:
    """Subtrees of one height: an operator over two subtrees that stand earlier in the list of subtrees."""

    operators: Tensor
    left: Tensor
    right: Tensor


@dataclass(frozen=True)
class Subtrees:
    """Some subtrees of a forest, in the order of their heights: leaves first."""

    leaf_problem_index: Tensor  # the problem of each leaf
    leaf_symbols: Tensor  # and its symbol, counted from the first constant
    merges: tuple[Merge, ...]


@dataclass(frozen=True)
class PlacedSubtrees:
    subtrees: Subtrees
    position: Ids  # index of each node of the forest among the subtrees; -1 where it is none of them


def plan_subtrees(forest: Forest, nodes: Ids) -> PlacedSubtrees:
    """The subtrees at these nodes; their own subtrees must be among them."""
    position = np.full(len(forest.symbol), -1, dtype=np.int64)
    leaves = nodes[forest.height[nodes] == 0]
    position[leaves] = np.arange(len(leaves))
    count = len(leaves)
    merges = []
    for height in range(1, int(forest.height[nodes].max(initial=0)) + 1):
        chosen = nodes[forest.height[nodes] == height]
        position[chosen] = count + np.arange(len(chosen))
        count += len(chosen)
        merges.append(
            Merge(
                operators=torch.from_numpy(forest.symbol[chosen]),
                left=torch.from_numpy(position[forest.left[chosen]]),
                right=torch.from_numpy(position[forest.right[chosen]]),
            )
        )
    subtrees = Subtrees(
        leaf_problem_index=torch.from_numpy(forest.problem_index[leaves]),
        leaf_symbols=torch.from_numpy(forest.symbol[leaves] - OPERATOR_COUNT),
        merges=tuple(merges),
    )
    return PlacedSubtrees(subtrees, position)


def subtree_vectors(subtrees: Subtrees, leaves: Tensor, merge: Callable[[Tensor, Tensor, Tensor], Tensor]) -> Tensor:
    """The vectors of all subtrees from those of the leaves (B, C + N, H) by merge(operators, left, right)."""
    found = leaves[subtrees.leaf_problem_index, subtrees.leaf_symbols]
    for level in subtrees.merges:
        found = torch.cat((found, merge(level.operators, found[level.left], found[level.right])))
    return found


@dataclass(frozen=True)
class Level:
    """The nodes of one depth: half of them left children, half right children (depth 0: roots alone)."""

    problem_index: Tensor  # (n,) problem of each node
    left_subtrees: Tensor  # (n/2,) subtree of each left child, which its right sibling sees; empty at depth 0
    operators: Tensor  # (o,) which of the n nodes are operators
    operator_ids: Tensor  # (o,)


@dataclass(frozen=True)
class TreePlan:
    subtrees: Subtrees  # those inside left subtrees, which some goal sees
    levels: tuple[Level, ...]
    problem_index: Tensor  # (M,) problem of each node, all levels
    symbols: Tensor  # (M,) symbol of each node
    solutions: Tensor  # (M,) solution of each node
    positions: Tensor  # (M,) index of each node when all solutions are written in prefix, one after the other
    count: int  # S, the number of solutions


def make_plan(solutions: Sequence[Sequence[int]], problem_index: Sequence[int]) -> TreePlan:
    """`solutions` are prefix symbol ids, `problem_index` the row of each solution's problem in the batch."""
    forest = Forest(solutions, problem_index)
    placed = plan_subtrees(forest, np.flatnonzero(forest.in_left))
    nodes, levels = _levels(forest, placed.position)
    return TreePlan(
        subtrees=placed.subtrees,
        levels=tuple(levels),
        problem_index=torch.from_numpy(forest.problem_index[nodes]),
        symbols=torch.from_numpy(forest.symbol[nodes]),
        solutions=torch.from_numpy(forest.solution[nodes]),
        positions=torch.from_numpy(nodes),
        count=len(solutions),
    )


def _levels(forest: Forest, position: Ids) -> tuple[Ids, list[Level]]:
    nodes = np.flatnonzero(forest.depth == 0)
    every, levels = [], []
    parents: Ids = np.empty(0, dtype=np.int64)
    while len(nodes):
        operators = np.flatnonzero(forest.symbol[nodes] < OPERATOR_COUNT)
        levels.append(
            Level(
                problem_index=torch.from_numpy(forest.problem_index[nodes]),
                left_subtrees=torch.from_numpy(position[forest.left[parents]]),
                operators=torch.from_numpy(operators),
                operator_ids=torch.from_numpy(forest.symbol[nodes[operators]]),
            )
        )
        every.append(nodes)
        parents = nodes[operators]
        nodes = np.concatenate((forest.left[parents], forest.right[parents]))
    return np.concatenate(every), levels
