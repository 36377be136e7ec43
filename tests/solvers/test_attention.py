"""Attention piece by piece, as on a CPU, against all at once, as on a GPU."""

import pytest
import torch

from mwp.solvers import attention
from mwp.solvers.attention import look, look_at_once


def inputs(dtype: torch.dtype = torch.float) -> tuple[list[torch.Tensor], torch.Tensor, torch.Tensor]:
    """Nine goals of three problems of up to five tokens, width 4: (queries, keys, vector, states), mask, owners."""
    torch.manual_seed(1)
    shapes = ((9, 4), (3, 5, 4), (4,), (3, 5, 4))
    parts = [torch.randn(shape, dtype=dtype, requires_grad=True) for shape in shapes]
    mask = torch.arange(5) < torch.tensor([5, 3, 1])[:, None]
    return parts, mask, torch.tensor([0, 2, 1, 0, 0, 2, 1, 1, 0])


@pytest.mark.parametrize("piece", [1, 45, 1 << 18])
def test_contexts_and_gradients_equal_those_of_all_at_once(piece: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attention, "PIECE", piece)
    results = []
    for compute in (look, look_at_once):
        (queries, keys, vector, states), mask, owners = inputs()
        contexts = compute(queries, keys, vector, states, mask, owners)
        contexts.sin().sum().backward()
        results.append([contexts, *(part.grad for part in (queries, keys, vector, states))])
    for ours, plain in zip(*results, strict=True):
        assert torch.allclose(ours, plain, atol=1e-6)


def test_gradients_pass_the_numerical_check() -> None:
    parts, mask, owners = inputs(torch.double)
    assert torch.autograd.gradcheck(lambda *given: look(*given, mask, owners), parts)


def test_no_goals_find_nothing() -> None:
    (queries, keys, vector, states), mask, owners = inputs()
    assert look(queries[:0], keys, vector, states, mask, owners[:0]).shape == (0, 4)
