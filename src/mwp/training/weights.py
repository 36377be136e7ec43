"""The weights a_i of buffered solutions (Eq. 2 and 3), for many buffers at once.

`owner` holds for each solution the index of its problem, below `owners`. The weights of a problem sum to 1 at most,
so the scale of its loss does not depend on how many solutions its buffer holds.
"""

from collections.abc import Sequence

import torch
from torch import Tensor


def segment_softmax(log_probs: Tensor, owner: Tensor, owners: int) -> Tensor:
    """s_i (Eq. 3) of summed log-probs, a softmax within each buffer; uniform where nothing in it is possible at all."""
    top = log_probs.new_full((owners,), -torch.inf).scatter_reduce(0, owner, log_probs, "amax")[owner]
    relative = torch.where(torch.isneginf(top), 0.0, log_probs - top)
    share: Tensor = relative.exp()
    return share / _segment_sum(share, owner, owners)[owner]


def segment_combined(shares: Tensor, scores: Tensor, owner: Tensor, owners: int) -> Tensor:
    """(s_i + t_i) / 2, divided by its sum over the buffer where that exceeds 1."""
    mean = (shares + scores) / 2
    return mean / _segment_sum(mean, owner, owners).clamp(min=1)[owner]


def segment_anchored(weights: Tensor, is_truth: Tensor, owner: Tensor, owners: int, share: float) -> Tensor:
    """Beyond the paper: where a buffer has the ground truth, that `share` of the buffer's weight stays with it.

    Without it the weights of equal solutions level out, and a solution that can be written in many ways becomes less
    probable in each of them than a wrong one with few.
    """
    given = weights.new_zeros(owners).index_add(0, owner, is_truth.to(weights.dtype))[owner]
    total = _segment_sum(weights, owner, owners)[owner]
    return torch.where(given > 0, (1 - share) * weights + share * total * is_truth, weights)


def _segment_sum(values: Tensor, owner: Tensor, owners: int) -> Tensor:
    return values.new_zeros(owners).index_add(0, owner, values)


def uniform(count: int) -> Tensor:
    return torch.full((count,), 1 / max(count, 1))


def starting(scores: Sequence[float | None]) -> Tensor:
    """Before the first evaluation: the shares that the prior of WDA gives; equal ones if a solution has no score."""
    known = [score for score in scores if score is not None]
    if not known or len(known) < len(scores):
        return uniform(len(scores))
    return segment_softmax(torch.tensor(known), torch.zeros(len(known), dtype=torch.long), 1)
