"""What the plain decoders share: one problem of a batch, and the parts of the fast ones, a vector at a time."""

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from mwp.data.vocabulary import CONSTANT_COUNT
from mwp.solvers.base import Encoding
from mwp.solvers.layers import Gate
from mwp.solvers.stepwise import StepDecoder


@dataclass(frozen=True)
class One:
    """One problem of a batch, its true tokens and numbers only."""

    states: Tensor  # (T, H)
    problem: Tensor  # (H,)
    numbers: list[Tensor]

    def leaves(self, decoder: Any) -> list[Tensor]:
        return [decoder.constant_vectors.weight[i] for i in range(CONSTANT_COUNT)] + self.numbers


def one_problem(encoding: Encoding, row: int) -> One:
    numbers = [encoding.numbers[row, i] for i in range(int(encoding.number_mask[row].sum()))]
    return One(encoding.states[row][encoding.token_mask[row]], encoding.problem[row], numbers)


def gate(module: Gate, *parts: Tensor) -> tuple[Tensor, ...]:
    value, closed = module.linear(torch.cat(parts)).chunk(2)
    return (torch.tanh(value) * torch.sigmoid(closed)).chunk(module.times)


def next_state(writer: StepDecoder, given: Tensor, state: Tensor) -> Tensor:
    """The GRU's equations, one vector at a time."""
    gru = writer.gru
    reset, update, new = (gru.weight_ih_l0 @ given + gru.bias_ih_l0).chunk(3)
    inner_reset, inner_update, inner_new = (gru.weight_hh_l0 @ state + gru.bias_hh_l0).chunk(3)
    reset, update = torch.sigmoid(reset + inner_reset), torch.sigmoid(update + inner_update)
    return (1 - update) * torch.tanh(new + reset * inner_new) + update * state


def spoken(writer: StepDecoder, state: Tensor, one: One) -> Tensor:
    shares = torch.softmax(torch.stack([writer.attend(state) @ token for token in one.states]), 0)
    context = sum(share * token for share, token in zip(shares, one.states, strict=True))
    return torch.tanh(writer.combine(torch.cat((state, context))))
