"""Bootstrap intervals against plain twins and known distributions."""

import random
import statistics
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from mwp.evaluation.statistics import RESAMPLES, Estimate, estimate
from tests.arith.strategies import few, many

counts = st.lists(st.integers(0, 5), min_size=1, max_size=40)
cases = st.lists(st.tuples(st.integers(0, 5), st.integers(1, 5)), min_size=1, max_size=20)


def percentile(values: list[float], share: float) -> float:
    """By linear interpolation between the two neighbours in rank."""
    position = share * (len(values) - 1)
    ranked, below = sorted(values), int(position)
    above = min(below + 1, len(values) - 1)
    return ranked[below] + (position - below) * (ranked[above] - ranked[below])


def plain(pairs: list[tuple[int, int]], seed: int) -> Estimate:
    """The same draws, but each resample written out problem by problem."""
    distinct = sorted(set(pairs))
    rng = np.random.default_rng(seed)
    shares = [pairs.count(pair) / len(pairs) for pair in distinct]
    ratios = []
    for _ in range(RESAMPLES):
        times = rng.multinomial(len(pairs), shares).tolist()
        sample = [pair for pair, count in zip(distinct, times, strict=True) for _ in range(count)]
        assert len(sample) == len(pairs)
        ratios.append(sum(value for value, _ in sample) / sum(per for _, per in sample))
    value = sum(value for value, _ in pairs) / sum(per for _, per in pairs)
    return Estimate(value=value, low=percentile(ratios, 0.025), high=percentile(ratios, 0.975))


@few
@given(cases, st.integers(0, 99))
def test_the_interval_equals_that_of_the_plain_twin(pairs: list[tuple[int, int]], seed: int) -> None:
    fast = estimate([value for value, _ in pairs], per=[per for _, per in pairs], seed=seed)
    assert fast.model_dump() == pytest.approx(plain(pairs, seed).model_dump())


def test_drawing_problems_one_by_one_gives_the_same_interval_up_to_chance() -> None:
    values = [3] * 40 + [1] * 70 + [0] * 90
    rng = random.Random(5)
    means = [statistics.fmean(rng.choices(values, k=len(values))) for _ in range(4_000)]
    interval = estimate(values)
    assert interval.low == pytest.approx(percentile(means, 0.025), abs=0.02)
    assert interval.high == pytest.approx(percentile(means, 0.975), abs=0.02)


def test_the_interval_of_a_share_is_that_of_the_binomial_distribution() -> None:
    interval = estimate([1] * 700 + [0] * 300)
    low, high = binom.ppf([0.025, 0.975], 1000, 0.7) / 1000
    assert interval.value == 0.7
    assert interval.low == pytest.approx(low, abs=0.003)
    assert interval.high == pytest.approx(high, abs=0.003)


def test_about_95_of_100_intervals_hold_the_true_share() -> None:
    rng = np.random.default_rng(1)
    intervals = [estimate(rng.random(300) < 0.66) for _ in range(400)]
    covered = sum(interval.low <= 0.66 <= interval.high for interval in intervals)
    assert 0.92 <= covered / len(intervals) <= 0.98


def test_values_by_hand() -> None:
    assert estimate([1, 1, 1]) == Estimate(value=1, low=1, high=1)
    assert estimate([0, 1, 1, 0]).value == 0.5
    assert estimate([3, 1], per=5).value == 0.4
    assert estimate([2, 0], per=[5, 3]).value == 0.25


def test_a_problem_without_a_case_does_not_count() -> None:
    assert estimate([1, 0, 0, 0], per=[1, 1, 0, 0]) == estimate([1, 0])


def test_without_any_case_there_is_nothing_to_estimate() -> None:
    with pytest.raises(ValueError, match="no case to estimate from"):
        estimate([0, 0], per=[0, 0])


@many
@given(counts, st.integers(0, 99))
def test_the_interval_holds_the_mean_which_is_exact(values: list[int], seed: int) -> None:
    found = estimate(values, seed=seed)
    assert found.value == float(Fraction(sum(values), len(values)))
    assert min(values) <= found.low <= found.value <= found.high <= max(values)


@many
@given(counts, st.randoms(use_true_random=False))
def test_the_order_of_the_problems_does_not_matter(values: list[int], rng: random.Random) -> None:
    assert estimate(rng.sample(values, len(values))) == estimate(values)


def test_the_seed_decides() -> None:
    values = [0, 1, 2, 5] * 30
    assert estimate(values, seed=1) == estimate(values, seed=1)
    assert estimate(values, seed=1) != estimate(values, seed=2)
