"""A bidirectional GRU layer for the CPU: what torch's own computes on packed sequences, in fewer and larger steps.

Both directions go through time together, the backward one on sequences reversed in place, and the gradient of the
recurrent weights is one product over all steps instead of one a step. Under autocast the products are of low-precision
numbers, as everywhere, while states, gates and sums stay in float32. On a GPU torch's own kernel is used.
"""

from typing import Any

import torch
from torch import Tensor
from torch.amp import custom_bwd, custom_fwd
from torch.autograd.function import once_differentiable


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
    """h_t from the input gates (T, 2, B, 3H); at step t only the first `active[t]` rows, the longer ones, go on."""

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
