"""S-Aligned: at every step what the stack allows has all the probability."""

import random

import pytest

from mwp.data.vocabulary import OPERATOR_COUNT
from tests.solvers import plain_stack
from tests.solvers.plain_parts import one_problem
from tests.solvers.toys import toy_batch, toy_solver


@pytest.mark.parametrize("seed", range(3))
def test_what_the_stack_allows_has_all_the_probability(seed: int) -> None:
    solver, (batch, solutions, problem_index) = toy_solver("s_aligned", seed=seed), toy_batch(random.Random(seed), 3)
    encoding = solver.encode(batch)
    for solution, row in zip(solutions, problem_index, strict=True):
        one = one_problem(encoding, row)
        stack = plain_stack.empty(solver.decoder, one)
        for action in [*(symbol + 1 for symbol in plain_stack.postfix(solution)), plain_stack.END]:
            state, symbol_log_probs = plain_stack.step(solver.decoder, one, stack)
            depth = len(stack.vectors)
            assert (symbol_log_probs[plain_stack.END].exp().item() > 0) == (depth == 1)
            assert (symbol_log_probs[1 : 1 + OPERATOR_COUNT].exp().sum().item() > 0) == (depth >= 2)
            assert symbol_log_probs.exp().sum().item() == pytest.approx(1.0, abs=1e-5)
            stack = plain_stack.after(solver.decoder, one, stack, action, symbol_log_probs, state)
