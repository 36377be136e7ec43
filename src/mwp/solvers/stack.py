"""S-Aligned, the stack decoder over postfix actions: push an operand by pointer, or apply an operator to the two tops.

What an operator pushes is a learned function of it and of what it takes. A step's softmax is over what the stack
allows, and the end where it has one vector, in beam search too. Under teacher forcing the stack does
not depend on the recurrence, so all its vectors are computed first, bottom-up, and then the recurrence is one call.
An action is 0 for the end, or 1 + a symbol: to push a leaf, or to apply an operator.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor, nn

from mwp.data.vocabulary import CONSTANT_COUNT, OPERATOR_COUNT, symbol_token
from mwp.solvers.base import Beams, Encoding, leaf_mask, leaf_vectors
from mwp.solvers.beam import BatchedState, BeamSearch, BeamState, best, initial_state, read_stack, write_stack
from mwp.solvers.layers import Gate
from mwp.solvers.stepwise import StepDecoder, Steps, pack_steps
from mwp.solvers.trees import Forest, Ids, Subtrees, plan_subtrees, subtree_vectors

END = 0
FIRST_ACTION = 1
# What the decoder sees at a step: the two tops of the stack, the upper one last, and the symbol of the last action.
SEEN = 3
# Their indices among the vectors [empty | operators | subtrees].
EMPTY = 0
FIRST_OPERATOR = 1
FIRST_SUBTREE = FIRST_OPERATOR + OPERATOR_COUNT


@dataclass
class StackState(BeamState):
    states: Tensor  # (B, K, H) states of the GRU
    last: Tensor  # (B, K, H) vector of the last action's symbol
    stack: Tensor  # (B, K, D, H) two empty vectors at the bottom
    depth: Tensor  # (B, K) vectors on the stack, but for those two


@dataclass
class StackContext(BatchedState):
    tokens: Tensor  # (B, T, H)
    token_mask: Tensor  # (B, T)
    leaves: Tensor  # (B, C + N, H)
    leaf_keys: Tensor  # (B, C + N, H)
    leaf_mask: Tensor  # (B, 1, C + N)


@dataclass(frozen=True)
class StackPlan:
    steps: Steps
    subtrees: Subtrees  # all of them
    seen: Tensor  # (M, 3) vectors seen at each step
    depth: Tensor  # (M,) vectors on the stack before each step
    actions: Tensor  # (M,)


class StackDecoder(nn.Module):
    def __init__(self, hidden: int, dropout: float, max_operators: int) -> None:
        super().__init__()
        self.max_operators = max_operators
        self.empty = nn.Parameter(torch.zeros(1, hidden))
        self.operator_vectors = nn.Embedding(OPERATOR_COUNT, hidden)
        self.constant_vectors = nn.Embedding(CONSTANT_COUNT, hidden)
        self.merge = Gate(3 * hidden, hidden, dropout)
        self.writer = StepDecoder(SEEN * hidden, hidden, dropout)
        self.action_score = nn.Linear(hidden, 1 + OPERATOR_COUNT)
        self.pointer = nn.Linear(hidden, hidden)
        self.leaf_vector = nn.Linear(hidden, hidden, bias=False)

    def plan(self, solutions: Sequence[Sequence[int]], problem_index: Sequence[int]) -> StackPlan:
        return make_plan(solutions, problem_index)

    def read(self, symbols: Sequence[int]) -> tuple[str, ...]:
        return prefix_tokens(symbols)

    def applied(self, operators: Tensor, left: Tensor, right: Tensor) -> Tensor:
        """The vector that an operator pushes."""
        vector: Tensor = self.merge(self.operator_vectors(operators), left, right)[0]
        return vector

    def symbol_log_probs(self, output: Tensor, leaf_scores: Tensor, mask: Tensor, depth: Tensor) -> Tensor:
        """Log-probabilities over [end | operators | constants | numbers] from the outputs (..., H)."""
        end, operators = self.action_score(output).split((1, OPERATOR_COUNT), dim=-1)
        scores = (
            end.masked_fill((depth != 1)[..., None], -torch.inf),
            operators.masked_fill((depth < 2)[..., None], -torch.inf),
            leaf_scores.masked_fill(~mask, -torch.inf),
        )
        return torch.log_softmax(torch.cat(scores, dim=-1).float(), dim=-1)

    def log_prob(self, encoding: Encoding, plan: StackPlan) -> Tensor:
        """(S,) log-probability of each solution."""
        steps, leaves = plan.steps, leaf_vectors(self.constant_vectors.weight, encoding)
        subtrees = subtree_vectors(plan.subtrees, leaves, self.applied)
        vectors = torch.cat((self.empty, self.operator_vectors.weight, subtrees))
        output = self.writer(vectors[plan.seen].flatten(1), encoding, steps)
        pointers = steps.by_problem(self.pointer(output), len(leaves))
        leaf_scores = steps.packed(torch.bmm(pointers, self.leaf_vector(leaves).transpose(1, 2)))
        symbol_log_probs = self.symbol_log_probs(
            output, leaf_scores, leaf_mask(encoding)[steps.problem_index], plan.depth
        )
        return steps.totals(symbol_log_probs, plan.actions)

    def search(self, encoding: Encoding, k: int) -> BeamSearch[StackState, StackContext]:
        # At most one operand more than operators, then the end.
        start = initial_state(encoding.problem, k, 2 * self.max_operators + 2)
        empty = self.empty.expand(*start.lengths.shape, -1)
        state = StackState(
            **vars(start),
            states=encoding.problem[:, None].expand(-1, k, -1),
            last=empty,
            stack=empty[:, :, None].expand(-1, -1, self.max_operators + 3, -1),
            depth=torch.zeros_like(start.lengths),
        )
        leaves = leaf_vectors(self.constant_vectors.weight, encoding)
        mask = leaf_mask(encoding)[:, None]
        keys = self.leaf_vector(leaves)
        return BeamSearch(state, StackContext(encoding.states, encoding.token_mask, leaves, keys, mask), self._expand)

    def beams(self, encoding: Encoding, k: int) -> Beams:
        return self.search(encoding, k).run()

    def _expand(self, memory: StackContext, state: StackState, step: int) -> StackState:
        tops = (read_stack(state.stack, state.depth), read_stack(state.stack, state.depth + 1))
        states = self.writer.step(torch.cat((*tops, state.last), dim=-1), state.states)
        output = self.writer.output(states, self.writer.context(states, memory.tokens, memory.token_mask))
        leaf_scores = torch.bmm(self.pointer(output), memory.leaf_keys.transpose(1, 2))
        symbol_log_probs = self.symbol_log_probs(output, leaf_scores, memory.leaf_mask, state.depth)
        choice = best(state, symbol_log_probs.masked_fill(self._forbidden_mask(symbol_log_probs, state), -torch.inf))
        state = replace(state, states=states).chosen(choice)
        state.write(choice.symbols, step)
        self._act(state, choice.symbols, memory.leaves)
        return state

    def _forbidden_mask(self, symbol_log_probs: Tensor, state: StackState) -> Tensor:
        """No push after which more operators would be needed than are allowed."""
        pushed = (state.lengths + state.depth) // 2
        actions = torch.arange(symbol_log_probs.shape[-1], device=symbol_log_probs.device)
        return (pushed > self.max_operators)[..., None] & (actions >= FIRST_ACTION + OPERATOR_COUNT)

    def _act(self, state: StackState, actions: Tensor, leaves: Tensor) -> None:
        rows = torch.arange(len(actions), device=actions.device)[:, None]
        symbols = actions - FIRST_ACTION
        operators = symbols.clamp(0, OPERATOR_COUNT - 1)
        leaf = leaves[rows, (symbols - OPERATOR_COUNT).clamp(min=0)]
        left, right = read_stack(state.stack, state.depth), read_stack(state.stack, state.depth + 1)
        applies = (symbols < OPERATOR_COUNT)[..., None]
        state.ended = state.ended | (actions == END)
        state.depth = state.depth + torch.where(applies.squeeze(-1), -1, 1)
        pushed = torch.where(applies, self.applied(operators, left, right), leaf)
        write_stack(state.stack, state.depth + 1, pushed, ~state.ended)
        state.last = torch.where(applies, self.operator_vectors(operators), leaf)


def make_plan(solutions: Sequence[Sequence[int]], problem_index: Sequence[int]) -> StackPlan:
    """`solutions` are prefix symbol ids, `problem_index` the row of each solution's problem in the batch."""
    forest = Forest(solutions, problem_index)
    placed = plan_subtrees(forest, np.arange(len(forest.symbol)))
    written = _Written(forest, placed.position)
    for root in np.flatnonzero(forest.depth == 0).tolist():
        written.add(root)
    packing = pack_steps([len(solution) + 1 for solution in solutions], problem_index)
    return StackPlan(
        steps=packing.steps,
        subtrees=placed.subtrees,
        seen=packing.packed(np.array(written.seen)),
        depth=packing.packed(written.depth),
        actions=packing.packed(written.actions),
    )


class _Written:
    """Solutions action by action, with the vectors seen before each."""

    def __init__(self, forest: Forest, position: Ids) -> None:
        self.symbol, self.left, self.right = forest.symbol.tolist(), forest.left.tolist(), forest.right.tolist()
        self.vector = (FIRST_SUBTREE + position).tolist()
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
