"""Batches of problems of like length, the same for the same seed and epoch."""

from collections.abc import Mapping, Sequence
from random import Random

from mwp.solvers.problem_batch import EncodedProblem

# Batches are cut from pools of so many, sorted by length: little padding, yet another company every epoch.
POOL = 20


def training_batches(
    keys: Sequence[str], encoded: Mapping[str, EncodedProblem], size: int, seed: int, epoch: int
) -> list[list[str]]:
    rng = Random(f"{seed}/batches/{epoch}")
    order = rng.sample(list(keys), len(keys))
    pools = [order[start : start + size * POOL] for start in range(0, len(order), size * POOL)]
    batches = [batch for pool in pools for batch in sorted_batches(pool, encoded, size)]
    rng.shuffle(batches)
    return batches


def sorted_batches(keys: Sequence[str], encoded: Mapping[str, EncodedProblem], size: int) -> list[list[str]]:
    """Longest first, within and across batches."""
    order = sorted(keys, key=lambda key: -len(encoded[key].tokens))
    return [order[start : start + size] for start in range(0, len(order), size)]
