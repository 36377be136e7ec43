"""The layers that encoders and decoders share: gate, dropout, tanh, bidirectional GRU, additive attention.

Each is plain PyTorch; on a CPU the kernels of `cpu_kernels` take their place where that file is there.
"""

from typing import Any

import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

kernels: Any
try:
    from mwp.solvers import cpu_kernels as kernels
except ImportError:
    kernels = None

# A choice is a byte below a threshold, so a probability is one of so many steps: 0.3 becomes 77/256.
STEPS = 256
DIRECTIONS = ("", "_reverse")


class Gate(nn.Module):
    """tanh(Wx) * sigmoid(W'x); several at once side by side."""

    def __init__(self, inputs: int, outputs: int, dropout: float, times: int = 1) -> None:
        super().__init__()
        self.linear = nn.Linear(inputs, 2 * outputs * times)
        self.dropout = Dropout(dropout)
        self.times = times

    def forward(self, *parts: Tensor) -> tuple[Tensor, ...]:
        value, gate = self.linear(self.dropout(torch.cat(parts, dim=-1))).chunk(2, dim=-1)
        return (tanh(value) * torch.sigmoid(gate)).chunk(self.times, dim=-1)


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
        mask = _random_bytes(values) >= threshold
        ctx.save_for_backward(mask)
        ctx.scale = STEPS / (STEPS - threshold)
        return (values * mask).mul_(ctx.scale)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None]:
        (mask,) = ctx.saved_tensors
        return (grad * mask).mul_(ctx.scale), None


def _random_bytes(values: Tensor) -> Tensor:
    """One for each value, in its shape."""
    words = torch.empty(-(-values.numel() // 8), dtype=torch.int64).random_(-(2**63), None)
    return words.view(torch.uint8)[: values.numel()].view(values.shape)


def tanh(values: Tensor) -> Tensor:
    if kernels is None or values.device.type != "cpu":
        return torch.tanh(values)
    found: Tensor = kernels.Tanh.apply(values)
    return found


def _kind(weight: Tensor) -> torch.dtype:
    """Of numbers that products are of: what autocast would choose."""
    return torch.get_autocast_dtype("cpu") if torch.is_autocast_enabled("cpu") else weight.dtype


class BiGru(nn.Module):
    """Layers of bidirectional GRU over padded sequences, longest first: (B, T, I) to states (B, T, 2H) and the last
    states of the upper layer, both directions (2, B, H)."""

    def __init__(self, inputs: int, hidden: int, layers: int, dropout: float) -> None:
        super().__init__()
        self.gru = nn.GRU(inputs, hidden, layers, dropout=dropout, bidirectional=True, batch_first=True)
        self.between = Dropout(dropout)

    def forward(self, inputs: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
        if kernels is None or inputs.device.type != "cpu":
            packed, last = self.gru(pack_padded_sequence(inputs, lengths, batch_first=True))
            states, _ = pad_packed_sequence(packed, batch_first=True, total_length=inputs.shape[1])
            return states, last[-2:]
        steps = torch.arange(inputs.shape[1])
        active = (lengths[None] > steps[:, None]).sum(1).tolist()
        mirror = torch.where(steps < lengths[:, None], lengths[:, None] - 1 - steps, steps)[..., None]
        for layer in range(self.gru.num_layers):
            if layer:
                inputs = self.between(inputs)
            inputs, last = self._layer(layer, inputs, mirror, active)
        return inputs, last

    def _layer(self, layer: int, inputs: Tensor, mirror: Tensor, active: list[int]) -> tuple[Tensor, Tensor]:
        ahead = inputs.transpose(0, 1)
        back = inputs.gather(1, mirror.expand_as(inputs)).transpose(0, 1)
        gates = [
            torch.nn.functional.linear(
                given, self._weight("weight_ih", layer, side), self._weight("bias_ih", layer, side)
            )
            for given, side in zip((ahead, back), DIRECTIONS, strict=True)
        ]
        weight = torch.stack([self._weight("weight_hh", layer, side) for side in DIRECTIONS])
        bias = torch.stack([self._weight("bias_hh", layer, side) for side in DIRECTIONS])[:, None]
        outputs, last = kernels.Scan.apply(torch.stack(gates, dim=1), weight, bias, active, _kind(weight))
        first, second = outputs.unbind(1)  # (T, B, H) each
        second = second.transpose(0, 1)
        return torch.cat((first.transpose(0, 1), second.gather(1, mirror.expand_as(second))), dim=-1), last

    def _weight(self, kind: str, layer: int, side: str) -> Tensor:
        weight: Tensor = getattr(self.gru, f"{kind}_l{layer}{side}")
        return weight


def additive_attention(
    queries: Tensor, keys: Tensor, vector: Tensor, states: Tensor, mask: Tensor, problem_index: Tensor
) -> Tensor:
    """(M, H) contexts for queries (M, H), each over the tokens of the problem at its `problem_index`.

    Keys and states are (B, T, H), the mask (B, T) is True at tokens, the vector is (H,).
    """
    if kernels is None or queries.device.type != "cpu":
        return plain_attention(queries, keys, vector, states, mask, problem_index)
    contexts: Tensor = kernels.AdditiveAttention.apply(queries, keys, vector, states, mask, problem_index)
    return contexts


def plain_attention(
    queries: Tensor, keys: Tensor, vector: Tensor, states: Tensor, mask: Tensor, problem_index: Tensor
) -> Tensor:
    energies = torch.matmul(torch.tanh(queries[:, None] + keys[problem_index]), vector)
    shares = torch.softmax(energies.masked_fill(~mask[problem_index], -torch.inf), dim=-1)
    return torch.bmm(shares[:, None], states[problem_index]).squeeze(1)
