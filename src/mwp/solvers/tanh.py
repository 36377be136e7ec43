"""tanh by way of the sigmoid on a CPU, where torch's own takes several times as long on some processors."""

from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable


class _Tanh(torch.autograd.Function):
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


def tanh(values: Tensor) -> Tensor:
    if values.device.type != "cpu":
        return torch.tanh(values)
    found: Tensor = _Tanh.apply(values)  # type: ignore[no-untyped-call]
    return found
