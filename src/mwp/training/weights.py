"""Step 3: the weights a_i of buffered solutions (Eq. 2 and 3), in the second stage (s_i + t_i) / 2.

`problem_index` holds for each solution the row of its problem, below `problem_count`. The weights of a problem sum to 1
at most, so the scale of its loss does not depend on how many solutions its buffer holds.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from mwp.solvers.base import EncoderDecoder
from mwp.solvers.batch import EncodedProblem
from mwp.solvers.decoding import Likelihoods, likelihoods
from mwp.training.buffer import SolutionBuffer, WeightRecord
from mwp.training.config import TrainConfig
from mwp.training.discriminator import Discriminator, qualifications

Records = dict[str, list[WeightRecord]]


@dataclass(frozen=True)
class Weighing:
    """Step 3, for some problems' buffers: all alike, or by Eq. 3 and, in the second stage, the discriminator."""

    config: TrainConfig
    buffer: SolutionBuffer

    @property
    def is_uniform(self) -> bool:
        return self.config.variant == "lbf" or self.config.diversity.weighting == "uniform"

    def start(self, keys: Sequence[str], epoch: int) -> Records:
        """Before the first epoch: by the search's scores where there are some."""
        scores = {key: [entry.score for entry in self.buffer.entries(key)] for key in keys}
        start = {key: uniform(len(some)) if self.is_uniform else starting(some) for key, some in scores.items()}
        return {key: weight_records(epoch, weights) for key, weights in start.items()}

    def uniform(self, keys: Sequence[str], epoch: int) -> Records:
        return {key: weight_records(epoch, uniform(len(self.buffer.entries(key)))) for key in keys}

    def by_quality(
        self,
        keys: Sequence[str],
        epoch: int,
        network: EncoderDecoder,
        discriminator: Discriminator | None,
        encoded: Mapping[str, EncodedProblem],
    ) -> Records:
        """For problems that have any solution."""
        solutions = {key: [entry.solution for entry in self.buffer.entries(key)] for key in keys}
        found: Records = {}
        for batch in likelihoods(network, solutions, encoded, 2 * self.config.optimizer.batch_size):
            found |= weigh(batch, self.buffer, epoch, discriminator, self.config.diversity.gold_weight)
        return found


def segment_softmax(log_probs: Tensor, problem_index: Tensor, problem_count: int) -> Tensor:
    """s_i (Eq. 3) of summed log-probs, a softmax within each buffer; uniform where nothing in it is possible at all."""
    top = log_probs.new_full((problem_count,), -torch.inf).scatter_reduce(0, problem_index, log_probs, "amax")[
        problem_index
    ]
    relative = torch.where(torch.isneginf(top), 0.0, log_probs - top)
    share: Tensor = relative.exp()
    return share / _segment_sum(share, problem_index, problem_count)[problem_index]


def segment_combined(shares: Tensor, scores: Tensor, problem_index: Tensor, problem_count: int) -> Tensor:
    """(s_i + t_i) / 2, divided by its sum over the buffer where that exceeds 1."""
    mean = (shares + scores) / 2
    return mean / _segment_sum(mean, problem_index, problem_count).clamp(min=1)[problem_index]


def segment_with_gold(
    weights: Tensor, is_gold: Tensor, problem_index: Tensor, problem_count: int, gold_weight: float
) -> Tensor:
    """Beyond the paper: where a buffer has the ground truth, the fraction `gold_weight` of its weight stays with it.

    Without it the weights of equivalent solutions converge, and a solution that can be written in many ways becomes
    less probable in each of them than a wrong one with few.
    """
    gold = weights.new_zeros(problem_count).index_add(0, problem_index, is_gold.to(weights.dtype))[problem_index]
    total = _segment_sum(weights, problem_index, problem_count)[problem_index]
    return torch.where(gold > 0, (1 - gold_weight) * weights + gold_weight * total * is_gold, weights)


def _segment_sum(values: Tensor, problem_index: Tensor, problem_count: int) -> Tensor:
    return values.new_zeros(problem_count).index_add(0, problem_index, values)


def uniform(count: int) -> Tensor:
    return torch.full((count,), 1 / max(count, 1))


def starting(scores: Sequence[float | None]) -> Tensor:
    """Before the first evaluation: the shares that the prior of WDA gives; equal ones if a solution has no score."""
    known = [score for score in scores if score is not None]
    if not known or len(known) < len(scores):
        return uniform(len(scores))
    return segment_softmax(torch.tensor(known), torch.zeros(len(known), dtype=torch.long), 1)


def weigh(
    found: Likelihoods, buffer: SolutionBuffer, epoch: int, discriminator: Discriminator | None, gold_weight: float
) -> dict[str, list[WeightRecord]]:
    """A record for each solution, by key; the discriminator's score counts in the second stage only."""
    batch = found.batch
    problem_index, problem_count = torch.tensor(batch.problem_index), len(batch.keys)
    weights = shares = segment_softmax(found.log_probs, problem_index, problem_count)
    scores = None
    if discriminator is not None:
        scores = qualifications(discriminator, found.states, batch)
        weights = segment_combined(shares, scores, problem_index, problem_count)
    is_gold = torch.tensor([entry.source == "gold" for key in batch.keys for entry in buffer.entries(key)])
    weights = segment_with_gold(weights, is_gold, problem_index, problem_count, gold_weight)
    return batch.split(weight_records(epoch, weights, shares, scores))


def weight_records(epoch: int, a: Tensor, s: Tensor | None = None, t: Tensor | None = None) -> list[WeightRecord]:
    nothing = [None] * len(a)
    columns = (nothing if weights is None else weights.tolist() for weights in (s, t, a))
    return [WeightRecord(epoch, *row) for row in zip(*columns, strict=True)]
