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
Table = Mapping[str, float]
_OPERATORS: dict[str, Operator] = {operator: operator for operator in OPERATORS}
# The model's tables for some solutions, one for each token; the second argument holds the index of each one's draft.
Tables = Callable[[Sequence[Solution], Sequence[int]], Sequence[tuple[Table, ...]]]


@dataclass(frozen=True, slots=True)
class Draft:
    """A solution in prefix with a table for each token; all tables have the same symbols."""

    tokens: Solution
    tables: tuple[Table, ...]
    numbers: tuple[Fraction, ...]
    answer: Fraction

    @property
    def log_prob(self) -> float:
        return sum(table[token] for table, token in zip(self.tables, self.tokens, strict=True))


@dataclass(frozen=True, slots=True)
class Option:
    """What might stand at a node, and the value that the node would have."""

    token: str
    value: Fraction


class DraftTree:
    """The nodes of a draft by their place in the prefix, where the left child follows its operator."""

    def __init__(self, draft: Draft) -> None:
        symbols, size = draft.tables[0], len(draft.tokens)
        self.tables = draft.tables
        self.tokens = draft.tokens
        self.operators = [_OPERATORS[symbol] for symbol in symbols if symbol in _OPERATORS]
        self.leaves = [
            Option(symbol, _leaf_value(symbol, draft.numbers)) for symbol in symbols if symbol not in _OPERATORS
        ]
        self.right = [0] * size  # place of the right child; 0 for a leaf
        self.parent = [0] * size
        self.values: list[Fraction | None] = [None] * size
        self.losses = [inf] * size  # the least loss of a change in the subtree
        self._link(draft.numbers)

    def _link(self, numbers: tuple[Fraction, ...]) -> None:
        """From the right: an operator takes the two newest finished subtrees."""
        leaves = [option.token for option in self.leaves]
        finished: list[int] = []
        for place in range(len(self.tokens) - 1, -1, -1):
            token = self.tokens[place]
            if token in _OPERATORS:
                self.losses[place] = self._least_loss(place, self.operators)
                self._join(place, finished.pop(), finished.pop())
            else:
                self.losses[place] = self._least_loss(place, leaves)
                self.values[place] = _leaf_value(token, numbers)
            finished.append(place)

    def _join(self, place: int, left: int, right: int) -> None:
        self.right[place] = right
        self.parent[left] = self.parent[right] = place
        self.values[place] = self._apply(place, self.values[left], self.values[right])
        self.losses[place] = min(self.losses[place], self.losses[left], self.losses[right])

    def _least_loss(self, place: int, symbols: Iterable[str]) -> float:
        table, old = self.tables[place], self.tokens[place]
        return table[old] - max((table[symbol] for symbol in symbols if symbol != old), default=-inf)

    def _apply(self, place: int, left: Fraction | None, right: Fraction | None) -> Fraction | None:
        return None if left is None or right is None else apply(self.operator(place), left, right)

    def operator(self, place: int) -> Operator:
        return _OPERATORS[self.tokens[place]]

    def loss(self, place: int, new: str) -> float:
        table = self.tables[place]
        return table[self.tokens[place]] - table[new]

    def options(self, place: int) -> Iterable[Option]:
        """Other leaves for a leaf, other operators for an operator, without those that give no value."""
        old = self.tokens[place]
        if not self.right[place]:
            return (leaf for leaf in self.leaves if leaf.token != old)
        left, right = self.values[place + 1], self.values[self.right[place]]
        if left is None or right is None:
            return ()
        values = ((operator, apply(operator, left, right)) for operator in self.operators if operator != old)
        return (Option(operator, value) for operator, value in values if value is not None)

    def root_value(self, place: int, value: Fraction) -> Fraction | None:
        """The value of the whole if the node at `place` had `value`."""
        found: Fraction | None = value
        while place:
            parent = self.parent[place]
            is_left = place == parent + 1
            left = found if is_left else self.values[parent + 1]
            right = self.values[self.right[parent]] if is_left else found
            place, found = parent, self._apply(parent, left, right)
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


def tables_of(
    decoder: GtsDecoder, encoding: Encoding, solutions: Sequence[Solution], problem_index: Sequence[int]
) -> list[tuple[Table, ...]]:
    """For each solution the tables of its tokens, by one call; `problem_index` are rows of the encoding.

    A table holds the symbols that the problem has. With its first two arguments given this is what a walk asks.
    """
    plan = on_device(
        decoder.plan([symbol_ids(solution) for solution in solutions], problem_index), encoding.states.device
    )
    scores = decoder.tables(encoding, plan)
    rows = iter(torch.empty_like(scores).index_copy(0, plan.places, scores).tolist())
    symbols = [symbol_token(symbol) for symbol in range(scores.shape[1])]
    known = [symbols[: FIRST_NUMBER + count] for count in encoding.number_mask.sum(dim=1).tolist()]
    return [
        tuple(dict(zip(known[problem], next(rows), strict=False)) for _ in solution)
        for solution, problem in zip(solutions, problem_index, strict=True)
    ]


def make_drafts(problems: Sequence[Problem], solutions: Sequence[Solution], tables: Tables) -> list[Draft]:
    """One solution for each problem, in the order of the encoding behind `tables`."""
    found = tables(solutions, range(len(problems)))
    return [
        Draft(solution, each, problem.values, problem.answer)
        for problem, solution, each in zip(problems, solutions, found, strict=True)
    ]
