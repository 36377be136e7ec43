"""DNS, the plain GRU sequence decoder over infix symbols with attention.

A step's softmax is over the symbols that the problem has and that may follow in any infix text, in beam search too.
Needless brackets and too many operators are masked in beam search after the softmax.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np
import torch
from torch import Tensor, nn

from mwp.data.vocabulary import FIRST_NUMBER, MAX_NUMBERS, OPERATOR_COUNT
from mwp.solvers.base import Beams, Encoding
from mwp.solvers.beam import BatchedState, BeamSearch, BeamState, best, initial_state
from mwp.solvers.infix import CLOSE, END, INFIX_COUNT, OPEN, InfixGrammar, InfixState, infix_symbols, prefix_tokens
from mwp.solvers.stepwise import StepDecoder, Steps, pack_steps

# The symbol that ends a solution is also what the decoder reads before its first symbol.
START = END


@dataclass(frozen=True)
class SequencePlan:
    steps: Steps
    inputs: Tensor  # (M,) the symbol before each step
    symbols: Tensor  # (M,) the symbol of each step
    expects_operand: Tensor  # (M,)
    inside: Tensor  # (M,) whether a bracket is open


@dataclass
class SequenceState(BeamState):
    states: Tensor  # (B, K, H) states of the GRU
    last: Tensor  # (B, K) symbol
    grammar: InfixState


@dataclass
class SequenceContext(BatchedState):
    tokens: Tensor  # (B, T, H)
    token_mask: Tensor  # (B, T)
    symbol_mask: Tensor  # (B, 1, V)


class SequenceDecoder(nn.Module):
    def __init__(self, hidden: int, dropout: float, max_operators: int) -> None:
        super().__init__()
        self.max_operators = max_operators
        self.grammar = InfixGrammar(max_operators)
        self.vectors = nn.Embedding(INFIX_COUNT, hidden)
        self.writer = StepDecoder(hidden, hidden, dropout)
        self.score = nn.Linear(hidden, INFIX_COUNT)

    def plan(self, solutions: Sequence[Sequence[int]], problem_index: Sequence[int]) -> SequencePlan:
        written = [infix_symbols(solution) for solution in solutions]
        packing = pack_steps([len(symbols) for symbols in written], problem_index)
        symbols = np.fromiter(chain.from_iterable(written), dtype=np.int64)
        # The end closes one solution and starts the next.
        inputs = np.concatenate(([START], symbols[:-1]))
        # Every bracket is closed where a solution ends.
        depth = np.cumsum((inputs == OPEN).astype(np.int64) - (inputs == CLOSE))
        expects_operand = (inputs < OPERATOR_COUNT) | (inputs == OPEN) | (inputs == START)
        return SequencePlan(
            steps=packing.steps,
            inputs=packing.packed(inputs),
            symbols=packing.packed(symbols),
            expects_operand=packing.packed(expects_operand).bool(),
            inside=packing.packed(depth).bool(),
        )

    def read(self, symbols: Sequence[int]) -> tuple[str, ...]:
        return prefix_tokens(symbols)

    def symbol_mask(self, encoding: Encoding) -> Tensor:
        """(B, V): which symbols a problem has; all but some numbers."""
        numbers = nn.functional.pad(encoding.number_mask, (0, MAX_NUMBERS - encoding.number_mask.shape[1]))
        return nn.functional.pad(numbers, (FIRST_NUMBER, INFIX_COUNT - OPEN), value=True)

    def symbol_log_probs(self, output: Tensor, symbol_mask: Tensor, expects_operand: Tensor, inside: Tensor) -> Tensor:
        """Log-probabilities (..., V) of all symbols from the outputs (..., H)."""
        mask = symbol_mask & self.grammar.possible(expects_operand, inside)
        return torch.log_softmax(self.score(output).float().masked_fill(~mask, -torch.inf), dim=-1)

    def log_prob(self, encoding: Encoding, plan: SequencePlan) -> Tensor:
        """(S,) log-probability of each solution."""
        output = self.writer(self.vectors(plan.inputs), encoding, plan.steps)
        mask = self.symbol_mask(encoding)[plan.steps.problem_index]
        return plan.steps.totals(self.symbol_log_probs(output, mask, plan.expects_operand, plan.inside), plan.symbols)

    def search(self, encoding: Encoding, k: int) -> BeamSearch[SequenceState, SequenceContext]:
        start = initial_state(encoding.problem, k, self.grammar.longest)
        state = SequenceState(
            **vars(start),
            states=encoding.problem[:, None].expand(-1, k, -1),
            last=torch.full_like(start.lengths, START),
            grammar=self.grammar.start(*start.lengths.shape),
        )
        mask = self.symbol_mask(encoding)[:, None]
        return BeamSearch(state, SequenceContext(encoding.states, encoding.token_mask, mask), self._expand)

    def beams(self, encoding: Encoding, k: int) -> Beams:
        return self.search(encoding, k).run()

    def _expand(self, memory: SequenceContext, state: SequenceState, step: int) -> SequenceState:
        states = self.writer.step(self.vectors(state.last), state.states)
        output = self.writer.output(states, self.writer.context(states, memory.tokens, memory.token_mask))
        grammar = state.grammar
        symbol_log_probs = self.symbol_log_probs(output, memory.symbol_mask, grammar.expects_operand, grammar.depth > 0)
        choice = best(state, symbol_log_probs.masked_fill(~self.grammar.allowed(grammar), -torch.inf))
        state = replace(state, states=states).chosen(choice)
        state.write(choice.symbols, step)
        state.ended = state.ended | (choice.symbols == END)
        state.last = choice.symbols
        self.grammar.advance(state.grammar, choice.symbols)
        return state
