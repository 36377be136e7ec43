"""Our tanh for the CPU against torch's own."""

import torch

from mwp.solvers.cpu_kernels import tanh_values
from mwp.solvers.layers import tanh


def test_values_equal_torchs_own_far_out_and_near_zero() -> None:
    values = torch.cat((torch.linspace(-30, 30, 2001), torch.linspace(-1e-3, 1e-3, 201), torch.tensor([1e30, -1e30])))
    given = values.clone()
    assert torch.allclose(tanh_values(given), torch.tanh(values), atol=2e-7)
    assert torch.equal(given, values)


def test_gradients_pass_the_numerical_check() -> None:
    values = torch.linspace(-3, 3, 15, dtype=torch.double, requires_grad=True)
    assert torch.autograd.gradcheck(tanh, values)
