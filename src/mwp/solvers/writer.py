"""The recurrent part of decoders that write step by step: a GRU, and Luong's attention over the problem's tokens.

Attention comes after the GRU and feeds nothing back, so that under teacher forcing all steps of a batch are one call
of each.
"""

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import PackedSequence

from mwp.solvers.dropout import Dropout
from mwp.solvers.interfaces import Encoding
from mwp.solvers.steps import Steps
from mwp.solvers.tanh import tanh


class Writer(nn.Module):
    """Starts from the problem vector; what it has to say at a step is tanh(W[state; context])."""

    def __init__(self, inputs: int, hidden: int, dropout: float) -> None:
        super().__init__()
        self.gru = nn.GRU(inputs, hidden)
        self.attend = nn.Linear(hidden, hidden, bias=False)
        self.combine = nn.Linear(2 * hidden, hidden)
        self.dropout = Dropout(dropout)

    def forward(self, inputs: Tensor, encoding: Encoding, steps: Steps) -> Tensor:
        """(M, I), the inputs of all steps, to (M, H)."""
        packed = PackedSequence(self.dropout(inputs), torch.tensor(steps.active))
        states = self.gru(packed, encoding.problem[steps.starts][None].to(inputs.dtype))[0].data
        queries = steps.by_problem(states, len(encoding.problem))
        return self.said(states, steps.packed(self.context(queries, encoding.states, encoding.token_mask)))

    def step(self, inputs: Tensor, states: Tensor) -> Tensor:
        """The states (B, K, H) of beams after one input more (B, K, I)."""
        after: Tensor = self.gru(self.dropout(inputs).flatten(0, 1)[None], states.flatten(0, 1)[None].contiguous())[0]
        return after.view_as(states)

    def context(self, queries: Tensor, tokens: Tensor, mask: Tensor) -> Tensor:
        """What queries (B, Q, H) find among the token states (B, T, H) of their problems."""
        energy = torch.bmm(self.attend(queries), tokens.transpose(1, 2))
        share = torch.softmax(energy.masked_fill(~mask[:, None], -torch.inf), dim=-1)
        return share @ tokens

    def said(self, states: Tensor, contexts: Tensor) -> Tensor:
        spoken: Tensor = self.dropout(tanh(self.combine(torch.cat((states, contexts), dim=-1))))
        return spoken
