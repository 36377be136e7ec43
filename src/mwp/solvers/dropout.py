"""Dropout whose choices cost little on a CPU: eight from one random number, where torch's own takes one each."""

from typing import Any

import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

# A choice is a byte below a threshold, so a probability is one of so many steps: 0.3 becomes 77/256.
STEPS = 256


class Dropout(nn.Dropout):
    def forward(self, values: Tensor) -> Tensor:
        if values.device.type != "cpu":
            return super().forward(values)
        threshold = min(round(self.p * STEPS), STEPS - 1)
        if not self.training or threshold == 0:
            return values
        dropped: Tensor = _Dropped.apply(values, threshold)  # type: ignore[no-untyped-call]
        return dropped


def replace_dropouts(module: nn.Module, kind: type[nn.Dropout] = Dropout) -> None:
    """By those of one kind, in a network that was built elsewhere."""
    for name, part in module.named_children():
        if isinstance(part, nn.Dropout):
            setattr(module, name, kind(part.p))
        else:
            replace_dropouts(part, kind)


class _Dropped(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, values: Tensor, threshold: int) -> Tensor:
        kept = _random_bytes(values) >= threshold
        ctx.save_for_backward(kept)
        ctx.scale = STEPS / (STEPS - threshold)
        return (values * kept).mul_(ctx.scale)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None]:
        (kept,) = ctx.saved_tensors
        return (grad * kept).mul_(ctx.scale), None


def _random_bytes(values: Tensor) -> Tensor:
    """One for each value, in its shape."""
    words = torch.empty(-(-values.numel() // 8), dtype=torch.int64).random_(-(2**63), None)
    return words.view(torch.uint8)[: values.numel()].view(values.shape)
