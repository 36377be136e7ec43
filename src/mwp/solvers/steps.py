"""The steps in which a batch of solutions is written, laid out so that a recurrence takes all of them in one call."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from mwp.solvers.forest import Ids


@dataclass(frozen=True)
class Steps:
    """The M steps of S solutions, packed: the first steps of all, longest solution first, then the second steps of
    those that have one, and so on."""

    active: tuple[int, ...]  # how many solutions have a first, a second, ... step
    starts: Tensor  # (S,) problem of each solution, longest solution first
    owners: Tensor  # (M,) problem of each step
    solutions: Tensor  # (M,) solution of each step
    places: Tensor  # (M,) place of each step when every problem has Q places
    width: int  # Q, the most steps that the solutions of one problem have together
    count: int  # S

    def by_problem(self, values: Tensor, problems: int) -> Tensor:
        """(M, H) to (B, Q, H), with zeros where a problem has fewer steps."""
        spread = values.new_zeros(problems * self.width, values.shape[-1]).index_copy(0, self.places, values)
        return spread.view(problems, self.width, -1)

    def packed(self, values: Tensor) -> Tensor:
        """(B, Q, H) back to (M, H)."""
        return values.flatten(0, 1)[self.places]

    def totals(self, table: Tensor, symbols: Tensor) -> Tensor:
        """(S,) the log-probability of each solution from that of all symbols (M, V) and the right ones (M,)."""
        chosen = table.gather(1, symbols[:, None]).squeeze(1)
        return chosen.new_zeros(self.count).index_add(0, self.solutions, chosen)


@dataclass(frozen=True)
class Packing:
    steps: Steps
    order: Ids  # (M,) the packed steps as indices into all solutions' steps, one solution after the other

    def packed(self, values: Sequence[int] | Ids) -> Tensor:
        return torch.from_numpy(np.asarray(values, dtype=np.int64)[self.order])


def pack_steps(lengths: Sequence[int], owners: Sequence[int]) -> Packing:
    """`lengths` are the numbers of steps of the solutions, `owners` the rows of their problems in the batch."""
    length, owner = np.asarray(lengths, dtype=np.int64), np.asarray(owners, dtype=np.int64)
    longest_first = np.argsort(-length, kind="stable")
    solution = np.repeat(np.arange(len(length)), length)
    step = np.arange(len(solution)) - np.repeat(np.cumsum(length) - length, length)
    order = np.lexsort((np.argsort(longest_first)[solution], step))
    owner_of_step = owner[solution[order]]
    sizes = np.bincount(owner_of_step)
    steps = Steps(
        active=tuple(np.bincount(step).tolist()),
        starts=torch.from_numpy(owner[longest_first]),
        owners=torch.from_numpy(owner_of_step),
        solutions=torch.from_numpy(solution[order]),
        places=torch.from_numpy(owner_of_step * sizes.max() + _rank_within(owner_of_step, sizes)),
        width=int(sizes.max()),
        count=len(length),
    )
    return Packing(steps, order)


def _rank_within(group: Ids, sizes: Ids) -> Ids:
    """For each element how many before it are of the same group."""
    rank = np.empty_like(group)
    rank[np.argsort(group, kind="stable")] = np.arange(len(group)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return rank
