"""The gated unit of which goals and subtrees are made."""

import torch
from torch import Tensor, nn

from mwp.solvers.dropout import Dropout
from mwp.solvers.tanh import tanh


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
