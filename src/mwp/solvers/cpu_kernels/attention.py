"""Additive attention of many goals over the tokens of their problems: weights softmax(v.tanh(q + k)), then a mean.

On a CPU a few goals at a time, so that intermediate values stay in the cache; only the weights are saved for the
gradient. A GPU computes all at once.
"""

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from mwp.solvers.cpu_kernels.recurrence import tanh_values

# Numbers (goals x tokens x width) in a piece: 1 MB of them.
CHUNK_SIZE = 1 << 18


def _chunks(keys: Tensor, goals: int) -> Iterator[slice]:
    size = max(1, CHUNK_SIZE // keys[0].numel())
    return (slice(start, start + size) for start in range(0, goals, size))


def _seen(queries: Tensor, keys: Tensor, problem_index: Tensor) -> Tensor:
    """tanh(q + k), (m, T, H)."""
    return tanh_values(keys.index_select(0, problem_index).add_(queries[:, None]))


class AdditiveAttention(torch.autograd.Function):
    @staticmethod
    @torch.amp.custom_fwd(device_type="cpu", cast_inputs=torch.float32)  # type: ignore[untyped-decorator]
    def forward(
        ctx: Any, queries: Tensor, keys: Tensor, vector: Tensor, states: Tensor, mask: Tensor, problem_index: Tensor
    ) -> Tensor:
        shares = queries.new_empty(len(queries), keys.shape[1])
        contexts = torch.empty_like(queries)
        for chunk in _chunks(keys, len(queries)):
            rows = problem_index[chunk]
            energies = torch.matmul(_seen(queries[chunk], keys, rows), vector)
            shares[chunk] = torch.softmax(energies.masked_fill_(~mask[rows], -torch.inf), dim=-1)
            contexts[chunk] = torch.bmm(shares[chunk, None], states.index_select(0, rows)).squeeze(1)
        ctx.save_for_backward(queries, keys, vector, states, problem_index, shares)
        return contexts

    @staticmethod
    @once_differentiable
    @torch.amp.custom_bwd(device_type="cpu")  # type: ignore[untyped-decorator]
    def backward(  # type: ignore[override]
        ctx: Any, grad: Tensor
    ) -> tuple[Tensor, Tensor, Tensor, Tensor, None, None]:
        queries, keys, vector, states, problem_index, shares = ctx.saved_tensors
        by_query, by_vector = torch.empty_like(queries), torch.zeros_like(vector)
        by_keys, by_states = torch.zeros_like(keys), torch.zeros_like(states)
        for chunk in _chunks(keys, len(queries)):
            rows, share, trained_layers = problem_index[chunk], shares[chunk], grad[chunk]
            by_states.index_add_(0, rows, share[..., None] * trained_layers[:, None])
            by_share = torch.bmm(states.index_select(0, rows), trained_layers[..., None]).squeeze(-1)
            by_energy = share * (by_share - (share * by_share).sum(-1, keepdim=True))
            seen = _seen(queries[chunk], keys, rows)
            by_vector += by_energy.flatten() @ seen.flatten(0, 1)
            inner = torch.ops.aten.tanh_backward(by_energy[..., None] * vector, seen)
            by_query[chunk] = inner.sum(1)
            by_keys.index_add_(0, rows, inner)
        return by_query, by_keys, by_vector, by_states, None, None
