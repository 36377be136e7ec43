"""GTS, the goal-driven tree decoder: a goal is answered by a leaf, or split by an operator into two goals."""

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from mwp.solvers.interfaces import Beams, Encoding
from mwp.solvers.symbols import CONSTANT_COUNT, OPERATOR_COUNT
from mwp.solvers.tree_beam import tree_beams
from mwp.solvers.tree_plan import TreePlan, make_plan


class Gate(nn.Module):
    """tanh(Wx) * sigmoid(W'x), the unit of which goals and subtrees are made; several at once side by side."""

    def __init__(self, inputs: int, outputs: int, dropout: float, times: int = 1) -> None:
        super().__init__()
        self.linear = nn.Linear(inputs, 2 * outputs * times)
        self.dropout = nn.Dropout(dropout)
        self.times = times

    def forward(self, *parts: Tensor) -> tuple[Tensor, ...]:
        value, gate = self.linear(self.dropout(torch.cat(parts, dim=-1))).chunk(2, dim=-1)
        return (torch.tanh(value) * torch.sigmoid(gate)).chunk(self.times, dim=-1)


class GtsDecoder(nn.Module):
    def __init__(self, hidden: int, dropout: float, max_operators: int) -> None:
        super().__init__()
        self.hidden = hidden
        self.max_operators = max_operators
        self.operator_vectors = nn.Embedding(OPERATOR_COUNT, hidden)
        self.constant_vectors = nn.Embedding(CONSTANT_COUNT, hidden)
        self.left_goal = Gate(hidden, hidden, dropout)
        self.right_goal = Gate(2 * hidden, hidden, dropout)
        self.split = Gate(3 * hidden, hidden, dropout, times=2)
        self.merge = Gate(3 * hidden, hidden, dropout)
        # Additive attention v.tanh(W_q q + W_h h), split so that W_h h is computed once a problem.
        self.attend_goal = nn.Linear(hidden, hidden)
        self.attend_state = nn.Linear(hidden, hidden, bias=False)
        self.attend = nn.Linear(hidden, 1, bias=False)
        self.operator_score = nn.Linear(2 * hidden, OPERATOR_COUNT)
        self.leaf_goal = nn.Linear(2 * hidden, hidden, bias=False)
        self.leaf_vector = nn.Linear(hidden, hidden, bias=False)
        self.leaf_score = nn.Linear(hidden, 1, bias=False)
        self.dropout = nn.Dropout(dropout)

    def plan(self, solutions: Sequence[Sequence[int]], owners: Sequence[int]) -> TreePlan:
        return make_plan(solutions, owners)

    def leaves(self, encoding: Encoding) -> Tensor:
        """(B, C + N, H): the constants, then the problem's numbers."""
        constants = self.constant_vectors.weight.expand(len(encoding.numbers), -1, -1)
        return torch.cat((constants, encoding.numbers), dim=1)

    def leaf_mask(self, encoding: Encoding) -> Tensor:
        """(B, C + N): which leaves a problem has."""
        constants = encoding.number_mask.new_ones(len(encoding.numbers), CONSTANT_COUNT)
        return torch.cat((constants, encoding.number_mask), dim=1)

    def context(self, goals: Tensor, keys: Tensor, states: Tensor, mask: Tensor) -> Tensor:
        """Attention of goals (..., H) over the token states (..., T, H) of their problems."""
        energy = self.attend(torch.tanh(self.attend_goal(goals)[..., None, :] + keys)).squeeze(-1)
        share = torch.softmax(energy.masked_fill(~mask, -torch.inf), dim=-1)
        return torch.matmul(share[..., None, :], states).squeeze(-2)

    def scores(self, goals: Tensor, contexts: Tensor, leaf_keys: Tensor, leaf_mask: Tensor) -> Tensor:
        """Log-probabilities over [operators | constants | numbers] of goals (..., H); leaf keys (..., C + N, H)."""
        features = self.dropout(torch.cat((goals, contexts), dim=-1))
        leaves = self.leaf_score(torch.tanh(self.leaf_goal(features)[..., None, :] + leaf_keys)).squeeze(-1)
        both = torch.cat((self.operator_score(features), leaves.masked_fill(~leaf_mask, -torch.inf)), dim=-1)
        return torch.log_softmax(both.float(), dim=-1)

    def subtrees(self, leaves: Tensor, plan: TreePlan) -> Tensor:
        """All subtree vectors that some goal sees, bottom-up, one merge a height."""
        found = leaves[plan.leaf_owners, plan.leaf_symbols]
        for merge in plan.merges:
            (merged,) = self.merge(self.operator_vectors(merge.operators), found[merge.left], found[merge.right])
            found = torch.cat((found, merged))
        return found

    def log_prob(self, encoding: Encoding, plan: TreePlan) -> Tensor:
        """(S,) log-probability of each solution."""
        chosen = self.tables(encoding, plan).gather(1, plan.symbols[:, None]).squeeze(1)
        return chosen.new_zeros(plan.count).index_add(0, plan.solutions, chosen)

    def tables(self, encoding: Encoding, plan: TreePlan) -> Tensor:
        """(M, V) log-probabilities of all symbols at each node, in the plan's order of nodes.

        All goals top-down, one step a depth, and one scoring call for all.
        """
        leaves = self.leaves(encoding)
        subtrees = self.subtrees(leaves, plan)
        keys = self.attend_state(encoding.states)
        goals, contexts = [], []
        left = right = encoding.problem[:0]
        for depth, level in enumerate(plan.levels):
            if depth == 0:
                (goal,) = self.left_goal(encoding.problem[level.owners])
            else:
                (first,) = self.left_goal(left)
                (second,) = self.right_goal(subtrees[level.left_subtrees], right)
                goal = torch.cat((first, second))
            context = self.context(
                goal, keys[level.owners], encoding.states[level.owners], encoding.token_mask[level.owners]
            )
            goals.append(goal)
            contexts.append(context)
            left, right = self.split(
                goal[level.operators], context[level.operators], self.operator_vectors(level.operator_ids)
            )
        leaf_keys, mask = self.leaf_vector(self.dropout(leaves)), self.leaf_mask(encoding)
        return self.scores(torch.cat(goals), torch.cat(contexts), leaf_keys[plan.owners], mask[plan.owners])

    def beams(self, encoding: Encoding, k: int) -> Beams:
        return tree_beams(self, encoding, k)
