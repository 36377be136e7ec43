"""DNS: what may follow in an infix text has all the probability, and one tree in two texts is read once."""

import random

import pytest
import torch

from mwp.data.vocabulary import FIRST_NUMBER
from mwp.solvers.base import Beams, read_beams
from mwp.solvers.infix import CLOSE, END, OPEN
from tests.solvers import plain_sequence
from tests.solvers.plain_parts import one_problem
from tests.solvers.toys import toy_batch, toy_solver


@pytest.mark.parametrize("seed", range(3))
def test_what_may_follow_has_all_the_probability(seed: int) -> None:
    solver, (batch, solutions, problem_index) = toy_solver("dns", seed=seed), toy_batch(random.Random(seed), 3)
    encoding = solver.encode(batch)
    for solution, row in zip(solutions, problem_index, strict=True):
        one = one_problem(encoding, row)
        state, symbols = one.problem, plain_sequence.infix(solution)
        for position in range(len(symbols)):
            state, symbol_log_probs = plain_sequence.step(solver.decoder, one, state, symbols[:position])
            allowed = plain_sequence.possible(symbols[:position], one)
            assert symbols[position] in allowed
            assert symbol_log_probs[allowed].exp().sum().item() == pytest.approx(1.0, abs=1e-5)


def test_a_beam_that_repeats_the_tree_of_a_better_one_is_dropped() -> None:
    twice = torch.tensor([[[FIRST_NUMBER, END, 0, 0], [OPEN, FIRST_NUMBER, CLOSE, END], [FIRST_NUMBER + 1, END, 0, 0]]])
    beams = Beams(twice, torch.tensor([[2, 4, 2]]), torch.tensor([[-1.0, -2.0, -3.0]]))
    assert read_beams(toy_solver("dns").decoder, beams) == [[(("N0",), -1.0), (("N1",), -3.0)]]
