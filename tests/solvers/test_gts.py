"""What only GTS can do: probabilities that add up to one at a goal, and solutions of an exact length."""

import random

import pytest
import torch

from mwp.arith.notation import from_prefix
from mwp.solvers.base import read_beams
from mwp.solvers.batch import collate_problems
from tests.solvers import plain_gts
from tests.solvers.plain_parts import one_problem
from tests.solvers.toys import toy_problems, toy_solver


def test_the_probabilities_of_all_first_symbols_add_up_to_one() -> None:
    solver = toy_solver()
    one = one_problem(solver.encode(collate_problems(toy_problems(random.Random(1), 1))), 0)
    q = plain_gts.goal_of(solver.decoder, one.problem, None)
    symbol_log_probs = plain_gts.table_of(solver.decoder, q, plain_gts.context_of(solver.decoder, q, one), one)
    assert symbol_log_probs.exp().sum().item() == pytest.approx(1.0)


@pytest.mark.parametrize("k", [1, 3])
@pytest.mark.parametrize("seed", range(4))
def test_beams_of_exact_lengths_equal_the_plain_twins(seed: int, k: int) -> None:
    rng = random.Random(seed)
    solver = toy_solver(seed=seed, max_operators=2).eval()
    batch = collate_problems(toy_problems(rng, 6))
    lengths = [rng.choice((1, 3, 5, 7, 9)) for _ in range(len(batch))]
    with torch.no_grad():
        encoding = solver.encode(batch)
        fast = read_beams(solver.decoder, solver.decoder.beams(encoding, k, torch.tensor(lengths)))
        for row, (found, length) in enumerate(zip(fast, lengths, strict=True)):
            slow = plain_gts.beams(solver.decoder, one_problem(encoding, row), k, exactly=length)
            assert [tokens for tokens, _ in found] == [solver.decoder.read(symbols) for symbols, _ in slow]
            assert [p for _, p in found] == pytest.approx([p for _, p in slow], abs=1e-4)
            assert len(found) == min(k, 2 + int(batch.number_mask[row].sum()) if length == 1 else k)
            for solution, _ in found:
                from_prefix(solution)
                assert len(solution) == length


def test_an_even_length_is_refused() -> None:
    solver = toy_solver()
    encoding = solver.encode(collate_problems(toy_problems(random.Random(1), 2)))
    with pytest.raises(ValueError, match=r"a complete expression has an odd number of symbols, not \[3, 4\]"):
        solver.decoder.beams(encoding, 1, torch.tensor([3, 4]))
