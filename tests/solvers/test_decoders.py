"""Every decoder, a batch at a time, against its plain twin that goes step by step."""

import random

import pytest
import torch

from mwp.arith.notation import from_prefix
from mwp.data.vocabulary import OPERATOR_COUNT, symbol_ids, symbol_token
from mwp.solvers.base import EncoderDecoder, read_beams
from mwp.solvers.batch import EncodedProblem, ProblemBatch, collate_problems
from tests.solvers.decoders import KINDS
from tests.solvers.plain_parts import one_problem
from tests.solvers.toys import toy_batch, toy_problems, toy_solver

every_kind = pytest.mark.parametrize("kind", KINDS)


def plain_log_probs(
    kind: str, solver: EncoderDecoder, batch: ProblemBatch, solutions: list[list[int]], problem_index: list[int]
) -> torch.Tensor:
    encoding = solver.encode(batch)
    ones = [one_problem(encoding, row) for row in range(len(batch))]
    twin = KINDS[kind].plain
    return torch.stack(
        [
            twin.log_prob(solver.decoder, ones[problem_index], s)
            for s, problem_index in zip(solutions, problem_index, strict=True)
        ]
    )


@every_kind
@pytest.mark.parametrize("seed", range(5))
def test_log_probs_equal_the_plain_twins(kind: str, seed: int) -> None:
    solver, (batch, solutions, problem_index) = toy_solver(kind, seed=seed), toy_batch(random.Random(seed), 7)
    fast = solver.log_prob(batch, solver.decoder.plan(solutions, problem_index))
    assert torch.allclose(fast, plain_log_probs(kind, solver, batch, solutions, problem_index), atol=1e-5)


@every_kind
@pytest.mark.parametrize("seed", range(3))
def test_gradients_equal_the_plain_twins(kind: str, seed: int) -> None:
    solver, (batch, solutions, problem_index) = toy_solver(kind, seed=seed), toy_batch(random.Random(seed), 5)
    gradients = []
    for log_probs in (
        solver.log_prob(batch, solver.decoder.plan(solutions, problem_index)),
        plain_log_probs(kind, solver, batch, solutions, problem_index),
    ):
        solver.zero_grad()
        log_probs.sum().backward()
        gradients.append({name: p.grad.clone() for name, p in solver.named_parameters() if p.grad is not None})
    assert gradients[0].keys() == gradients[1].keys() == dict(solver.named_parameters()).keys()
    for name, gradient in gradients[0].items():
        assert torch.allclose(gradient, gradients[1][name], atol=1e-4), name


@every_kind
def test_padding_and_company_change_nothing(kind: str) -> None:
    solver, (batch, solutions, problem_index) = toy_solver(kind), toy_batch(random.Random(3), 6)
    together = solver.log_prob(batch, solver.decoder.plan(solutions, problem_index))
    problems = [
        EncodedProblem(
            tuple(batch.tokens[row][batch.token_mask[row]].tolist()),
            tuple(batch.number_positions[row][batch.number_mask[row]].tolist()),
        )
        for row in range(len(batch))
    ]
    for position, (solution, row) in enumerate(zip(solutions, problem_index, strict=True)):
        alone = solver.log_prob(collate_problems([problems[row]]), solver.decoder.plan([solution], [0]))
        assert torch.allclose(alone[0], together[position], atol=1e-5)


@every_kind
@pytest.mark.parametrize("k", [1, 3, 5])
@pytest.mark.parametrize("seed", range(4))
def test_beams_equal_the_plain_twins(kind: str, seed: int, k: int) -> None:
    solver = toy_solver(kind, seed=seed, max_operators=4).eval()
    batch = collate_problems(toy_problems(random.Random(seed), 6))
    with torch.no_grad():
        fast = read_beams(solver.decoder, solver.solve(batch, k))
        encoding = solver.encode(batch)
        for row, found in enumerate(fast):
            slow = KINDS[kind].plain.beams(solver.decoder, one_problem(encoding, row), k)
            assert [tokens for tokens, _ in found] == [solver.decoder.read(symbols) for symbols, _ in slow]
            assert [p for _, p in found] == pytest.approx([p for _, p in slow], abs=1e-4)


