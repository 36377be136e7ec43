"""A plain S-Aligned, one action at a time on a list of vectors, on the weights of the fast one: what that must equal."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from mwp.data.vocabulary import OPERATOR_COUNT
from mwp.solvers.stack import StackDecoder
from tests.solvers.plain_parts import One, gate, next_state, spoken

END = 0


@dataclass(frozen=True)
class Stack:
    """One solution so far; an action is a symbol and one, or 0 for the end."""

    actions: tuple[int, ...]
    log_prob: Tensor
    state: Tensor
    vectors: tuple[Tensor, ...]
    last: Tensor

    @property
    def ended(self) -> bool:
        return self.actions[-1:] == (END,)


def empty(decoder: StackDecoder, one: One) -> Stack:
    return Stack((), torch.zeros(()), one.problem, (), decoder.empty[0])


def after(decoder: StackDecoder, one: One, stack: Stack, action: int, symbol_log_probs: Tensor, state: Tensor) -> Stack:
    actions, log_prob = (*stack.actions, action), stack.log_prob + symbol_log_probs[action]
    if action == END:
        return Stack(actions, log_prob, state, stack.vectors, stack.last)
    symbol = action - 1
    if symbol >= OPERATOR_COUNT:
        leaf = one.leaves(decoder)[symbol - OPERATOR_COUNT]
        return Stack(actions, log_prob, state, (*stack.vectors, leaf), leaf)
    operator = decoder.operator_vectors.weight[symbol]
    *frozen_layers, left, right = stack.vectors
    (applied,) = gate(decoder.merge, operator, left, right)
    return Stack(actions, log_prob, state, (*frozen_layers, applied), operator)


def step(decoder: StackDecoder, one: One, stack: Stack) -> tuple[Tensor, Tensor]:
    """The state after what the stack shows, and the log-probability of each action."""
    second, top = (decoder.empty[0], decoder.empty[0], *stack.vectors)[-2:]
    state = next_state(decoder.writer, torch.cat((second, top, stack.last)), stack.state)
    output = spoken(decoder.writer, state, one)
    scores = list(decoder.action_score(output))
    never = output.new_tensor(-math.inf)
    if len(stack.vectors) != 1:
        scores[0] = never
    if len(stack.vectors) < 2:
        scores[1:] = [never] * OPERATOR_COUNT
    leaves = [decoder.pointer(output) @ decoder.leaf_vector(leaf) for leaf in one.leaves(decoder)]
    return state, torch.log_softmax(torch.stack(scores + leaves), 0)


def postfix(solution: Sequence[int]) -> list[int]:
    symbols = iter(solution)

    def read() -> list[int]:
        symbol = next(symbols)
        return [symbol] if symbol >= OPERATOR_COUNT else [*read(), *read(), symbol]

    return read()


def log_prob(decoder: StackDecoder, one: One, solution: Sequence[int]) -> Tensor:
    stack = empty(decoder, one)
    for action in [*(symbol + 1 for symbol in postfix(solution)), END]:
        state, symbol_log_probs = step(decoder, one, stack)
        stack = after(decoder, one, stack, action, symbol_log_probs, state)
    return stack.log_prob


def beams(decoder: StackDecoder, one: One, k: int) -> list[tuple[tuple[int, ...], float]]:
    alive = [empty(decoder, one)]
    while not all(stack.ended for stack in alive):
        grown: list[Stack] = []
        for stack in alive:
            grown += [stack] if stack.ended else continuations(decoder, one, stack)
        alive = sorted(grown, key=lambda stack: -stack.log_prob.item())[:k]
    return [(stack.actions, stack.log_prob.item()) for stack in alive]


def continuations(decoder: StackDecoder, one: One, stack: Stack) -> list[Stack]:
    state, symbol_log_probs = step(decoder, one, stack)
    pushes = sum(action > OPERATOR_COUNT for action in stack.actions)
    allowed = [
        action
        for action, log_prob in enumerate(symbol_log_probs.tolist())
        if log_prob > -math.inf and (action <= OPERATOR_COUNT or pushes <= decoder.max_operators)
    ]
    return [after(decoder, one, stack, action, symbol_log_probs, state) for action in allowed]
