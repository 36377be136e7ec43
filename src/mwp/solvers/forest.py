"""The trees of a batch of solutions, and their subtrees' vectors bottom-up: one step a height for the whole batch."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from mwp.solvers.symbols import OPERATOR_COUNT

Ids = NDArray[np.int64]

INCOMPLETE = "a solution is not one complete prefix expression"


class Forest:
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

    leaf_owners: Tensor  # the problem of each leaf
    leaf_symbols: Tensor  # and its symbol, counted from the first constant
    merges: tuple[Merge, ...]


@dataclass(frozen=True)
class PlacedSubtrees:
    subtrees: Subtrees
    place: Ids  # of each node of the forest among the subtrees; -1 where it is none of them


def plan_subtrees(forest: Forest, nodes: Ids) -> PlacedSubtrees:
    """The subtrees at the given nodes, among which must be all that they consist of."""
    place = np.full(len(forest.symbol), -1, dtype=np.int64)
    leaves = nodes[forest.height[nodes] == 0]
    place[leaves] = np.arange(len(leaves))
    count = len(leaves)
    merges = []
    for height in range(1, int(forest.height[nodes].max(initial=0)) + 1):
        chosen = nodes[forest.height[nodes] == height]
        place[chosen] = count + np.arange(len(chosen))
        count += len(chosen)
        merges.append(
            Merge(
                operators=torch.from_numpy(forest.symbol[chosen]),
                left=torch.from_numpy(place[forest.left[chosen]]),
                right=torch.from_numpy(place[forest.right[chosen]]),
            )
        )
    subtrees = Subtrees(
        leaf_owners=torch.from_numpy(forest.owner[leaves]),
        leaf_symbols=torch.from_numpy(forest.symbol[leaves] - OPERATOR_COUNT),
        merges=tuple(merges),
    )
    return PlacedSubtrees(subtrees, place)


def subtree_vectors(subtrees: Subtrees, leaves: Tensor, merge: Callable[[Tensor, Tensor, Tensor], Tensor]) -> Tensor:
    """The vectors of all subtrees from those of the leaves (B, C + N, H) by merge(operators, left, right)."""
    found = leaves[subtrees.leaf_owners, subtrees.leaf_symbols]
    for level in subtrees.merges:
        found = torch.cat((found, merge(level.operators, found[level.left], found[level.right])))
    return found
