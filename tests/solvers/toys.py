"""Small random solvers, problems and solutions."""

import random

import torch

from mwp.data.vocabulary import FIRST_NUMBER, OPERATOR_COUNT, Vocabulary
from mwp.solvers.base import EncoderDecoder
from mwp.solvers.batch import EncodedProblem, ProblemBatch, collate_problems
from mwp.solvers.config import SolverConfig
from mwp.solvers.gru import GruEncoder
from tests.solvers.decoders import KINDS

WORDS = 50


def toy_solver(
    kind: str = "gts", hidden: int = 16, dropout: float = 0.0, max_operators: int = 6, seed: int = 1
) -> EncoderDecoder:
    torch.manual_seed(seed)
    config = SolverConfig(embedding=8, hidden=hidden, dropout=dropout, max_operators=max_operators, min_count=1)
    vocabulary = Vocabulary(tokens=tuple(f"w{index}" for index in range(WORDS)))
    return EncoderDecoder(GruEncoder(config, vocabulary), KINDS[kind].decoder(hidden, dropout, max_operators))


def toy_problems(rng: random.Random, count: int, longest: int = 12, most_numbers: int = 5) -> list[EncodedProblem]:
    problems = []
    for _ in range(count):
        length = rng.randint(1, longest)
        numbers = sorted(rng.sample(range(length), min(length, rng.randint(0, most_numbers))))
        problems.append(EncodedProblem(tuple(rng.randrange(1, WORDS) for _ in range(length)), tuple(numbers)))
    return sorted(problems, key=lambda problem: -len(problem.tokens))


def toy_solution(rng: random.Random, numbers: int, operators: int) -> list[int]:
    """A random prefix expression with exactly so many operators."""
    if operators == 0:
        return [rng.randrange(OPERATOR_COUNT, FIRST_NUMBER + numbers)]
    left = rng.randint(0, operators - 1)
    return [
        rng.randrange(OPERATOR_COUNT),
        *toy_solution(rng, numbers, left),
        *toy_solution(rng, numbers, operators - 1 - left),
    ]


def toy_batch(
    rng: random.Random, count: int, most_operators: int = 5
) -> tuple[ProblemBatch, list[list[int]], list[int]]:
    """Problems with one to three solutions each: (batch, solutions, owners)."""
    problems = toy_problems(rng, count)
    solutions, problem_index = [], []
    for row, problem in enumerate(problems):
        for _ in range(rng.randint(1, 3)):
            solutions.append(toy_solution(rng, len(problem.numbers), rng.randint(0, most_operators)))
            problem_index.append(row)
    return collate_problems(problems), solutions, problem_index
