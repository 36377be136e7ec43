"""What shows of a solution once its numbers are put in, and which solutions are believed by it."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mwp.arith.expressions import Expression
from mwp.arith.notation import parse, to_prefix
from mwp.data.problems import Problem
from mwp.data.soundness import gives_answer
from mwp.inference.predictions import Hypothesis
from mwp.inference.verifier import NAMES, Example, Verifier, features, fit_verifier
from tests.arith.strategies import expressions, few, many
from tests.data.toys import toy

GIRLS = toy("某班有男生24人，女生26人，女生比男生多百分之几？")
PEARS = toy("有56千克梨，卖掉(1/4)，又运来9箱，现在有梨多少千克？")
BOXES = toy("有7个球，每盒装2个，可以装几盒？")


def written(solution: tuple[str, ...], log_prob: float, qualification: float | None = None) -> Hypothesis:
    return Hypothesis(solution=solution, log_prob=log_prob, qualification=qualification)


def shown(problem: Problem, equation: str) -> set[str]:
    """The features that an equation has, but for those that every one has."""
    found = features(problem, written(to_prefix(parse(equation)), -1.0))
    return {name for name, value in zip(NAMES, found, strict=True) if value} - {"log-probability", "operators"}


@pytest.mark.parametrize(
    ("problem", "equation", "expected"),
    [
        (GIRLS, "(N1-N0)/N0", {"not whole, but all numbers are", "numbers used again", "smaller than the smallest number"}),
        (GIRLS, "N0-N1", {"not above zero"}),
        (GIRLS, "N1/(N0-N0)", {"no value", "steps not above zero", "numbers used again"}),
        (GIRLS, "N1", {"above 1, but a share is asked for", "one of the numbers", "numbers unused"}),
        (PEARS, "N0-N0*N1", {"numbers used again", "numbers unused"}),
        (PEARS, "N0+N2", {"unlike units added", "numbers unused", "larger than the largest number"}),
        (PEARS, "N2-N1", {"parts added to amounts", "another unit than asked for", "numbers unused"}),
        (PEARS, "N1/N2", {"below 1, but no share is asked for", "endless decimal, but no share is asked for"}
         | {"smaller than the smallest number", "numbers unused"}),
        (BOXES, "N0/N1", {"not whole, but things are counted", "not whole, but all numbers are"}),
        (BOXES, "(N0-1)/N1", {"ones"}),
        (BOXES, "N1/N0*N0", {"steps not whole, but all numbers are", "numbers used again", "one of the numbers"}),
    ],
)  # fmt: skip
def test_features_by_hand(problem: Problem, equation: str, expected: set[str]) -> None:
    assert shown(problem, equation) == expected


@many
@given(expressions(), st.floats(-1e4, 0), st.none() | st.floats(0, 1))
def test_every_solution_has_finite_features(
    expression: Expression, log_prob: float, qualification: float | None
) -> None:
    found = features(PEARS, written(to_prefix(expression), log_prob, qualification))
    assert len(found) == len(NAMES)
    assert all(math.isfinite(value) for value in found)


@few
@given(st.lists(st.tuples(st.sampled_from(["N0+N1", "N0-N1", "N1-N0", "N0/N1"]), st.floats(-50, 0)), min_size=1))
def test_before_anything_is_learned_shares_are_probabilities(pairs: list[tuple[str, float]]) -> None:
    hypotheses = [written(to_prefix(parse(equation)), log_prob) for equation, log_prob in pairs]
    shares = Verifier.start().shares(GIRLS, hypotheses)
    weights = [math.exp(log_prob - max(value for _, value in pairs)) for _, log_prob in pairs]
    assert shares == pytest.approx([weight / sum(weights) for weight in weights], abs=1e-5)


def example(more: int, fewer: int) -> Example:
    """A solver that cannot see which of two numbers is the larger prefers the first minus the second."""
    problem = toy(f"甲有{more}个，乙有{fewer}个，相差多少个？", str(abs(more - fewer)))
    hypotheses = [written(("-", "N0", "N1"), -0.5), written(("-", "N1", "N0"), -1.0)]
    return Example(problem, hypotheses, [gives_answer(one.solution, problem) for one in hypotheses])


def test_a_fit_learns_that_nothing_is_left_over_below_zero() -> None:
    fitted = fit_verifier([example(3 + position, 20 - 2 * position) for position in range(12)])
    for unseen in (example(90, 8), example(8, 90)):
        shares = fitted.shares(unseen.problem, unseen.hypotheses)
        assert sum(shares) == pytest.approx(1)
        assert [share > 0.5 for share in shares] == unseen.right


@pytest.mark.parametrize("examples", [[], [Example(BOXES, [], [])], [Example(BOXES, [written(("N0",), -1.0)], [True])]])
def test_where_nothing_can_be_learned_the_solver_decides(examples: list[Example]) -> None:
    assert fit_verifier(examples) == Verifier.start()
    assert Verifier.start().shares(BOXES, []) == []


def test_a_fit_is_the_same_every_time() -> None:
    examples = [example(3 + position, 20 - position) for position in range(12)]
    assert fit_verifier(examples) == fit_verifier(examples)
