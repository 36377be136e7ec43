"""Bootstrap percentile intervals over problems."""

import numpy as np
from numpy.typing import ArrayLike

from mwp.data.problems import Record

SEED = 23
RESAMPLES = 2_000
PERCENTILES = (2.5, 97.5)


class Estimate(Record):
    """A share or a mean with the ends of its 95 % interval."""

    value: float
    low: float
    high: float


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
