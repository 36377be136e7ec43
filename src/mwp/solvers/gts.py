"""GTS, the goal-driven tree decoder: a goal is answered by a leaf, or split by an operator into two goals."""

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from mwp.solvers.attention import look
from mwp.solvers.beam import Search
from mwp.solvers.dropout import Dropout
from mwp.solvers.forest import subtree_vectors
from mwp.solvers.gate import Gate
from mwp.solvers.interfaces import Beams, Encoding
from mwp.solvers.leaves import leaf_mask, leaf_vectors
from mwp.solvers.symbols import CONSTANT_COUNT, OPERATOR_COUNT, symbol_token
from mwp.solvers.tanh import tanh
from mwp.solvers.tree_beam import Memory, Stacks, tree_search
from mwp.solvers.tree_plan import TreePlan, make_plan


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
        self.dropout = Dropout(dropout)

    def plan(self, solutions: Sequence[Sequence[int]], owners: Sequence[int]) -> TreePlan:
        return make_plan(solutions, owners)

    def read(self, symbols: Sequence[int]) -> tuple[str, ...]:
        return tuple(map(symbol_token, symbols))

    def context(self, goals: Tensor, keys: Tensor, states: Tensor, mask: Tensor, owners: Tensor) -> Tensor:
        """What goals (M, H) find in the token states (B, T, H) of their problems; `keys` are W_h h."""
        return look(self.attend_goal(goals), keys, self.attend.weight[0], states, mask, owners)

    def scores(self, goals: Tensor, contexts: Tensor, leaf_keys: Tensor, leaf_mask: Tensor) -> Tensor:
        """Log-probabilities over [operators | constants | numbers] of goals (..., H); leaf keys (..., C + N, H)."""
        features = self.dropout(torch.cat((goals, contexts), dim=-1))
        leaves = self.leaf_score(tanh(self.leaf_goal(features)[..., None, :] + leaf_keys)).squeeze(-1)
        both = torch.cat((self.operator_score(features), leaves.masked_fill(~leaf_mask, -torch.inf)), dim=-1)
        return torch.log_softmax(both.float(), dim=-1)

    def merged(self, operators: Tensor, left: Tensor, right: Tensor) -> Tensor:
        """The vector of a subtree from those of its two subtrees."""
        vector: Tensor = self.merge(self.operator_vectors(operators), left, right)[0]
        return vector

    def log_prob(self, encoding: Encoding, plan: TreePlan) -> Tensor:
        """(S,) log-probability of each solution."""
        chosen = self.tables(encoding, plan).gather(1, plan.symbols[:, None]).squeeze(1)
        return chosen.new_zeros(plan.count).index_add(0, plan.solutions, chosen)

    def tables(self, encoding: Encoding, plan: TreePlan) -> Tensor:
        """(M, V) log-probabilities of all symbols at each node, in the plan's order of nodes.

        All goals top-down, one step a depth, and one scoring call for all.
        """
        leaves = leaf_vectors(self.constant_vectors.weight, encoding)
        subtrees = subtree_vectors(plan.subtrees, leaves, self.merged)
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
            context = self.context(goal, keys, encoding.states, encoding.token_mask, level.owners)
            goals.append(goal)
            contexts.append(context)
            left, right = self.split(
                goal[level.operators], context[level.operators], self.operator_vectors(level.operator_ids)
            )
        leaf_keys, mask = self.leaf_vector(self.dropout(leaves)), leaf_mask(encoding)
        return self.scores(torch.cat(goals), torch.cat(contexts), leaf_keys[plan.owners], mask[plan.owners])

    def search(self, encoding: Encoding, k: int, lengths: Tensor | None = None) -> Search[Stacks, Memory]:
        return tree_search(self, encoding, k, lengths)

    def beams(self, encoding: Encoding, k: int, lengths: Tensor | None = None) -> Beams:
        """`lengths` (B,): exactly so many symbols, an odd number, for the solutions of each problem."""
        return self.search(encoding, k, lengths).run()
