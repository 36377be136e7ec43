"""A plain GTS, one node at a time, on the weights of the fast one: what that must equal."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from mwp.data.vocabulary import OPERATOR_COUNT
from mwp.solvers.gts import GtsDecoder
from tests.solvers.plain_parts import One, gate


def goal_of(decoder: GtsDecoder, c: Tensor, left: Tensor | None) -> Tensor:
    return gate(decoder.left_goal, c)[0] if left is None else gate(decoder.right_goal, left, c)[0]


def context_of(decoder: GtsDecoder, q: Tensor, one: One) -> Tensor:
    energies = [
        decoder.attend(torch.tanh(decoder.attend_goal(q) + decoder.attend_state(h))).squeeze() for h in one.states
    ]
    shares = torch.softmax(torch.stack(energies), 0)
    return sum(share * h for share, h in zip(shares, one.states, strict=True))


def table_of(decoder: GtsDecoder, q: Tensor, context: Tensor, one: One) -> Tensor:
    features = torch.cat((q, context))
    leaf_scores = [
        decoder.leaf_score(torch.tanh(decoder.leaf_goal(features) + decoder.leaf_vector(leaf))).squeeze()
        for leaf in one.leaves(decoder)
    ]
    return torch.log_softmax(torch.cat((decoder.operator_score(features), torch.stack(leaf_scores))), 0)


def merge_of(decoder: GtsDecoder, operator: int, left: Tensor, right: Tensor) -> Tensor:
    return gate(decoder.merge, decoder.operator_vectors.weight[operator], left, right)[0]


def log_prob(decoder: GtsDecoder, one: One, solution: Sequence[int]) -> Tensor:
    """Recursively: answer the goal, split it, finish the left subtree, then the right one with the left in sight."""
    tokens = iter(solution)

    def expand(c: Tensor, left: Tensor | None) -> tuple[Tensor, Tensor]:
        q = goal_of(decoder, c, left)
        context = context_of(decoder, q, one)
        symbol = next(tokens)
        score = table_of(decoder, q, context, one)[symbol]
        if symbol >= OPERATOR_COUNT:
            return one.leaves(decoder)[symbol - OPERATOR_COUNT], score
        first, second = gate(decoder.split, q, context, decoder.operator_vectors.weight[symbol])
        left_tree, left_score = expand(first, None)
        right_tree, right_score = expand(second, left_tree)
        return merge_of(decoder, symbol, left_tree, right_tree), score + left_score + right_score

    return expand(one.problem, None)[1]


@dataclass(frozen=True)
class Frame:
    operator: int
    goal: Tensor
    left: Tensor | None = None


@dataclass(frozen=True)
class Hypothesis:
    symbols: tuple[int, ...]
    log_prob: float
    goal: Tensor | None
    left: Tensor | None
    entries: tuple[Frame, ...]

    @property
    def open(self) -> int:
        return 0 if self.goal is None else 1 + sum(frame.left is None for frame in self.entries)


def beams(decoder: GtsDecoder, one: One, k: int, exactly: int | None = None) -> list[tuple[tuple[int, ...], float]]:
    """`exactly` so many symbols, or up to the limit."""
    length = exactly or 2 * decoder.max_operators + 1
    alive = [Hypothesis((), 0.0, one.problem, None, ())]
    for step in range(length):
        grown: list[Hypothesis] = []
        for beam in alive:
            grown += (
                [beam]
                if beam.goal is None
                else continuations(decoder, one, beam, length - step - 1, exactly is not None)
            )
        alive = sorted(grown, key=lambda beam: -beam.log_prob)[:k]
        if all(beam.goal is None for beam in alive):
            break
    return [(beam.symbols, beam.log_prob) for beam in alive if beam.log_prob > -math.inf]


def continuations(decoder: GtsDecoder, one: One, beam: Hypothesis, left_after: int, exact: bool) -> list[Hypothesis]:
    assert beam.goal is not None
    q = goal_of(decoder, beam.goal, beam.left)
    context = context_of(decoder, q, one)
    symbol_log_probs = table_of(decoder, q, context, one)
    found = []
    for symbol, log_prob in enumerate(symbol_log_probs.tolist()):
        after = replace(beam, symbols=(*beam.symbols, symbol), log_prob=beam.log_prob + log_prob)
        if symbol < OPERATOR_COUNT:
            if beam.open + 1 <= left_after:
                first, second = gate(decoder.split, q, context, decoder.operator_vectors.weight[symbol])
                found.append(replace(after, goal=first, left=None, entries=(*beam.entries, Frame(symbol, second))))
        elif beam.open > 1 or left_after == 0 or not exact:
            found.append(closed(decoder, after, one.leaves(decoder)[symbol - OPERATOR_COUNT]))
    return found


def closed(decoder: GtsDecoder, beam: Hypothesis, subtree: Tensor) -> Hypothesis:
    entries = list(beam.entries)
    while entries and entries[-1].left is not None:
        frame = entries.pop()
        subtree = merge_of(decoder, frame.operator, frame.left, subtree)
    if not entries:
        return replace(beam, goal=None, left=None, entries=())
    entries[-1] = replace(entries[-1], left=subtree)
    return replace(beam, goal=entries[-1].goal, left=subtree, entries=tuple(entries))
