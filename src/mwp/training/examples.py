"""The discriminator's examples (Eq. 4, Solution Augmentation): right solutions and wrong corruptions of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from random import Random
from sys import intern

from mwp.arith.augmentation import corrupt, variants
from mwp.arith.expressions import ONE, PI
from mwp.arith.notation import Solution, from_prefix, leaf_token, to_prefix
from mwp.data.problems import Problem
from mwp.data.soundness import gives_answer
from mwp.data.vocabulary import symbol_ids
from mwp.training.buffer import BufferEntry, SolutionBuffer

_ONE, _PI = leaf_token(ONE), leaf_token(PI)
_TRIES = 5


@dataclass
class Examples:
    """Solutions as symbol ids; `problem_index` is each one's row in the batch, `targets` 1 for right, 0 for wrong.

    `missing` counts the negatives for which no wrong corruption was found.
    """

    symbols: list[list[int]] = field(default_factory=list)
    problem_index: list[int] = field(default_factory=list)
    targets: list[int] = field(default_factory=list)
    missing: int = 0

    def __len__(self) -> int:
        return len(self.symbols)

    def append(self, solution: Solution, problem_index: int, target: int) -> None:
        self.symbols.append(symbol_ids(solution))
        self.problem_index.append(problem_index)
        self.targets.append(target)


@dataclass(frozen=True)
class ExampleSampler:
    """Draws, for each problem, `per_problem` positives and as many corruptions of these.

    The examples of a problem depend on the seed, the epoch and the problem, not on its batch: a resumed
    run and one split over several processes draw the same.
    """

    problems: Mapping[str, Problem]
    buffer: SolutionBuffer
    seed: int
    per_problem: int = 1
    corruption_rate: float = 0.1
    max_positives: int = 50

    def draw(self, keys: Sequence[str], epoch: int, weights: Mapping[str, Sequence[float]] | None = None) -> Examples:
        """`weights`, by key, are those of a buffer's solutions; where it has no ground truth they say which to draw."""
        examples = Examples()
        for problem_index, key in enumerate(keys):
            rng = Random(f"{self.seed}/{epoch}/{key}")
            for solution in self._positives(key, rng, weights or {}):
                examples.append(solution, problem_index, target=1)
                wrong = negative(solution, self.problems[key], self.corruption_rate, rng)
                if wrong is None:
                    examples.missing += 1
                else:
                    examples.append(wrong, problem_index, target=0)
        return examples

    def _positives(self, key: str, rng: Random, weights: Mapping[str, Sequence[float]]) -> list[Solution]:
        entries = self.buffer.entries(key)
        right = positives(entries, self.max_positives)
        count = min(self.per_problem, len(right))
        if key not in weights or not right or starts_with_gold(entries):
            return rng.sample(right, count)
        return rng.choices(right, weights[key], k=count)


def starts_with_gold(entries: Sequence[BufferEntry]) -> bool:
    """Whether the ground truth may be used: the buffer started with it. `Problem.gold` is also there to measure."""
    return bool(entries) and entries[0].source == "gold"


def positives(entries: Sequence[BufferEntry], max_positives: int) -> Sequence[Solution]:
    """The ground truth and its rewrites, `max_positives` in all; without one the buffer's own solutions."""
    return (
        _truths(entries[0].solution, max_positives)
        if starts_with_gold(entries)
        else [entry.solution for entry in entries]
    )


@cache
def _truths(truth: Solution, max_positives: int) -> tuple[Solution, ...]:
    """By solution, not by problem: thousands of problems share `* N0 N1`."""
    others = (to_prefix(variant) for variant in variants(from_prefix(truth), max_positives - 1))
    return truth, *(tuple(map(intern, tokens)) for tokens in others)


def negative(solution: Solution, problem: Problem, corruption_rate: float, rng: Random) -> Solution | None:
    """A corruption that misses the answer; None if a few tries all reach it."""
    leaves = _leaves(solution, problem)
    for _ in range(_TRIES):
        corrupted = corrupt(solution, leaves, corruption_rate, rng)
        if not gives_answer(corrupted, problem):
            return corrupted
    return None


def _leaves(solution: Solution, problem: Problem) -> list[str]:
    """The numbers and 1; pi only in a solution that has it, for it is rare and would give a negative away."""
    return [*(f"N{index}" for index in range(len(problem.numbers))), _ONE, *([_PI] if _PI in solution else [])]
