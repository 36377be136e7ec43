"""Index structures that let a tree decoder work on a whole batch of solutions level by level.

Under teacher forcing the subtree vectors do not depend on goals, so all of them are computed bottom-up, one step a
height; then all goals top-down, one step a depth. Nodes are numbered depth by depth; within a depth the left children
come first, in the order of the operators above them, then the right children in the same order.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from mwp.solvers.forest import Forest, Ids, Subtrees, plan_subtrees
from mwp.solvers.symbols import OPERATOR_COUNT


@dataclass(frozen=True)
class Level:
    """The nodes of one depth: half of them left children, half right children (depth 0: roots alone)."""

    owners: Tensor  # (n,) problem of each node
    left_subtrees: Tensor  # (n/2,) subtree of each left child, which its right sibling sees; empty at depth 0
    operators: Tensor  # (o,) which of the n nodes are operators
    operator_ids: Tensor  # (o,)


@dataclass(frozen=True)
class TreePlan:
    subtrees: Subtrees  # those inside left subtrees, which some goal sees
    levels: tuple[Level, ...]
    owners: Tensor  # (M,) problem of each node, all levels
    symbols: Tensor  # (M,) symbol of each node
    solutions: Tensor  # (M,) solution of each node
    places: Tensor  # (M,) place of each node when all solutions are written in prefix, one after the other
    count: int  # S, the number of solutions


def make_plan(solutions: Sequence[Sequence[int]], owners: Sequence[int]) -> TreePlan:
    """`solutions` are prefix symbol ids, `owners` the row of each solution's problem in the batch."""
    forest = Forest(solutions, owners)
    placed = plan_subtrees(forest, np.flatnonzero(forest.in_left))
    nodes, levels = _levels(forest, placed.place)
    return TreePlan(
        subtrees=placed.subtrees,
        levels=tuple(levels),
        owners=torch.from_numpy(forest.owner[nodes]),
        symbols=torch.from_numpy(forest.symbol[nodes]),
        solutions=torch.from_numpy(forest.solution[nodes]),
        places=torch.from_numpy(nodes),
        count=len(solutions),
    )


def _levels(forest: Forest, place: Ids) -> tuple[Ids, list[Level]]:
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
