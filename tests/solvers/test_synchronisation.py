"""Nothing in a training or decoding step makes the host wait for a value that the device computes."""

import random
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from mwp.solvers.interfaces import Encoding
from mwp.solvers.tree_beam import _grow, _remember, _start
from tests.solvers.toys import toy_batch, toy_solver

WAITING = {"_local_scalar_dense", "nonzero", "item", "is_nonzero", "masked_select", "unique2", "_unique2"}


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


def encode(solver: Any, batch: Any) -> Encoding:
    """Before the count: on the CPU the recurrence reads the lengths, which never leave the host anyway."""
    encoding: Encoding = solver.encode(batch)
    return encoding


def test_the_counter_counts() -> None:
    with Waits() as waits:
        float(torch.ones(3).sum())
        torch.ones(3).nonzero()
    assert waits.found == ["_local_scalar_dense", "nonzero"]


def test_a_training_step_of_the_decoder_never_waits() -> None:
    solver, (batch, solutions, owners) = toy_solver(dropout=0.3), toy_batch(random.Random(1), 6)
    plan, encoding = solver.decoder.plan(solutions, owners), encode(solver, batch)
    optimiser = torch.optim.Adam(solver.parameters())
    with Waits() as waits:
        (-solver.decoder.log_prob(encoding, plan).mean()).backward()
        torch.nn.utils.clip_grad_norm_(solver.parameters(), 5.0)
    assert waits.found == []
    optimiser.step()


def test_a_decoding_step_never_waits_on_a_gpu() -> None:
    """The one question that the CPU asks in a step, whether a merge is needed at all, is asked of the CPU only."""
    solver, (batch, _, _) = toy_solver(max_operators=4).eval(), toy_batch(random.Random(2), 5)
    with torch.inference_mode():
        encoding = encode(solver, batch)
        memory, state = _remember(solver.decoder, encoding), _start(encoding.problem, 3, 4, 9)
        for step in range(4):
            with Waits() as waits:
                state = _grow(solver.decoder, memory, state, 3, step, 9)
            merges = (step + 1) // 2
            assert len(waits.found) <= merges
            assert set(waits.found) <= {"_local_scalar_dense", "is_nonzero"}
