"""What decoders that write step by step share: the layout of all steps of a batch, a GRU, and Luong's attention.

Attention comes after the GRU and feeds nothing back, so that under teacher forcing all steps of a batch are one call
of each.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import PackedSequence

from mwp.solvers.base import Encoding
from mwp.solvers.layers import Dropout, tanh
from mwp.solvers.trees import Ids


@dataclass(frozen=True)
class Steps:
    """The M steps of S solutions, packed: the first steps of all, longest solution first, then the second steps of
    those that have one, and so on."""

    active: tuple[int, ...]  # how many solutions have a first, a second, ... step
    starts: Tensor  # (S,) problem of each solution, longest solution first
    problem_index: Tensor  # (M,) problem of each step
    solutions: Tensor  # (M,) solution of each step
    positions: Tensor  # (M,) index of each step when every problem has Q steps
    width: int  # Q, the most steps that the solutions of one problem have together
    count: int  # S

    def by_problem(self, values: Tensor, problems: int) -> Tensor:
        """(M, H) to (B, Q, H), with zeros where a problem has fewer steps."""
        spread = values.new_zeros(problems * self.width, values.shape[-1]).index_copy(0, self.positions, values)
        return spread.view(problems, self.width, -1)

    def packed(self, values: Tensor) -> Tensor:
        """(B, Q, H) back to (M, H)."""
        return values.flatten(0, 1)[self.positions]

    def totals(self, symbol_log_probs: Tensor, symbols: Tensor) -> Tensor:
        """(S,) the log-probability of each solution from that of all symbols (M, V) and the right ones (M,)."""
        chosen = symbol_log_probs.gather(1, symbols[:, None]).squeeze(1)
        return chosen.new_zeros(self.count).index_add(0, self.solutions, chosen)


@dataclass(frozen=True)
class Packing:
    steps: Steps
    order: Ids  # (M,) the packed steps as indices into all solutions' steps, one solution after the other

    def packed(self, values: Sequence[int] | Ids) -> Tensor:
        return torch.from_numpy(np.asarray(values, dtype=np.int64)[self.order])


def pack_steps(lengths: Sequence[int], problem_index: Sequence[int]) -> Packing:
    """`lengths` are the numbers of steps of the solutions, `problem_index` the rows of their problems in the batch."""
    length, rows = np.asarray(lengths, dtype=np.int64), np.asarray(problem_index, dtype=np.int64)
    longest_first = np.argsort(-length, kind="stable")
    solution = np.repeat(np.arange(len(length)), length)
    step = np.arange(len(solution)) - np.repeat(np.cumsum(length) - length, length)
    order = np.lexsort((np.argsort(longest_first)[solution], step))
    row_of_step = rows[solution[order]]
    sizes = np.bincount(row_of_step)
    steps = Steps(
        active=tuple(np.bincount(step).tolist()),
        starts=torch.from_numpy(rows[longest_first]),
        problem_index=torch.from_numpy(row_of_step),
        solutions=torch.from_numpy(solution[order]),
        positions=torch.from_numpy(row_of_step * sizes.max() + _rank_within(row_of_step, sizes)),
        width=int(sizes.max()),
        count=len(length),
    )
    return Packing(steps, order)


def _rank_within(group: Ids, sizes: Ids) -> Ids:
    """For each element how many before it are of the same group."""
    rank = np.empty_like(group)
    rank[np.argsort(group, kind="stable")] = np.arange(len(group)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return rank


class StepDecoder(nn.Module):
    """Starts from the problem vector; its output at a step is tanh(W[state; context])."""

    def __init__(self, inputs: int, hidden: int, dropout: float) -> None:
        super().__init__()
        self.gru = nn.GRU(inputs, hidden)
        self.attend = nn.Linear(hidden, hidden, bias=False)
        self.combine = nn.Linear(2 * hidden, hidden)
        self.dropout = Dropout(dropout)

    def forward(self, inputs: Tensor, encoding: Encoding, steps: Steps) -> Tensor:
        """(M, I), the inputs of all steps, to (M, H)."""
        packed = PackedSequence(self.dropout(inputs), torch.tensor(steps.active))
        states = self.gru(packed, encoding.problem[steps.starts][None].to(inputs.dtype))[0].data
        queries = steps.by_problem(states, len(encoding.problem))
        return self.output(states, steps.packed(self.context(queries, encoding.states, encoding.token_mask)))

    def step(self, inputs: Tensor, states: Tensor) -> Tensor:
        """The states (B, K, H) of hypotheses after one input more (B, K, I)."""
        after: Tensor = self.gru(self.dropout(inputs).flatten(0, 1)[None], states.flatten(0, 1)[None].contiguous())[0]
        return after.view_as(states)

    def context(self, queries: Tensor, tokens: Tensor, mask: Tensor) -> Tensor:
        """Attention of queries (B, Q, H) over the token states (B, T, H) of their problems."""
        energy = torch.bmm(self.attend(queries), tokens.transpose(1, 2))
        share = torch.softmax(energy.masked_fill(~mask[:, None], -torch.inf), dim=-1)
        return share @ tokens

    def output(self, states: Tensor, contexts: Tensor) -> Tensor:
        spoken: Tensor = self.dropout(tanh(self.combine(torch.cat((states, contexts), dim=-1))))
        return spoken
