"""The weights of buffered solutions."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from mwp.training.weights import segment_combined, segment_softmax, segment_with_gold, starting, uniform
from tests.arith.strategies import many

INF = math.inf
LOG_PROBS = st.floats(-2000, 0) | st.just(-INF)


@st.composite
def buffers(draw: st.DrawFn) -> tuple[list[float], list[int], int]:
    """Log-probs, their owners in any order, and how many owners there are, some of them without a solution."""
    problem_index = draw(st.integers(1, 5))
    pairs = draw(st.lists(st.tuples(LOG_PROBS, st.integers(0, problem_index - 1)), max_size=12))
    return [log_prob for log_prob, _ in pairs], [problem_index for _, problem_index in pairs], problem_index


def plain_shares(log_probs: list[float]) -> list[float]:
    """The slow plain twin of Eq. 3, one buffer at a time."""
    top = max(log_probs)
    if top == -INF:
        return [1 / len(log_probs)] * len(log_probs)
    likely = [math.exp(log_prob - top) for log_prob in log_probs]
    return [each / sum(likely) for each in likely]


def generation_shares(log_probs: torch.Tensor) -> torch.Tensor:
    """s_i of one buffer."""
    return segment_softmax(log_probs, torch.zeros(len(log_probs), dtype=torch.long), 1)


def combined(shares: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
    """a_i of one buffer in the second stage."""
    return segment_combined(shares, scores, torch.zeros(len(shares), dtype=torch.long), 1)


def plain_combined(shares: list[float], scores: list[float]) -> list[float]:
    mean = [(share + score) / 2 for share, score in zip(shares, scores, strict=True)]
    return [each / max(1, sum(mean)) for each in mean]


def values(tensor: torch.Tensor) -> list[float]:
    return [float(value) for value in tensor]


def doubles(numbers: list[float]) -> torch.Tensor:
    return torch.tensor(numbers, dtype=torch.float64)


def of_problem(numbers: list[float], problem_index: list[int], chosen: int) -> list[float]:
    return [number for number, each in zip(numbers, problem_index, strict=True) if each == chosen]


def test_equation_3_by_hand() -> None:
    shares = generation_shares(doubles([math.log(0.3), math.log(0.1), math.log(0.1)]))
    assert values(shares) == pytest.approx([0.6, 0.2, 0.2])


def test_a_single_solution_has_the_whole_share() -> None:
    assert values(generation_shares(torch.tensor([-123.0]))) == [1.0]
    assert values(generation_shares(torch.tensor([-INF]))) == [1.0]


def test_solutions_too_long_for_a_product_of_probabilities_have_their_shares() -> None:
    assert math.exp(-2000) == 0
    assert values(generation_shares(doubles([-2000.0, -2000.0 + math.log(3)]))) == pytest.approx([0.25, 0.75])


def test_an_impossible_solution_has_no_share_and_only_impossible_ones_have_equal_shares() -> None:
    assert values(generation_shares(torch.tensor([-1.0, -INF]))) == [1.0, 0.0]
    assert values(generation_shares(torch.tensor([-INF, -INF]))) == [0.5, 0.5]


def test_the_second_stage_by_hand() -> None:
    assert values(combined(doubles([0.75, 0.25]), doubles([0.5, 0.1]))) == pytest.approx([0.625, 0.175])
    # (0.75 + 0.75) / 2 and (0.25 + 0.95) / 2 sum to 1.35.
    assert values(combined(doubles([0.75, 0.25]), doubles([0.75, 0.95]))) == pytest.approx([0.75 / 1.35, 0.6 / 1.35])


def test_a_lone_solution_that_does_not_fit_weighs_half_and_one_that_fits_weighs_1() -> None:
    assert values(combined(torch.tensor([1.0]), torch.tensor([0.0]))) == [0.5]
    assert values(combined(torch.tensor([1.0]), torch.tensor([1.0]))) == [1.0]


@pytest.mark.parametrize("count", [1, 2, 7, 100])
def test_the_weights_sum_to_1_however_many_fit(count: int) -> None:
    weights = combined(uniform(count), torch.ones(count))
    assert float(weights.sum()) == pytest.approx(1)


def test_uniform_weights_are_equal_and_sum_to_1() -> None:
    assert values(uniform(4)) == [0.25] * 4
    assert values(uniform(0)) == []


def test_before_the_first_evaluation_the_prior_of_wda_decides() -> None:
    assert values(starting([math.log(0.3), math.log(0.1)])) == pytest.approx([0.75, 0.25])
    assert values(starting([-7.5])) == [1.0]


def test_before_the_first_evaluation_solutions_without_a_score_are_equal() -> None:
    assert values(starting([None])) == [1.0]
    assert values(starting([None, None])) == [0.5, 0.5]
    assert values(starting([None, -1.0])) == [0.5, 0.5]
    assert values(starting([])) == []


@many
@given(buffers())
def test_many_buffers_at_once_have_the_shares_of_each_alone(many_buffers: tuple[list[float], list[int], int]) -> None:
    log_probs, problem_index, problem_count = many_buffers
    shares = values(segment_softmax(doubles(log_probs), torch.tensor(problem_index, dtype=torch.long), problem_count))
    for each in set(problem_index):
        own = of_problem(shares, problem_index, each)
        assert own == pytest.approx(plain_shares(of_problem(log_probs, problem_index, each)))
        assert sum(own) == pytest.approx(1)


@many
@given(buffers(), st.data())
def test_many_buffers_at_once_combine_as_each_alone(
    many_buffers: tuple[list[float], list[int], int], data: st.DataObject
) -> None:
    log_probs, problem_index, problem_count = many_buffers
    scores = data.draw(st.lists(st.floats(0, 1), min_size=len(problem_index), max_size=len(problem_index)))
    index = torch.tensor(problem_index, dtype=torch.long)
    shares = segment_softmax(doubles(log_probs), index, problem_count)
    weights = values(segment_combined(shares, doubles(scores), index, problem_count))
    for each in set(problem_index):
        own = of_problem(weights, problem_index, each)
        plain = plain_combined(of_problem(values(shares), problem_index, each), of_problem(scores, problem_index, each))
        assert own == pytest.approx(plain)
        assert 0.5 - 1e-9 <= sum(own) <= 1 + 1e-9


def test_no_solutions_have_no_weights() -> None:
    nobody = torch.zeros(0, dtype=torch.long)
    assert len(segment_softmax(torch.zeros(0), nobody, 3)) == 0
    assert len(segment_combined(torch.zeros(0), torch.zeros(0), nobody, 3)) == 0


def test_the_gold_weight_stays_with_the_ground_truth_and_leaves_other_buffers_alone() -> None:
    problem_index = torch.tensor([0, 0, 0, 1, 1, 2])
    is_truth = torch.tensor([True, False, False, False, False, True])
    weights = doubles([0.2, 0.4, 0.2, 0.7, 0.3, 0.9])
    kept = segment_with_gold(weights, is_truth, problem_index, 3, 0.5)
    assert values(kept) == pytest.approx([0.5 * 0.2 + 0.5 * 0.8, 0.2, 0.1, 0.7, 0.3, 0.9])
    assert values(segment_with_gold(weights, is_truth, problem_index, 3, 0.0)) == values(weights)
    assert values(segment_with_gold(weights, is_truth, problem_index, 3, 1.0)) == pytest.approx(
        [0.8, 0.0, 0.0, 0.7, 0.3, 0.9]
    )
