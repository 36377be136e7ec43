"""The discriminator's scores of many solutions at once."""

from pathlib import Path

import pytest
import torch

from mwp.data.vocabulary import symbol_ids
from mwp.solvers.base import mean_state
from mwp.solvers.decoding import evaluating
from mwp.training.discriminator import pad, qualifications_by_problem
from tests.data.toys import toy
from tests.training.toys import small_run

TEXT = "有{}个苹果和{}个梨，又有{}个桃，共有多少个？"
PROBLEMS = [
    toy(TEXT.format(n, n + 1, n + 2) * (1 + n % 2), str(3 * n + 3), f"{n}+{n + 1}+{n + 2}", name=str(n))
    for n in range(3, 12)
]
SOLUTIONS = [("+", "N0", "N1"), ("N2",), ("-", "*", "N0", "N1", "N2")]


def test_scores_in_batches_are_those_of_each_solution_alone(tmp_path: Path) -> None:
    run = small_run(PROBLEMS, tmp_path)
    solver, discriminator = run.learner.solver, run.learner.discriminator
    assert discriminator is not None
    keys = list(run.encoded)
    solutions = {key: SOLUTIONS[: position % 4] for position, key in enumerate(keys)}
    found = dict(qualifications_by_problem(solver, discriminator, solutions, run.encoded, 3))
    assert {key: len(scores) for key, scores in found.items()} == {
        key: len(some) for key, some in solutions.items() if some
    }
    for key, scores in found.items():
        for solution, score in zip(solutions[key], scores, strict=True):
            with evaluating(solver):
                state = mean_state(solver.encode(solver.encoder.collate([run.encoded[key]])))
            padded = pad([symbol_ids(solution)])
            alone = discriminator.scores(state, padded.tokens, padded.lengths, torch.tensor([0]))
            assert score == pytest.approx(float(alone), abs=1e-6)
