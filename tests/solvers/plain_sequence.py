"""A plain DNS, one step at a time, on the weights of the fast one: what that must equal.

Its grammar is a list of all that the printer prints: a beginning may be written if some tree's text begins so.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product

import torch
from torch import Tensor

from mwp.arith.expressions import OPERATORS, Expression, Operation, Quantity
from mwp.arith.notation import from_prefix, to_infix
from mwp.data.vocabulary import FIRST_NUMBER, OPERATOR_COUNT, symbol_id, symbol_token
from mwp.solvers.infix import CLOSE, END, INFIX_COUNT, OPEN
from mwp.solvers.sequence import SequenceDecoder
from tests.solvers.plain_parts import One, next_state, spoken

# Operators of equal strength are written alike, and so are all operands.
LOOKS = {OPEN: "(", CLOSE: ")", END: ".", **dict(enumerate("++**^"))}


@cache
def trees(operators: int) -> list[Expression]:
    if operators == 0:
        return [Quantity(0)]
    return [
        Operation(operator, left, right)
        for before in range(operators)
        for operator, left, right in product("+*^", trees(before), trees(operators - 1 - before))
    ]


@cache
def beginnings(max_operators: int) -> set[str]:
    texts = [to_infix(tree, "x") + "." for operators in range(max_operators + 1) for tree in trees(operators)]
    return {text[:length] for text in texts for length in range(len(text) + 1)}


def additive_attention(symbols: Sequence[int]) -> str:
    return "".join(LOOKS.get(symbol, "x") for symbol in symbols)


def infix(solution: Sequence[int]) -> list[int]:
    """By the printer of arith, whose brackets and operators are single letters."""
    text = to_infix(from_prefix([symbol_token(symbol) for symbol in solution]))
    for letter in (*OPERATORS, "(", ")"):
        text = text.replace(letter, f" {letter} ")
    brackets = {"(": OPEN, ")": CLOSE}
    return [brackets[token] if token in brackets else symbol_id(token) for token in text.split()] + [END]


def possible(symbols: Sequence[int], one: One) -> list[int]:
    """What may follow in any text over the problem's symbols."""
    operands = [*range(OPERATOR_COUNT, FIRST_NUMBER + len(one.numbers))]
    if not symbols or symbols[-1] < OPERATOR_COUNT or symbols[-1] == OPEN:
        return [*operands, OPEN]
    return [*range(OPERATOR_COUNT), CLOSE if symbols.count(OPEN) > symbols.count(CLOSE) else END]


def step(decoder: SequenceDecoder, one: One, state: Tensor, symbols: Sequence[int]) -> tuple[Tensor, Tensor]:
    """The state after the symbols so far, and the log-probability of each symbol as the next one."""
    state = next_state(decoder.writer, decoder.vectors.weight[symbols[-1] if symbols else END], state)
    logits = decoder.score(spoken(decoder.writer, state, one))
    progress_for = possible(symbols, one)
    scores = [
        logits[symbol] if symbol in progress_for else logits.new_tensor(-math.inf) for symbol in range(INFIX_COUNT)
    ]
    return state, torch.log_softmax(torch.stack(scores), 0)


def log_prob(decoder: SequenceDecoder, one: One, solution: Sequence[int]) -> Tensor:
    state, total = one.problem, one.problem.new_zeros(())
    symbols = infix(solution)
    for position, symbol in enumerate(symbols):
        state, symbol_log_probs = step(decoder, one, state, symbols[:position])
        total = total + symbol_log_probs[symbol]
    return total


@dataclass(frozen=True)
class Hypothesis:
    symbols: tuple[int, ...]
    log_prob: float
    state: Tensor

    @property
    def ended(self) -> bool:
        return self.symbols[-1:] == (END,)


def beams(decoder: SequenceDecoder, one: One, k: int) -> list[tuple[tuple[int, ...], float]]:
    alive = [Hypothesis((), 0.0, one.problem)]
    while not all(beam.ended for beam in alive):
        grown: list[Hypothesis] = []
        for beam in alive:
            grown += [beam] if beam.ended else continuations(decoder, one, beam)
        alive = sorted(grown, key=lambda beam: -beam.log_prob)[:k]
    return [(beam.symbols, beam.log_prob) for beam in alive]


def continuations(decoder: SequenceDecoder, one: One, beam: Hypothesis) -> list[Hypothesis]:
    state, symbol_log_probs = step(decoder, one, beam.state, beam.symbols)
    scores = symbol_log_probs.tolist()
    return [
        Hypothesis((*beam.symbols, symbol), beam.log_prob + scores[symbol], state)
        for symbol in possible(beam.symbols, one)
        if additive_attention((*beam.symbols, symbol)) in beginnings(decoder.max_operators)
    ]
