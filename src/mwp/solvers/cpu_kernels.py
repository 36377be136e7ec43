"""CPU implementations of single operations; `solvers.layers` works without this file, and on a GPU does.

Each computes what torch's own operations do, in fewer and larger steps.
"""

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor
from torch.amp import custom_bwd, custom_fwd
from torch.autograd.function import once_differentiable

# Numbers (goals x tokens x width) in a piece: 1 MB of them.
CHUNK_SIZE = 1 << 18


class Tanh(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, values: Tensor) -> Tensor:
        found = tanh_values(values)
        ctx.save_for_backward(found)
        return found

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> Tensor:
        return torch.ops.aten.tanh_backward(grad, ctx.saved_tensors[0])  # type: ignore[no-any-return]


def tanh_values(values: Tensor) -> Tensor:
    """2 sigmoid(2x) - 1, without a gradient."""
    return (2 * values).sigmoid_().mul_(2).sub_(1)


class Scan(torch.autograd.Function):
    """A bidirectional GRU layer: h_t from the input gates (T, 2, B, 3H); at step t only the first `active[t]` rows, the
    longer ones, go on.

    Both directions go through time together, the backward one on sequences reversed in place, and the gradient of the
    recurrent weights is one product over all steps instead of one a step. Under autocast the products are of narrow
    numbers, as everywhere, while states, gates and sums stay in float32.
    """

    @staticmethod
    @custom_fwd(device_type="cpu", cast_inputs=torch.float32)  # type: ignore[untyped-decorator]
    def forward(
        ctx: Any, inputs: Tensor, weight: Tensor, bias: Tensor, active: list[int], kind: torch.dtype
    ) -> tuple[Tensor, Tensor]:
        steps, directions, batch, gates = inputs.shape
        hidden = gates // 3
        outputs = inputs.new_zeros(steps, directions, batch, hidden)
        saved = inputs.new_empty(steps, directions, batch, 4 * hidden)  # r, z, n and the recurrent part of n
        state = inputs.new_zeros(directions, batch, hidden)
        weight = weight.to(kind)
        turned = weight.transpose(1, 2)
        for step, rows in enumerate(active):
            before = state[:, :rows]
            recurrent = _added(bias, before, turned)
            given = inputs[step, :, :rows]
            both = torch.sigmoid(given[..., : 2 * hidden] + recurrent[..., : 2 * hidden])
            reset, update = both.chunk(2, dim=-1)
            inner = recurrent[..., 2 * hidden :]
            new = tanh_values(torch.addcmul(given[..., 2 * hidden :], reset, inner))
            after = torch.lerp(new, before, update)
            torch.cat((both, new, inner), dim=-1, out=saved[step, :, :rows])
            outputs[step, :, :rows] = after
            state = torch.cat((after, state[:, rows:]), dim=1) if rows < batch else after
        ctx.save_for_backward(outputs, saved, weight)
        ctx.active = active
        return outputs, state

    @staticmethod
    @once_differentiable
    @custom_bwd(device_type="cpu")  # type: ignore[untyped-decorator]
    def backward(  # type: ignore[override]
        ctx: Any, grad_outputs: Tensor, grad_state: Tensor
    ) -> tuple[Tensor, Tensor, Tensor, None, None]:
        outputs, saved, weight = ctx.saved_tensors
        hidden = outputs.shape[-1]
        carried = grad_state.clone()
        grad_inputs = outputs.new_zeros(*outputs.shape[:3], 3 * hidden)
        grad_recurrent = torch.zeros_like(grad_inputs)
        nothing = torch.zeros_like(carried)
        for step in range(len(ctx.active) - 1, -1, -1):
            rows = ctx.active[step]
            reset, update, new, inner = saved[step, :, :rows].chunk(4, dim=-1)
            before = outputs[step - 1, :, :rows] if step else nothing[:, :rows]
            grad = carried[:, :rows] + grad_outputs[step, :, :rows]
            grad_new = grad * (1 - update) * (1 - new * new)
            grad_update = grad * (before - new) * update * (1 - update)
            grad_reset = grad_new * inner * reset * (1 - reset)
            grad_inputs[step, :, :rows] = torch.cat((grad_reset, grad_update, grad_new), dim=-1)
            back = torch.cat((grad_reset, grad_update, grad_new * reset), dim=-1)
            grad_recurrent[step, :, :rows] = back
            carried[:, :rows] = _added(grad * update, back, weight)
        earlier = torch.cat((nothing[None], outputs[:-1]))  # (T, 2, B, H)
        by_direction = grad_recurrent.transpose(0, 1).flatten(1, 2)  # (2, T B, 3H)
        seen = earlier.transpose(0, 1).flatten(1, 2).to(weight.dtype)
        grad_weight = torch.bmm(by_direction.to(weight.dtype).transpose(1, 2), seen).to(outputs.dtype)
        return grad_inputs, grad_weight, by_direction.sum(1, keepdim=True), None, None


def _added(start: Tensor, given: Tensor, weight: Tensor) -> Tensor:
    """start + given @ weight, the product in the weight's kind of number."""
    if given.dtype == weight.dtype:
        return torch.baddbmm(start, given, weight)
    return torch.bmm(given.to(weight.dtype), weight).to(given.dtype).add_(start)


def _chunks(keys: Tensor, goals: int) -> Iterator[slice]:
    size = max(1, CHUNK_SIZE // keys[0].numel())
    return (slice(start, start + size) for start in range(0, goals, size))


def _seen(queries: Tensor, keys: Tensor, problem_index: Tensor) -> Tensor:
    """tanh(q + k), (m, T, H)."""
    return tanh_values(keys.index_select(0, problem_index).add_(queries[:, None]))


class AdditiveAttention(torch.autograd.Function):
    """Of many goals over the tokens of their problems: shares softmax(v.tanh(q + k)), then a mean.

    A few goals at a time, so that what lies between stays in the cache, and nothing of it is kept for the gradient but
    the shares.
    """

    @staticmethod
    @custom_fwd(device_type="cpu", cast_inputs=torch.float32)  # type: ignore[untyped-decorator]
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
    @custom_bwd(device_type="cpu")  # type: ignore[untyped-decorator]
    def backward(  # type: ignore[override]
        ctx: Any, grad: Tensor
    ) -> tuple[Tensor, Tensor, Tensor, Tensor, None, None]:
        queries, keys, vector, states, problem_index, shares = ctx.saved_tensors
        by_query, by_vector = torch.empty_like(queries), torch.zeros_like(vector)
        by_keys, by_states = torch.zeros_like(keys), torch.zeros_like(states)
        for chunk in _chunks(keys, len(queries)):
            rows, share, given = problem_index[chunk], shares[chunk], grad[chunk]
            by_states.index_add_(0, rows, share[..., None] * given[:, None])
            by_share = torch.bmm(states.index_select(0, rows), given[..., None]).squeeze(-1)
            by_energy = share * (by_share - (share * by_share).sum(-1, keepdim=True))
            seen = _seen(queries[chunk], keys, rows)
            by_vector += by_energy.flatten() @ seen.flatten(0, 1)
            inner = torch.ops.aten.tanh_backward(by_energy[..., None] * vector, seen)
            by_query[chunk] = inner.sum(1)
            by_keys.index_add_(0, rows, inner)
        return by_query, by_keys, by_vector, by_states, None, None
