"""GTS, level by level, against the plain one that goes node by node."""

import random

import pytest
import torch

from mwp.arith.prefix import from_prefix
from mwp.solvers.problem_batch import EncodedProblem, collate_problems
from mwp.solvers.solver import Solver, read_beams
from mwp.solvers.symbols import symbol_token
from tests.solvers import plain
from tests.solvers.toys import toy_batch, toy_problems, toy_solver


def plain_log_probs(solver: Solver, batch, solutions, owners) -> torch.Tensor:
    encoding = solver.encode(batch)
    ones = [plain.one_problem(solver.decoder, encoding, row) for row in range(len(batch))]
    return torch.stack(
        [plain.log_prob(solver.decoder, ones[owner], s) for s, owner in zip(solutions, owners, strict=True)]
    )


@pytest.mark.parametrize("seed", range(5))
def test_log_probs_equal_the_plain_twins(seed: int) -> None:
    solver, (batch, solutions, owners) = toy_solver(seed=seed), toy_batch(random.Random(seed), 7)
    fast = solver.log_prob(batch, solver.decoder.plan(solutions, owners))
    assert torch.allclose(fast, plain_log_probs(solver, batch, solutions, owners), atol=1e-5)


@pytest.mark.parametrize("seed", range(3))
def test_gradients_equal_the_plain_twins(seed: int) -> None:
    solver, (batch, solutions, owners) = toy_solver(seed=seed), toy_batch(random.Random(seed), 5)
    gradients = []
    for log_probs in (
        solver.log_prob(batch, solver.decoder.plan(solutions, owners)),
        plain_log_probs(solver, batch, solutions, owners),
    ):
        solver.zero_grad()
        log_probs.sum().backward()
        gradients.append({name: p.grad.clone() for name, p in solver.named_parameters() if p.grad is not None})
    assert gradients[0].keys() == gradients[1].keys() == dict(solver.named_parameters()).keys()
    for name, gradient in gradients[0].items():
        assert torch.allclose(gradient, gradients[1][name], atol=1e-4), name


def test_padding_and_company_change_nothing() -> None:
    rng = random.Random(3)
    solver, (batch, solutions, owners) = toy_solver(), toy_batch(rng, 6)
    together = solver.log_prob(batch, solver.decoder.plan(solutions, owners))
    problems = [
        EncodedProblem(
            tuple(batch.tokens[row][batch.token_mask[row]].tolist()),
            tuple(batch.number_places[row][batch.number_mask[row]].tolist()),
        )
        for row in range(len(batch))
    ]
    for place, (solution, owner) in enumerate(zip(solutions, owners, strict=True)):
        alone = solver.log_prob(collate_problems([problems[owner]]), solver.decoder.plan([solution], [0]))
        assert torch.allclose(alone[0], together[place], atol=1e-5)


def test_the_probabilities_of_all_first_symbols_add_up_to_one() -> None:
    solver = toy_solver()
    batch = collate_problems(toy_problems(random.Random(1), 1))
    encoding = solver.encode(batch)
    one = plain.one_problem(solver.decoder, encoding, 0)
    q = plain.goal_of(solver.decoder, one.problem, None)
    table = plain.table_of(solver.decoder, q, plain.context_of(solver.decoder, q, one), one)
    assert table.exp().sum().item() == pytest.approx(1.0)


@pytest.mark.parametrize("k", [1, 3, 5])
@pytest.mark.parametrize("seed", range(4))
def test_beams_equal_the_plain_twins(seed: int, k: int) -> None:
    solver = toy_solver(seed=seed, max_operators=4).eval()
    batch = collate_problems(toy_problems(random.Random(seed), 6))
    with torch.no_grad():
        fast = read_beams(solver.solve(batch, k))
        encoding = solver.encode(batch)
        for row, found in enumerate(fast):
            slow = plain.beams(solver.decoder, plain.one_problem(solver.decoder, encoding, row), k)
            assert [tokens for tokens, _ in found] == [tuple(map(symbol_token, symbols)) for symbols, _ in slow]
            assert [p for _, p in found] == pytest.approx([p for _, p in slow], abs=1e-4)


@pytest.mark.parametrize("seed", range(3))
def test_every_beam_is_complete_and_has_the_log_prob_of_its_solution(seed: int) -> None:
    from mwp.solvers.symbols import symbol_ids

    solver = toy_solver(seed=seed, max_operators=3).eval()
    batch = collate_problems(toy_problems(random.Random(seed), 8))
    with torch.no_grad():
        for row, found in enumerate(read_beams(solver.solve(batch, 5))):
            assert len(found) == 5
            for solution, log_prob in found:
                from_prefix(solution)
                assert len(solution) <= 7
                plan = solver.decoder.plan([symbol_ids(solution)], [row])
                assert solver.log_prob(batch, plan)[0].item() == pytest.approx(log_prob, abs=1e-4)


def test_fifteen_numbers_and_two_hundred_tokens_break_nothing() -> None:
    rng = random.Random(1)
    problem = EncodedProblem(tuple(rng.randrange(1, 50) for _ in range(200)), tuple(range(0, 150, 10)))
    tiny = EncodedProblem((3,), ())
    solver = toy_solver(max_operators=14).eval()
    with torch.no_grad():
        for found in read_beams(solver.solve(collate_problems([problem, tiny]), 5)):
            assert len(found) == 5


def test_an_incomplete_solution_is_refused_by_the_plan() -> None:
    with pytest.raises(ValueError, match="not one complete prefix expression"):
        toy_solver().decoder.plan([[0, 5]], [0])


def test_a_tiny_solver_learns_what_it_is_shown() -> None:
    solver, (batch, solutions, owners) = toy_solver(hidden=32), toy_batch(random.Random(2), 4, most_operators=3)
    first = {owner: solution for solution, owner in reversed(list(zip(solutions, owners, strict=True)))}
    plan = solver.decoder.plan(list(first.values()), list(first))
    optimiser = torch.optim.Adam(solver.parameters(), 1e-2)
    for _ in range(150):
        optimiser.zero_grad()
        (-solver.log_prob(batch, plan).mean()).backward()
        optimiser.step()
    with torch.no_grad():
        best = read_beams(solver.eval().solve(batch, 1))
    assert all([*map(symbol_token, first[row])] == list(best[row][0][0]) for row in first)
