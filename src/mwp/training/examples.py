"""What the discriminator learns from (Solution Augmentation): right solutions and wrong corruptions of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from random import Random
from sys import intern

import torch
from torch import Tensor

from mwp.arith.corruption import corrupt
from mwp.arith.expressions import ONE, PI
from mwp.arith.laws import variants
from mwp.arith.prefix import from_prefix, leaf_token, to_prefix
from mwp.data.problems import Problem
from mwp.solvers.symbols import FIRST_NUMBER, symbol_ids
from mwp.training.buffer import Buffer, Entry, Solution, reaches_answer

PAD = 0
MAX_NUMBERS = 32
# The pad comes first, so a symbol's row is its id + 1; N31 and the numbers after it share the last row.
ROWS = 1 + FIRST_NUMBER + MAX_NUMBERS

_ONE, _PI = leaf_token(ONE), leaf_token(PI)
_TRIES = 5


@dataclass
class Examples:
    """Solutions as symbol ids; `owner` is the index of the problem in the batch, `targets` 1 for right, 0 for wrong.

    `missing` counts the negatives for which no wrong corruption was found.
    """

    symbols: list[list[int]] = field(default_factory=list)
    owner: list[int] = field(default_factory=list)
    targets: list[int] = field(default_factory=list)
    missing: int = 0

    def __len__(self) -> int:
        return len(self.symbols)

    def append(self, solution: Solution, owner: int, target: int) -> None:
        self.symbols.append(symbol_ids(solution))
        self.owner.append(owner)
        self.targets.append(target)


@dataclass(frozen=True)
class ExampleSource:
    """Draws, for each problem, `per_problem` positives and as many corruptions of these.

    What a problem gets depends on the seed, the epoch and the problem, not on the batch that it comes in: a resumed
    run and one split over several processes draw the same.
    """

    problems: Mapping[str, Problem]
    buffer: Buffer
    seed: int
    per_problem: int = 1
    rate: float = 0.1
    cap: int = 50

    def draw(self, keys: Sequence[str], epoch: int, weights: Mapping[str, Sequence[float]] | None = None) -> Examples:
        """`weights`, by key, are those of a buffer's solutions; where it has no ground truth they say which to draw."""
        examples = Examples()
        for owner, key in enumerate(keys):
            rng = Random(f"{self.seed}/{epoch}/{key}")
            for solution in self._positives(key, rng, weights or {}):
                examples.append(solution, owner, target=1)
                wrong = negative(solution, self.problems[key], self.rate, rng)
                if wrong is None:
                    examples.missing += 1
                else:
                    examples.append(wrong, owner, target=0)
        return examples

    def _positives(self, key: str, rng: Random, weights: Mapping[str, Sequence[float]]) -> list[Solution]:
        entries = self.buffer.entries(key)
        right = positives(entries, self.cap)
        count = min(self.per_problem, len(right))
        if key not in weights or not right or is_given(entries):
            return rng.sample(right, count)
        return rng.choices(right, weights[key], k=count)


def is_given(entries: Sequence[Entry]) -> bool:
    """Whether the ground truth may be used: the buffer started with it. `Problem.gold` also serves to measure."""
    return bool(entries) and entries[0].source == "given"


def positives(entries: Sequence[Entry], cap: int) -> Sequence[Solution]:
    """The ground truth and what the four rules make of it, `cap` in all; without one the buffer's own solutions."""
    return _truths(entries[0].solution, cap) if is_given(entries) else [entry.solution for entry in entries]


@cache
def _truths(truth: Solution, cap: int) -> tuple[Solution, ...]:
    """By solution, not by problem: thousands of problems share `* N0 N1`."""
    others = (to_prefix(variant) for variant in variants(from_prefix(truth), cap - 1))
    return truth, *(tuple(map(intern, tokens)) for tokens in others)


def negative(solution: Solution, problem: Problem, rate: float, rng: Random) -> Solution | None:
    """A corruption that misses the answer; None if a few tries all reach it."""
    leaves = _leaves(solution, problem)
    for _ in range(_TRIES):
        corrupted = corrupt(solution, leaves, rate, rng)
        if not reaches_answer(corrupted, problem):
            return corrupted
    return None


def _leaves(solution: Solution, problem: Problem) -> list[str]:
    """The numbers and 1; pi only in a solution that has it, for it is rare and would give a negative away."""
    return [*(f"N{index}" for index in range(len(problem.numbers))), _ONE, *([_PI] if _PI in solution else [])]


@dataclass(frozen=True)
class Padded:
    """Rows of the discriminator's embedding (B, T), PAD after the end, and the true lengths (B,)."""

    tokens: Tensor
    lengths: Tensor


def pad(symbols: Sequence[Sequence[int]]) -> Padded:
    longest = max(map(len, symbols), default=0)
    rows = [[min(symbol + 1, ROWS - 1) for symbol in solution] for solution in symbols]
    padded = [row + [PAD] * (longest - len(row)) for row in rows]
    return Padded(
        tokens=torch.tensor(padded, dtype=torch.long).reshape(len(symbols), longest),
        lengths=torch.tensor([len(row) for row in rows], dtype=torch.long),
    )
