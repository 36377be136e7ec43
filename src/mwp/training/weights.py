"""The weights a_i of buffered solutions (Eq. 2 and 3), for one buffer and for many at once.

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


def _segment_sum(values: Tensor, owner: Tensor, owners: int) -> Tensor:
    return values.new_zeros(owners).index_add(0, owner, values)


def generation_shares(log_probs: Tensor) -> Tensor:
    """s_i of one buffer."""
    return segment_softmax(log_probs, _one_owner(log_probs), 1)


def combined(shares: Tensor, scores: Tensor) -> Tensor:
    """a_i of one buffer in the second stage."""
    return segment_combined(shares, scores, _one_owner(shares), 1)


def _one_owner(values: Tensor) -> Tensor:
    return torch.zeros(len(values), dtype=torch.long, device=values.device)


def uniform(count: int) -> Tensor:
    return torch.full((count,), 1 / max(count, 1))


def starting(scores: Sequence[float | None]) -> Tensor:
    """Before the first evaluation: the shares that the prior of WDA gives; equal ones if a solution has no score."""
    known = [score for score in scores if score is not None]
    return generation_shares(torch.tensor(known)) if known and len(known) == len(scores) else uniform(len(scores))
