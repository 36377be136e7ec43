"""What is computed for some beams only equals what is computed for all of them, there."""

import torch
from hypothesis import given
from hypothesis import strategies as st

from mwp.solvers.frames import only


@given(st.integers(1, 4), st.integers(1, 3), st.data())
def test_some_beams_get_what_all_would_get(problems: int, beams: int, data: st.DataObject) -> None:
    count = problems * beams
    where = torch.tensor(data.draw(st.lists(st.booleans(), min_size=count, max_size=count))).view(problems, beams)
    goals, keys = torch.randn(problems, beams, 5), torch.randn(problems, 4, 5)

    def compute(goal: torch.Tensor, key: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        return goal + 1, (goal[..., None, :] * key).sum(-1)

    moved, energies = only(where, compute, (goals,), (keys,))
    all_moved, all_energies = compute(goals, keys[:, None])
    assert moved.shape == all_moved.shape
    assert energies.shape == all_energies.shape
    assert torch.allclose(moved[where], all_moved[where])
    assert torch.allclose(energies[where], all_energies[where])
