"""Dropout by random bytes: what it keeps, how often, and its gradient."""

import pytest
import torch
from torch import nn

from mwp.solvers.layers import Dropout, replace_dropouts


@pytest.mark.parametrize("p", [0.05, 0.3, 0.5])
def test_as_many_are_dropped_as_asked_for_and_the_mean_stays(p: float) -> None:
    torch.manual_seed(1)
    values = torch.ones(1000, 101)
    found = Dropout(p)(values)
    share = (found == 0).float().mean()
    assert share == pytest.approx(p, abs=0.005)
    assert found.mean() == pytest.approx(1, abs=0.01)
    assert len(found.unique()) == 2


def test_choices_of_neighbours_are_independent() -> None:
    torch.manual_seed(2)
    dropped = (Dropout(0.5)(torch.ones(100_000)) == 0).double()
    for lag in range(1, 17):
        both = torch.stack((dropped[lag:], dropped[:-lag]))
        assert abs(float(torch.corrcoef(both)[0, 1])) < 0.02


def test_the_gradient_passes_where_the_value_did() -> None:
    torch.manual_seed(3)
    values = torch.randn(7, 5, 3, requires_grad=True)
    found = Dropout(0.3)(values)
    found.sum().backward()
    assert values.grad is not None
    assert torch.allclose(found, values * values.grad)


def test_the_seed_decides_and_types_stay() -> None:
    drop, values = Dropout(0.4), torch.randn(11, 13, dtype=torch.bfloat16)
    torch.manual_seed(4)
    first = drop(values)
    torch.manual_seed(4)
    assert torch.equal(first, drop(values))
    assert not torch.equal(first, drop(values))
    assert first.dtype == torch.bfloat16


@pytest.mark.parametrize("drop", [Dropout(0.4).eval(), Dropout(0.0)])
def test_nothing_is_dropped_in_evaluation_or_by_zero(drop: Dropout) -> None:
    values = torch.randn(5)
    assert drop(values) is values


def test_there_may_be_nothing_to_drop() -> None:
    assert Dropout(0.3)(torch.ones(0, 4)).shape == (0, 4)


def test_dropouts_of_a_network_from_elsewhere_are_replaced_with_their_probabilities() -> None:
    network = nn.Sequential(nn.Dropout(0.2), nn.Sequential(nn.Linear(2, 2), nn.Dropout(0.7)), Dropout(0.1))
    replace_dropouts(network)
    found = [part for part in network.modules() if isinstance(part, nn.Dropout)]
    assert [(type(part), part.p) for part in found] == [(Dropout, 0.2), (Dropout, 0.7), (Dropout, 0.1)]
