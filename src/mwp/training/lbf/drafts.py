"""Drafts of LBF: solutions as the solver wrote them, the log-probability of every symbol at every node, their trees."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import inf

import torch

from mwp.arith.expressions import OPERATORS, Operator, apply
from mwp.arith.notation import Solution
from mwp.arith.numerals import parse_numeral
from mwp.data.problems import Problem
from mwp.data.vocabulary import FIRST_NUMBER, symbol_ids, symbol_token
from mwp.solvers.base import Encoding
from mwp.solvers.batch import on_device
from mwp.solvers.gts import GtsDecoder

# The log-probability of each symbol that a problem has, at one node; all are finite.
LogProbs = Mapping[str, float]
_OPERATORS: dict[str, Operator] = {operator: operator for operator in OPERATORS}
# The model's tables for some solutions, one for each token; the second argument holds the index of each one's draft.
LogProbsOf = Callable[[Sequence[Solution], Sequence[int]], Sequence[tuple[LogProbs, ...]]]


@dataclass(frozen=True, slots=True)
class Draft:
    """A solution in prefix with a table for each token; all tables have the same symbols."""

    tokens: Solution
    symbol_log_probs: tuple[LogProbs, ...]
    numbers: tuple[Fraction, ...]
    answer: Fraction

    @property
    def log_prob(self) -> float:
        return sum(
            symbol_log_probs[token] for symbol_log_probs, token in zip(self.symbol_log_probs, self.tokens, strict=True)
        )


@dataclass(frozen=True, slots=True)
class Option:
    """A symbol that a node may have instead, and the value that the node would have."""

    token: str
    value: Fraction


class DraftTree:
    """The nodes of a draft by their index in the prefix, where the left child follows its operator."""

    def __init__(self, draft: Draft) -> None:
        symbols, size = draft.symbol_log_probs[0], len(draft.tokens)
        self.symbol_log_probs = draft.symbol_log_probs
        self.tokens = draft.tokens
        self.operators = [_OPERATORS[symbol] for symbol in symbols if symbol in _OPERATORS]
        self.leaves = [
            Option(symbol, _leaf_value(symbol, draft.numbers)) for symbol in symbols if symbol not in _OPERATORS
        ]
        self.right = [0] * size  # index of the right child; 0 for a leaf
        self.parent = [0] * size
        self.values: list[Fraction | None] = [None] * size
        self.losses = [inf] * size  # the least loss of a change in the subtree
        self._link(draft.numbers)

    def _link(self, numbers: tuple[Fraction, ...]) -> None:
        """From the right: an operator takes the two newest finished subtrees."""
        leaves = [option.token for option in self.leaves]
        finished: list[int] = []
        for position in range(len(self.tokens) - 1, -1, -1):
            token = self.tokens[position]
            if token in _OPERATORS:
                self.losses[position] = self._least_loss(position, self.operators)
                self._join(position, finished.pop(), finished.pop())
            else:
                self.losses[position] = self._least_loss(position, leaves)
                self.values[position] = _leaf_value(token, numbers)
            finished.append(position)

    def _join(self, position: int, left: int, right: int) -> None:
        self.right[position] = right
        self.parent[left] = self.parent[right] = position
        self.values[position] = self._apply(position, self.values[left], self.values[right])
        self.losses[position] = min(self.losses[position], self.losses[left], self.losses[right])

    def _least_loss(self, position: int, symbols: Iterable[str]) -> float:
        symbol_log_probs, old = self.symbol_log_probs[position], self.tokens[position]
        return symbol_log_probs[old] - max(
            (symbol_log_probs[symbol] for symbol in symbols if symbol != old), default=-inf
        )

    def _apply(self, position: int, left: Fraction | None, right: Fraction | None) -> Fraction | None:
        return None if left is None or right is None else apply(self.operator(position), left, right)

    def operator(self, position: int) -> Operator:
        return _OPERATORS[self.tokens[position]]

    def loss(self, position: int, new: str) -> float:
        symbol_log_probs = self.symbol_log_probs[position]
        return symbol_log_probs[self.tokens[position]] - symbol_log_probs[new]

    def options(self, position: int) -> Iterable[Option]:
        """Other leaves for a leaf, other operators for an operator, without those that give no value."""
        old = self.tokens[position]
        if not self.right[position]:
            return (leaf for leaf in self.leaves if leaf.token != old)
        left, right = self.values[position + 1], self.values[self.right[position]]
        if left is None or right is None:
            return ()
        values = ((operator, apply(operator, left, right)) for operator in self.operators if operator != old)
        return (Option(operator, value) for operator, value in values if value is not None)

    def root_value(self, position: int, value: Fraction) -> Fraction | None:
        """The value of the whole if the node at `position` had `value`."""
        found: Fraction | None = value
        while position:
            parent = self.parent[position]
            is_left = position == parent + 1
            left = found if is_left else self.values[parent + 1]
            right = self.values[self.right[parent]] if is_left else found
            position, found = parent, self._apply(parent, left, right)
        return found


def same_kind(token: str, symbols: Iterable[str]) -> list[str]:
    """The operators among `symbols` for an operator, the leaves for a leaf."""
    is_operator = token in _OPERATORS
    return [symbol for symbol in symbols if (symbol in _OPERATORS) == is_operator]


def _leaf_value(token: str, numbers: tuple[Fraction, ...]) -> Fraction:
    return numbers[int(token[1:])] if token.startswith("N") else _constant(token)


@cache
def _constant(token: str) -> Fraction:
    return parse_numeral(token)


def log_probs_of(
    decoder: GtsDecoder, encoding: Encoding, solutions: Sequence[Solution], problem_index: Sequence[int]
) -> list[tuple[LogProbs, ...]]:
    """For each solution the tables of its tokens, by one call; `problem_index` are rows of the encoding.

    A table holds the symbols that the problem has. With its first two arguments bound it is what a walk calls.
    """
    plan = on_device(
        decoder.plan([symbol_ids(solution) for solution in solutions], problem_index), encoding.states.device
    )
    scores = decoder.symbol_log_probs(encoding, plan)
    rows = iter(torch.empty_like(scores).index_copy(0, plan.positions, scores).tolist())
    symbols = [symbol_token(symbol) for symbol in range(scores.shape[1])]
    known = [symbols[: FIRST_NUMBER + count] for count in encoding.number_mask.sum(dim=1).tolist()]
    return [
        tuple(dict(zip(known[problem], next(rows), strict=False)) for _ in solution)
        for solution, problem in zip(solutions, problem_index, strict=True)
    ]


def make_drafts(
    problems: Sequence[Problem], solutions: Sequence[Solution], symbol_log_probs: LogProbsOf
) -> list[Draft]:
    """One solution for each problem, in the order of the encoding behind `symbol_log_probs`."""
    found = symbol_log_probs(solutions, range(len(problems)))
    return [
        Draft(solution, each, problem.values, problem.known_answer)
        for problem, solution, each in zip(problems, solutions, found, strict=True)
    ]
