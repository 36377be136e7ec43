"""S-Aligned, the stack decoder over postfix actions: push an operand by pointer, or apply an operator to the two tops.

What an operator pushes is a learned function of it and of what it takes. A step's softmax is over what the stack
allows, and the end where it holds one vector; beams have the same probabilities. Under teacher forcing the stack does
not depend on the recurrence, so all its vectors are computed first, bottom-up, and then the recurrence is one call.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn

from mwp.solvers.beam import BeamState, Rows, Search, best, blank
from mwp.solvers.forest import subtree_vectors
from mwp.solvers.frames import read_frame, write_frame
from mwp.solvers.gate import Gate
from mwp.solvers.interfaces import Beams, Encoding
from mwp.solvers.leaves import leaf_mask, leaf_vectors
from mwp.solvers.stack_plan import END, FIRST_ACTION, SEEN, StackPlan, make_plan, prefix_tokens
from mwp.solvers.symbols import CONSTANT_COUNT, OPERATOR_COUNT
from mwp.solvers.writer import Writer


@dataclass
class StackState(BeamState):
    states: Tensor  # (B, K, H) of the writer
    last: Tensor  # (B, K, H) vector of the last action's symbol
    stack: Tensor  # (B, K, D, H) two empty vectors at the bottom
    depth: Tensor  # (B, K) vectors on the stack, but for those two


@dataclass
class StackMemory(Rows):
    tokens: Tensor  # (B, T, H)
    token_mask: Tensor  # (B, T)
    leaves: Tensor  # (B, C + N, H)
    leaf_keys: Tensor  # (B, C + N, H)
    leaf_mask: Tensor  # (B, 1, C + N)


class StackDecoder(nn.Module):
    def __init__(self, hidden: int, dropout: float, max_operators: int) -> None:
        super().__init__()
        self.max_operators = max_operators
        self.empty = nn.Parameter(torch.zeros(1, hidden))
        self.operator_vectors = nn.Embedding(OPERATOR_COUNT, hidden)
        self.constant_vectors = nn.Embedding(CONSTANT_COUNT, hidden)
        self.merge = Gate(3 * hidden, hidden, dropout)
        self.writer = Writer(SEEN * hidden, hidden, dropout)
        self.action_score = nn.Linear(hidden, 1 + OPERATOR_COUNT)
        self.pointer = nn.Linear(hidden, hidden)
        self.leaf_vector = nn.Linear(hidden, hidden, bias=False)

    def plan(self, solutions: Sequence[Sequence[int]], owners: Sequence[int]) -> StackPlan:
        return make_plan(solutions, owners)

    def read(self, symbols: Sequence[int]) -> tuple[str, ...]:
        return prefix_tokens(symbols)

    def applied(self, operators: Tensor, left: Tensor, right: Tensor) -> Tensor:
        """The vector that an operator pushes."""
        vector: Tensor = self.merge(self.operator_vectors(operators), left, right)[0]
        return vector

    def table(self, said: Tensor, leaf_scores: Tensor, mask: Tensor, depth: Tensor) -> Tensor:
        """Log-probabilities over [end | operators | constants | numbers] from what the writer says (..., H)."""
        end, operators = self.action_score(said).split((1, OPERATOR_COUNT), dim=-1)
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
        said = self.writer(vectors[plan.seen].flatten(1), encoding, steps)
        pointers = steps.by_problem(self.pointer(said), len(leaves))
        leaf_scores = steps.packed(torch.bmm(pointers, self.leaf_vector(leaves).transpose(1, 2)))
        table = self.table(said, leaf_scores, leaf_mask(encoding)[steps.owners], plan.depth)
        return steps.totals(table, plan.actions)

    def search(self, encoding: Encoding, k: int) -> Search[StackState, StackMemory]:
        # At most one operand more than operators, then the end.
        start = blank(encoding.problem, k, 2 * self.max_operators + 2)
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
        return Search(state, StackMemory(encoding.states, encoding.token_mask, leaves, keys, mask), self._grow)

    def beams(self, encoding: Encoding, k: int) -> Beams:
        return self.search(encoding, k).run()

    def _grow(self, memory: StackMemory, state: StackState, step: int) -> StackState:
        tops = (read_frame(state.stack, state.depth), read_frame(state.stack, state.depth + 1))
        states = self.writer.step(torch.cat((*tops, state.last), dim=-1), state.states)
        said = self.writer.said(states, self.writer.context(states, memory.tokens, memory.token_mask))
        leaf_scores = torch.bmm(self.pointer(said), memory.leaf_keys.transpose(1, 2))
        table = self.table(said, leaf_scores, memory.leaf_mask, state.depth)
        choice = best(state, table.masked_fill(self._barred(table, state), -torch.inf))
        state = replace(state, states=states).chosen(choice)
        state.write(choice.symbols, step)
        self._act(state, choice.symbols, memory.leaves)
        return state

    def _barred(self, table: Tensor, state: StackState) -> Tensor:
        """No push after which more operators would be needed than are allowed."""
        pushed = (state.lengths + state.depth) // 2
        actions = torch.arange(table.shape[-1], device=table.device)
        return (pushed > self.max_operators)[..., None] & (actions >= FIRST_ACTION + OPERATOR_COUNT)

    def _act(self, state: StackState, actions: Tensor, leaves: Tensor) -> None:
        rows = torch.arange(len(actions), device=actions.device)[:, None]
        symbols = actions - FIRST_ACTION
        operators = symbols.clamp(0, OPERATOR_COUNT - 1)
        leaf = leaves[rows, (symbols - OPERATOR_COUNT).clamp(min=0)]
        left, right = read_frame(state.stack, state.depth), read_frame(state.stack, state.depth + 1)
        applies = (symbols < OPERATOR_COUNT)[..., None]
        state.ended = state.ended | (actions == END)
        state.depth = state.depth + torch.where(applies.squeeze(-1), -1, 1)
        pushed = torch.where(applies, self.applied(operators, left, right), leaf)
        write_frame(state.stack, state.depth + 1, pushed, ~state.ended)
        state.last = torch.where(applies, self.operator_vectors(operators), leaf)
