"""Our GRU layer for the CPU against torch's own on packed sequences."""

import pytest
import torch
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from mwp.solvers.layers import BiGru


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


def test_under_autocast_only_the_products_are_of_narrow_numbers() -> None:
    """Their rounding changes states by less than a hundredth, and gradients in the same proportion."""
    torch.manual_seed(0)
    gru = BiGru(16, 24, 2, 0.0)
    inputs, lengths = torch.randn(5, 9, 16), torch.tensor([9, 7, 7, 3, 1])
    found = []
    for narrow in (False, True):
        gru.zero_grad()
        # Some virtual machines announce instructions for half precision that oneDNN then fails to run.
        with torch.backends.mkldnn.flags(enabled=False), torch.autocast("cpu", torch.bfloat16, enabled=narrow):
            states, last = gru(inputs, lengths)
        (states.sin().sum() + last.cos().sum()).backward()
        found.append([states, last, *(weight.grad.clone() for weight in gru.parameters())])
    wide, narrow = found
    assert all(one.dtype == torch.float32 for one in narrow)
    assert any(not torch.equal(one, other) for one, other in zip(wide, narrow, strict=True))
    for one, other in zip(wide, narrow, strict=True):
        assert (one - other).norm() < 0.02 * one.norm()
