"""Bootstrap percentile intervals over problems, and two runs paired problem by problem."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from mwp.data.problems import Record
from mwp.errors import BadInput

SEED = 23
RESAMPLES = 2_000
PERCENTILES = (2.5, 97.5)


class Estimate(Record):
    """A share or a mean with the ends of its 95 % interval."""

    value: float
    low: float
    high: float


def percent(estimate: Estimate) -> str:
    return f"{estimate.value:.1%} ({100 * estimate.low:.1f} to {100 * estimate.high:.1f})"


def estimate(values: ArrayLike, per: ArrayLike = 1, seed: int = SEED) -> Estimate:
    """The sum of `values` over the sum of `per`, both whole numbers a problem; a problem whose `per` is 0 is no case.

    With `per` 1 it is the mean. Problems that look alike are drawn together: a resample of n problems holds each
    distinct (value, per) a multinomial number of times, so the order of the problems does not matter.
    """
    cases = np.stack(np.broadcast_arrays(np.asarray(values, np.int64), np.asarray(per, np.int64)), axis=1)  # (n, 2)
    cases = cases[cases[:, 1] > 0]
    if not len(cases):
        raise ValueError("no case to estimate from")
    distinct, counts = np.unique(cases, axis=0, return_counts=True)  # (D, 2), (D)
    drawn = np.random.default_rng(seed).multinomial(len(cases), counts / len(cases), size=RESAMPLES)  # (R, D)
    sums = drawn @ distinct  # (R, 2)
    low, high = np.percentile(sums[:, 0] / sums[:, 1], PERCENTILES)
    total, parts = cases.sum(axis=0)
    return Estimate(value=float(total / parts), low=float(low), high=float(high))


class Comparison(Record):
    """Who is right where, and the accuracy of A minus that of B.

    `p_value` is McNemar's exact one: how often a fair coin splits the problems that only one gets right as unevenly.
    """

    problems: int
    both: int
    only_a: int
    only_b: int
    neither: int
    a: Estimate
    b: Estimate
    difference: Estimate
    p_value: float


def compare(a: Mapping[str, bool], b: Mapping[str, bool], seed: int = SEED) -> Comparison:
    """`a` and `b` say by problem id whether that run is right."""
    _check_same(a, b)
    pairs = [(right, b[name]) for name, right in a.items()]
    only_a, only_b = pairs.count((True, False)), pairs.count((False, True))
    return Comparison(
        problems=len(pairs),
        both=pairs.count((True, True)),
        only_a=only_a,
        only_b=only_b,
        neither=pairs.count((False, False)),
        a=estimate([left for left, _ in pairs], seed=seed),
        b=estimate([right for _, right in pairs], seed=seed),
        difference=estimate([left - right for left, right in pairs], seed=seed),
        p_value=mcnemar(only_a, only_b),
    )


def mcnemar(only_a: int, only_b: int) -> float:
    tosses = only_a + only_b
    ways = tail = 1
    for heads in range(1, min(only_a, only_b) + 1):
        ways = ways * (tosses - heads + 1) // heads  # tosses choose heads
        tail += ways
    return min(1.0, 2 * tail / (1 << tosses))


def _check_same(a: Mapping[str, bool], b: Mapping[str, bool]) -> None:
    only_a = [name for name in a if name not in b]
    only_b = [name for name in b if name not in a]
    if only_a or only_b:
        raise BadInput(
            f"expected two runs on the same problems, found {len(only_a):,} problems only in the first and "
            f"{len(only_b):,} only in the second, e.g. {(only_a or only_b)[0]!r}; compare runs on one test part"
        )
    if not a:
        raise BadInput("expected two runs on the same problems, found no problem in either")