@every_kind
@pytest.mark.parametrize("max_operators", [0, 1, 3])
@pytest.mark.parametrize("seed", range(3))
def test_every_beam_is_complete_and_has_the_log_prob_of_its_solution(kind: str, seed: int, max_operators: int) -> None:
    solver = toy_solver(kind, seed=seed, max_operators=max_operators).eval()
    batch = collate_problems(toy_problems(random.Random(seed), 8))
    with torch.no_grad():
        for row, found in enumerate(read_beams(solver.decoder, solver.solve(batch, 5))):
            assert len(found) == (5 if max_operators else min(5, 2 + int(batch.number_mask[row].sum())))
            for solution, log_prob in found:
                from_prefix(solution)
                assert len(solution) <= 2 * max_operators + 1
                plan = solver.decoder.plan([symbol_ids(solution)], [row])
                assert solver.log_prob(batch, plan)[0].item() == pytest.approx(log_prob, abs=1e-4)


@every_kind
@pytest.mark.parametrize("k", [8, 100])
def test_beams_that_love_operators_keep_the_limit_and_say_nothing_twice(kind: str, k: int) -> None:
    solver = toy_solver(kind, max_operators=3, hidden=8).eval()
    with torch.no_grad():
        score = {"gts": "operator_score", "dns": "score", "s_aligned": "action_score"}[kind]
        getattr(solver.decoder, score).bias.normal_(0, 4)
        beams = solver.solve(collate_problems(toy_problems(random.Random(k), 4)), k)
    for row, found in enumerate(read_beams(solver.decoder, beams)):
        assert len(found) == int((beams.log_probs[row] > -torch.inf).sum())
        assert max(sum(token in "+-*/^" for token in solution) for solution, _ in found) <= 3


@every_kind
def test_a_wide_enough_beam_finds_every_solution_and_their_probabilities(kind: str) -> None:
    """With one operator at most: 2 constants and 5 x 2 x 2 operations; what is missing to 1 is barred by the limit."""
    solver = toy_solver(kind, max_operators=1).eval()
    batch = collate_problems([EncodedProblem((3, 4), ())])
    with torch.no_grad():
        ((*found,),) = read_beams(solver.decoder, solver.solve(batch, 60))
    leaves = ("1", "3.14")
    operations = {
        (o, left, right) for o in map(symbol_token, range(OPERATOR_COUNT)) for left in leaves for right in leaves
    }
    assert {solution for solution, _ in found} == {("1",), ("3.14",)} | operations
    assert sum(torch.tensor([log_prob for _, log_prob in found]).exp()) < 1


@every_kind
def test_fifteen_numbers_and_two_hundred_tokens_break_nothing(kind: str) -> None:
    rng = random.Random(1)
    problem = EncodedProblem(tuple(rng.randrange(1, 50) for _ in range(200)), tuple(range(0, 150, 10)))
    tiny = EncodedProblem((3,), ())
    solver = toy_solver(kind, max_operators=14).eval()
    with torch.no_grad():
        for found in read_beams(solver.decoder, solver.solve(collate_problems([problem, tiny]), 5)):
            assert len(found) == 5


@every_kind
@pytest.mark.parametrize("solution", [[0, 5], [5, 6], [0]])
def test_an_incomplete_solution_is_refused_by_the_plan(kind: str, solution: list[int]) -> None:
    with pytest.raises(ValueError, match="not one complete prefix expression"):
        toy_solver(kind).decoder.plan([solution], [0])


@every_kind
def test_a_tiny_solver_learns_what_it_is_shown(kind: str) -> None:
    solver, (batch, solutions, problem_index) = (
        toy_solver(kind, hidden=32),
        toy_batch(random.Random(2), 4, most_operators=3),
    )
    first = {
        problem_index: solution
        for solution, problem_index in reversed(list(zip(solutions, problem_index, strict=True)))
    }
    plan = solver.decoder.plan(list(first.values()), list(first))
    optimizer = torch.optim.Adam(solver.parameters(), 1e-2)
    for _ in range(150):
        optimizer.zero_grad()
        (-solver.log_prob(batch, plan).mean()).backward()
        optimizer.step()
    with torch.no_grad():
        best = read_beams(solver.decoder, solver.eval().solve(batch, 1))
    assert all([*map(symbol_token, first[row])] == list(best[row][0][0]) for row in first)


@every_kind
def test_half_precision_changes_little(kind: str) -> None:
    solver, (batch, solutions, problem_index) = toy_solver(kind), toy_batch(random.Random(1), 4)
    plan = solver.decoder.plan(solutions, problem_index)
    # Some virtual machines announce instructions for half precision that oneDNN then fails to run.
    with torch.backends.mkldnn.flags(enabled=False), torch.autocast("cpu", torch.bfloat16):
        half = solver.log_prob(batch, plan)
        half.sum().backward()
        with torch.no_grad():
            read_beams(solver.decoder, solver.solve(batch, 3))
    assert half.dtype == torch.float32
    assert torch.allclose(half, solver.log_prob(batch, plan), rtol=0.05, atol=0.2)
