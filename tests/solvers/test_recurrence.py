"""Our GRU layer for the CPU against torch's own on packed sequences."""

import pytest
import torch
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from mwp.solvers.recurrence import BiGru


def torchs_own(gru: BiGru, inputs: torch.Tensor, lengths: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    packed, last = gru.gru(pack_padded_sequence(inputs, lengths, batch_first=True))
    return pad_packed_sequence(packed, batch_first=True, total_length=inputs.shape[1])[0], last[-2:]


@pytest.mark.parametrize("lengths", [[7, 7, 4, 1], [5], [3, 3], [9, 2, 1, 1, 1]])
def test_states_last_states_and_gradients_equal_torchs_own(lengths: list[int]) -> None:
    torch.manual_seed(len(lengths))
    gru = BiGru(6, 8, 2, 0.0)
    inputs = torch.randn(len(lengths), lengths[0], 6, requires_grad=True)
    results = []
    for compute in (gru, lambda *given: torchs_own(gru, *given)):
        gru.zero_grad()
        inputs.grad = None
        states, last = compute(inputs, torch.tensor(lengths))
        (states.sin().sum() + last.cos().sum()).backward()
        results.append([states, last, inputs.grad.clone(), *(p.grad.clone() for p in gru.parameters())])
    for ours, theirs in zip(*results, strict=True):
        assert torch.allclose(ours, theirs, atol=1e-5)


def test_gradients_pass_the_numerical_check() -> None:
    torch.manual_seed(0)
    gru = BiGru(3, 4, 1, 0.0).double()
    inputs = torch.randn(2, 3, 3, dtype=torch.double, requires_grad=True)
    lengths = torch.tensor([3, 2])
    assert torch.autograd.gradcheck(lambda given: gru(given, lengths)[0].sum() + gru(given, lengths)[1].sum(), inputs)
