"""The tables of a tree decoder, and a walk with one."""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from math import exp
from random import Random

import pytest
import torch

from mwp.arith.notation import Solution
from mwp.data.soundness import gives_answer
from mwp.data.vocabulary import FIRST_NUMBER, symbol_ids, symbol_token
from mwp.solvers.base import EncoderDecoder, Encoding
from mwp.training.lbf.drafts import Draft, log_probs_of, make_drafts
from mwp.training.lbf.walk import walk_all
from tests.data.toys import toy
from tests.solvers.toys import toy_batch, toy_solver

PROBLEMS = [toy("每盒3支笔5元，7盒共有多少？", "49"), toy("3支笔5元，共有多少？", "15"), toy("3和5？", "1000")]


@pytest.fixture(autouse=True)
def _no_gradients() -> Iterator[None]:
    with torch.inference_mode():
        yield


def toy_solutions(seed: int) -> tuple[EncoderDecoder, Encoding, list[Solution], list[int]]:
    solver, (batch, solutions, problem_index) = toy_solver(seed=seed).eval(), toy_batch(Random(seed), 9)
    return solver, solver.encode(batch), [tuple(map(symbol_token, solution)) for solution in solutions], problem_index


@pytest.mark.parametrize("seed", range(4))
def test_the_tables_of_a_solution_hold_its_log_prob(seed: int) -> None:
    solver, encoding, solutions, problem_index = toy_solutions(seed)
    symbol_log_probs = log_probs_of(solver.decoder, encoding, solutions, problem_index)
    sums = [
        Draft(solution, each, (), Fraction(0)).log_prob
        for solution, each in zip(solutions, symbol_log_probs, strict=True)
    ]
    plan = solver.decoder.plan([symbol_ids(solution) for solution in solutions], problem_index)
    assert sums == pytest.approx(solver.decoder.log_prob(encoding, plan).tolist(), abs=1e-4)


def test_a_table_holds_the_symbols_of_its_problem_and_their_probabilities_add_up_to_one() -> None:
    solver, encoding, solutions, problem_index = toy_solutions(1)
    counts = encoding.number_mask.sum(dim=1).tolist()
    assert len(set(counts)) > 1
    found = log_probs_of(solver.decoder, encoding, solutions, problem_index)
    for row, symbol_log_probs in zip(problem_index, found, strict=True):
        for table in symbol_log_probs:
            assert list(table) == [symbol_token(symbol) for symbol in range(FIRST_NUMBER + counts[row])]
            assert sum(map(exp, table.values())) == pytest.approx(1, abs=1e-4)


def test_a_solver_walks_many_problems_at_once() -> None:
    solver = toy_solver().eval()
    encoding = solver.encode(solver.encoder.collate([solver.encoder.prepare(problem) for problem in PROBLEMS]))
    symbol_log_probs = partial(log_probs_of, solver.decoder, encoding)
    drafts = make_drafts(PROBLEMS, [("+", "N0", "N1"), ("+", "1", "1"), ("N0",)], symbol_log_probs)
    first, second, third = walk_all(drafts, symbol_log_probs, [Random(seed) for seed in range(3)], 50)
    assert first is not None
    assert first.solution == ("*", "N2", "N2")
    assert second is not None
    assert gives_answer(second.solution, PROBLEMS[1])
    assert third is None
