"""GTS, the goal-driven tree decoder: a goal is answered by a leaf, or split by an operator into two goals.

In beam search a hypothesis' stack holds one entry for each operator whose right subtree is not finished: the operator,
the right goal, and, once it is finished, the left subtree. A grammar mask lets every hypothesis end as a complete
expression within the length limit, or of exactly the length that is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import torch
from torch import Tensor, nn

from mwp.data.vocabulary import CONSTANT_COUNT, OPERATOR_COUNT, symbol_token
from mwp.solvers.base import Beams, Encoding, leaf_mask, leaf_vectors
from mwp.solvers.beam import (
    BatchedState,
    BeamSearch,
    BeamState,
    best,
    compute_where,
    initial_state,
    read_stack,
    write_stack,
)
from mwp.solvers.layers import Dropout, Gate, additive_attention, tanh
from mwp.solvers.trees import TreePlan, make_plan, subtree_vectors


@dataclass
class TreeContext(BatchedState):
    """What the hypotheses of B problems attend to, computed once."""

    keys: Tensor  # (B, T, H) token states as attention sees them
    states: Tensor  # (B, T, H)
    mask: Tensor  # (B, T)
    leaves: Tensor  # (B, C + N, H)
    leaf_keys: Tensor  # (B, C + N, H)
    leaf_mask: Tensor  # (B, C + N)
    min_length: Tensor  # (B, 1) symbols of a solution, at least
    max_length: Tensor  # (B, 1) and at most


@dataclass
class Stacks(BeamState):
    """The state of B x K hypotheses; D is the deepest stack."""

    goal: Tensor  # (B, K, H) what is to be answered now, before the left subtree is seen
    left: Tensor  # (B, K, H) the finished left sibling, where has_left
    has_left: Tensor  # (B, K)
    stack_goal: Tensor  # (B, K, D, H)
    stack_left: Tensor  # (B, K, D, H)
    stack_operator: Tensor  # (B, K, D)
    stack_filled: Tensor  # (B, K, D) True once the left subtree is finished
    depth: Tensor  # (B, K) entries in use
    open: Tensor  # (B, K) goals that are still to be answered


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

    def plan(self, solutions: Sequence[Sequence[int]], problem_index: Sequence[int]) -> TreePlan:
        return make_plan(solutions, problem_index)

    def read(self, symbols: Sequence[int]) -> tuple[str, ...]:
        return tuple(map(symbol_token, symbols))

    def context(self, goals: Tensor, keys: Tensor, states: Tensor, mask: Tensor, problem_index: Tensor) -> Tensor:
        """Attention of goals (M, H) over the token states (B, T, H) of their problems; `keys` are W_h h."""
        return additive_attention(self.attend_goal(goals), keys, self.attend.weight[0], states, mask, problem_index)

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
        chosen = self.symbol_log_probs(encoding, plan).gather(1, plan.symbols[:, None]).squeeze(1)
        return chosen.new_zeros(plan.count).index_add(0, plan.solutions, chosen)

    def symbol_log_probs(self, encoding: Encoding, plan: TreePlan) -> Tensor:
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
                (goal,) = self.left_goal(encoding.problem[level.problem_index])
            else:
                (first,) = self.left_goal(left)
                (second,) = self.right_goal(subtrees[level.left_subtrees], right)
                goal = torch.cat((first, second))
            context = self.context(goal, keys, encoding.states, encoding.token_mask, level.problem_index)
            goals.append(goal)
            contexts.append(context)
            left, right = self.split(
                goal[level.operators], context[level.operators], self.operator_vectors(level.operator_ids)
            )
        leaf_keys, mask = self.leaf_vector(self.dropout(leaves)), leaf_mask(encoding)
        return self.scores(
            torch.cat(goals), torch.cat(contexts), leaf_keys[plan.problem_index], mask[plan.problem_index]
        )

    def search(self, encoding: Encoding, k: int, lengths: Tensor | None = None) -> BeamSearch[Stacks, TreeContext]:
        return tree_search(self, encoding, k, lengths)

    def beams(self, encoding: Encoding, k: int, lengths: Tensor | None = None) -> Beams:
        """`lengths` (B,): exactly so many symbols, an odd number, for the solutions of each problem."""
        return self.search(encoding, k, lengths).run()


def _start(problem: Tensor, k: int, length: int) -> Stacks:
    batch, hidden = problem.shape
    depth = max(1, length // 2)
    whole = problem.new_zeros(batch, k, dtype=torch.long)
    return Stacks(
        **vars(initial_state(problem, k, length)),
        goal=problem[:, None].expand(-1, k, -1),
        left=problem.new_zeros(batch, k, hidden),
        has_left=torch.zeros_like(whole, dtype=torch.bool),
        stack_goal=problem.new_zeros(batch, k, depth, hidden),
        stack_left=problem.new_zeros(batch, k, depth, hidden),
        stack_operator=whole[..., None].expand(-1, -1, depth).clone(),
        stack_filled=problem.new_zeros(batch, k, depth, dtype=torch.bool),
        depth=whole,
        open=whole + 1,
    )


def _remember(decoder: GtsDecoder, encoding: Encoding, min_length: Tensor, max_length: Tensor) -> TreeContext:
    leaves = leaf_vectors(decoder.constant_vectors.weight, encoding)
    return TreeContext(
        keys=decoder.attend_state(encoding.states),
        states=encoding.states,
        mask=encoding.token_mask,
        leaves=leaves,
        leaf_keys=decoder.leaf_vector(leaves),
        leaf_mask=leaf_mask(encoding),
        min_length=min_length[:, None],
        max_length=max_length[:, None],
    )


def tree_search(
    decoder: GtsDecoder, encoding: Encoding, k: int, lengths: Tensor | None = None
) -> BeamSearch[Stacks, TreeContext]:
    """With `lengths` (B,) every solution of a problem has exactly so many symbols, however many operators that is."""
    limit = 2 * decoder.max_operators + 1
    min_length = max_length = torch.full((len(encoding.problem),), limit, device=encoding.problem.device)
    if lengths is None:
        min_length = torch.ones_like(max_length)
    else:
        if bool(((lengths < 1) | (lengths % 2 == 0)).any()):
            raise ValueError(f"a complete expression has an odd number of symbols, not {lengths.tolist()}")
        limit = int(lengths.max())
        min_length = max_length = lengths.to(max_length)
    memory = _remember(decoder, encoding, min_length, max_length)
    return BeamSearch(_start(encoding.problem, k, limit), memory, partial(_expand, decoder))


def _expand(decoder: GtsDecoder, memory: TreeContext, state: Stacks, step: int) -> Stacks:
    """One symbol more for every hypothesis that has not ended."""
    active = ~state.ended & (state.log_probs > -torch.inf)
    (plain,) = compute_where(active & ~state.has_left, decoder.left_goal, state.goal)
    (seeing,) = compute_where(active & state.has_left, decoder.right_goal, state.left, state.goal)
    goal = torch.where(state.has_left[..., None], seeing, plain)
    problem_index = torch.arange(len(goal), device=goal.device)[:, None].expand(goal.shape[:2])
    context, symbol_log_probs = compute_where(active, partial(_attend, decoder, memory), goal, problem_index)
    choice = best(
        state, symbol_log_probs.masked_fill(_forbidden_mask(symbol_log_probs, memory, state, step + 1), -torch.inf)
    )
    state = state.chosen(choice)
    _advance(decoder, state, choice.of(goal), choice.of(context), choice.symbols, memory.leaves, step)
    return state


def _attend(decoder: GtsDecoder, memory: TreeContext, goals: Tensor, problem_index: Tensor) -> tuple[Tensor, Tensor]:
    """The contexts of goals (M, H) in their problems, and the log-probabilities of all symbols."""
    contexts = decoder.context(goals, memory.keys, memory.states, memory.mask, problem_index)
    leaf_keys, leaf_mask = (values.index_select(0, problem_index) for values in (memory.leaf_keys, memory.leaf_mask))
    return contexts, decoder.scores(goals, contexts, leaf_keys, leaf_mask)


def _forbidden_mask(symbol_log_probs: Tensor, memory: TreeContext, state: Stacks, written: int) -> Tensor:
    """No operator whose goals could not all be answered in what is left, no last leaf before the end."""
    no_operator = state.open + 1 > memory.max_length - written
    no_leaf = (state.open == 1) & (written < memory.min_length)
    leaves = symbol_log_probs.shape[-1] - OPERATOR_COUNT
    return torch.cat(
        (
            no_operator[..., None].expand(-1, -1, OPERATOR_COUNT),
            no_leaf[..., None].expand(-1, -1, leaves),
        ),
        dim=-1,
    )


def _advance(
    decoder: GtsDecoder, state: Stacks, goal: Tensor, context: Tensor, symbols: Tensor, leaves: Tensor, step: int
) -> None:
    is_operator = ~state.ended & (symbols < OPERATOR_COUNT)
    is_leaf = ~state.ended & ~is_operator
    state.write(symbols, step)
    state.open = state.open + is_operator.long() - is_leaf.long()
    state.ended = state.open == 0
    _push(decoder, state, goal, context, symbols, is_operator)
    _finish(decoder, state, symbols, leaves, is_leaf, step)


def _push(decoder: GtsDecoder, state: Stacks, goal: Tensor, context: Tensor, symbols: Tensor, where: Tensor) -> None:
    """An operator pushes an entry with its right goal; its left goal is next."""
    operator = symbols.clamp(max=OPERATOR_COUNT - 1)
    left, right = compute_where(where, decoder.split, goal, context, decoder.operator_vectors(operator))
    write_stack(state.stack_goal, state.depth, right, where)
    write_stack(state.stack_operator, state.depth, operator, where)
    write_stack(state.stack_filled, state.depth, torch.zeros_like(where), where)
    state.depth = state.depth + where.long()
    state.goal = torch.where(where[..., None], left, state.goal)
    state.has_left = state.has_left & ~where


def _finish(decoder: GtsDecoder, state: Stacks, symbols: Tensor, leaves: Tensor, where: Tensor, step: int) -> None:
    """A leaf ends a subtree, and with it every entry whose left subtree was finished; the next right goal sees it."""
    rows = torch.arange(len(symbols), device=symbols.device)[:, None]
    subtree = leaves[rows, (symbols - OPERATOR_COUNT).clamp(min=0)]
    closing = where
    for _ in range(min(state.stack_operator.shape[-1], (step + 1) // 2)):
        top = state.depth - 1
        closing = closing & (top >= 0) & read_stack(state.stack_filled, top)
        if closing.device.type == "cpu" and not closing.any():
            break
        operator = decoder.operator_vectors(read_stack(state.stack_operator, top))
        (merged,) = compute_where(closing, decoder.merge, operator, read_stack(state.stack_left, top), subtree)
        subtree = torch.where(closing[..., None], merged, subtree)
        state.depth = state.depth - closing.long()
    top = state.depth - 1
    waiting = where & (top >= 0)
    write_stack(state.stack_left, top, subtree, waiting)
    write_stack(state.stack_filled, top, torch.ones_like(waiting), waiting)
    state.goal = torch.where(waiting[..., None], read_stack(state.stack_goal, top), state.goal)
    state.left = torch.where(waiting[..., None], subtree, state.left)
    state.has_left = state.has_left | waiting
