"""What is computed for some beams only equals what is computed for all of them, there."""

import torch
from hypothesis import given
from hypothesis import strategies as st

from mwp.solvers.beam import compute_where


@given(st.integers(1, 4), st.integers(1, 3), st.data())
def test_some_beams_get_what_all_would_get(problems: int, beams: int, data: st.DataObject) -> None:
    count = problems * beams
    where = torch.tensor(data.draw(st.lists(st.booleans(), min_size=count, max_size=count))).view(problems, beams)
    goals, scales = torch.randn(problems, beams, 5), torch.randn(problems, beams)

    def compute(goal: torch.Tensor, scale: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        return goal + 1, goal * scale[..., None]

    for found, wanted in zip(compute_where(where, compute, goals, scales), compute(goals, scales), strict=True):
        assert found.shape == wanted.shape
        assert torch.equal(found[where], wanted[where])
