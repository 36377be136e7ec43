"""Step 3: the solutions of a batch of buffers weighed, s_i by Eq. 3, in the second stage (s_i + t_i) / 2."""

import torch
from torch import Tensor

from mwp.training.buffer import Buffer, Weighing
from mwp.training.decoding import Likelihoods, fitness
from mwp.training.discriminator import Discriminator
from mwp.training.weights import segment_anchored, segment_combined, segment_softmax


def weighed(
    batch: Likelihoods, buffer: Buffer, epoch: int, discriminator: Discriminator | None, anchor: float
) -> list[Weighing]:
    """One weighing a solution, buffer after buffer; a discriminator has its say in the second stage only."""
    entries = [entry for key in batch.keys for entry in buffer.entries(key)]
    owner, owners = torch.tensor(batch.owners), len(batch.keys)
    weights = shares = segment_softmax(batch.log_probs, owner, owners)
    fits = None
    if discriminator is not None:
        fits = fitness(discriminator, batch.states, [entry.solution for entry in entries], batch.owners)
        weights = segment_combined(shares, fits, owner, owners)
    is_truth = torch.tensor([entry.source == "given" for entry in entries])
    return weighings(epoch, segment_anchored(weights, is_truth, owner, owners, anchor), shares, fits)


def weighings(epoch: int, a: Tensor, s: Tensor | None = None, t: Tensor | None = None) -> list[Weighing]:
    nothing = [None] * len(a)
    columns = (nothing if weights is None else weights.tolist() for weights in (s, t, a))
    return [Weighing(epoch, *row) for row in zip(*columns, strict=True)]
