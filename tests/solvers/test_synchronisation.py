"""Nothing in a training or decoding step makes the host wait for a value that the device computes.

Encoders are watched on the CPU. Decoders are run on torch's meta device, whose tensors have no values: a step that asks
for one fails there, while it may read what stays on the host. It is also no CPU, so the paths taken are a GPU's.
"""

import random
from dataclasses import fields, is_dataclass, replace
from typing import Any

import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode

from tests.solvers.decoders import KINDS
from tests.solvers.toys import toy_batch, toy_solver

WAITING = {"_local_scalar_dense", "nonzero", "item", "is_nonzero", "masked_select", "unique2", "_unique2"}

every_kind = pytest.mark.parametrize("kind", KINDS)


class Waits(TorchDispatchMode):
    """Counts the operations whose result the host must see before it can go on."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        name = func.name().split("::")[1].split(".")[0]
        if name in WAITING:
            self.found.append(name)
        return func(*args, **(kwargs or {}))


def test_the_counter_counts() -> None:
    with Waits() as waits:
        float(torch.ones(3).sum())
        torch.ones(3).nonzero()
    assert waits.found == ["_local_scalar_dense", "nonzero"]


def without_values(record: Any) -> Any:
    """A record of tensors as `on_device` moves it."""
    if isinstance(record, torch.Tensor):
        return record.detach().to("meta")
    if isinstance(record, tuple):
        return tuple(map(without_values, record))
    if not is_dataclass(record):
        return record
    moved = {field.name: getattr(record, field.name) for field in fields(record) if field.name != "lengths"}
    return replace(record, **{name: without_values(value) for name, value in moved.items()})


@pytest.mark.parametrize(
    "ask",
    [
        lambda values: float(values.sum()),
        lambda values: values.nonzero(),
        lambda values: values[values > 0],
        lambda values: values.unique(),
        lambda values: bool((values > 0).any()),
        lambda values: values.tolist(),
    ],
)
def test_whoever_asks_for_a_value_fails(ask: Any) -> None:
    with pytest.raises((RuntimeError, NotImplementedError)):
        ask(torch.ones(3, device="meta"))


@every_kind
def test_a_training_step_of_the_decoder_never_waits(kind: str) -> None:
    solver, (batch, solutions, problem_index) = toy_solver(kind, dropout=0.3), toy_batch(random.Random(1), 6)
    plan, encoding = solver.decoder.plan(solutions, problem_index), solver.encode(batch)
    decoder = solver.decoder.to("meta")
    (-decoder.log_prob(without_values(encoding), without_values(plan)).mean()).backward()
    torch.nn.utils.clip_grad_norm_(decoder.parameters(), 5.0)
    assert all(parameter.grad is not None for parameter in decoder.parameters())


@every_kind
def test_a_decoding_step_never_waits(kind: str) -> None:
    solver, (batch, _, _) = toy_solver(kind, max_operators=4).eval(), toy_batch(random.Random(2), 5)
    with torch.inference_mode():
        encoding = without_values(solver.encode(batch))
        search = solver.decoder.to("meta").search(encoding, 3)
        state = search.state
        for step in range(state.symbols.shape[-1]):
            state = search.expand(search.memory, state, step)
