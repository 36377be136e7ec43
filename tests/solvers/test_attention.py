"""Attention piece by piece, as on a CPU, against all at once, as on a GPU."""

import pytest
import torch

from mwp.solvers import cpu_kernels
from mwp.solvers.layers import additive_attention, plain_attention


def inputs(dtype: torch.dtype = torch.float) -> tuple[list[torch.Tensor], torch.Tensor, torch.Tensor]:
    """Nine goals of three problems of up to five tokens, width 4: (queries, keys, vector, states), mask, owners."""
    torch.manual_seed(1)
    shapes = ((9, 4), (3, 5, 4), (4,), (3, 5, 4))
    parts = [torch.randn(shape, dtype=dtype, requires_grad=True) for shape in shapes]
    mask = torch.arange(5) < torch.tensor([5, 3, 1])[:, None]
    return parts, mask, torch.tensor([0, 2, 1, 0, 0, 2, 1, 1, 0])


@pytest.mark.parametrize("chunk", [1, 45, 1 << 18])
def test_contexts_and_gradients_equal_those_of_all_at_once(chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cpu_kernels, "CHUNK_SIZE", chunk)
    results = []
    for compute in (additive_attention, plain_attention):
        (queries, keys, vector, states), mask, problem_index = inputs()
        contexts = compute(queries, keys, vector, states, mask, problem_index)
        contexts.sin().sum().backward()
        results.append([contexts, *(part.grad for part in (queries, keys, vector, states))])
    for ours, plain in zip(*results, strict=True):
        assert torch.allclose(ours, plain, atol=1e-6)


def test_gradients_pass_the_numerical_check() -> None:
    parts, mask, problem_index = inputs(torch.double)
    assert torch.autograd.gradcheck(lambda *given: additive_attention(*given, mask, problem_index), parts)


def test_no_goals_find_nothing() -> None:
    (queries, keys, vector, states), mask, problem_index = inputs()
    assert additive_attention(queries[:0], keys, vector, states, mask, problem_index[:0]).shape == (0, 4)
