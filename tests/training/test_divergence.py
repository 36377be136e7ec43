"""A training that computes no numbers any more stops with one line, and nothing of it is kept."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from mwp.data.problems import Problem
from mwp.errors import BadInput
from mwp.inference.solver import Solver
from mwp.training.checkpoint import load
from mwp.training.trainer import Trainer
from tests.training.toys import small_config, small_run

NAN = torch.tensor(torch.nan)
STEPS = 5  # of an epoch, of 100 problems


@pytest.fixture
def problems(sample_problems: list[Problem]) -> list[Problem]:
    return sample_problems[:100]


def change_step(run: Trainer, number: int, change: Callable[[Any], Any]) -> None:
    """What comes of the training's step of this number, from 0."""
    take, count = run.learner.step, iter(range(10_000))

    def step(*arguments: Any) -> Any:
        result = take(*arguments)
        return change(result) if next(count) == number else result

    run.learner.step = step  # type: ignore[method-assign]


@pytest.mark.parametrize("variant", ["plain", "diversified", "lbf"])
def test_a_rate_beyond_all_reason_stops_every_variant_in_its_first_epoch(
    problems: list[Problem], tmp_path: Path, variant: str
) -> None:
    run = small_run(problems, tmp_path, small_config(variant=variant, learning_rate=1e30))
    with pytest.raises(BadInput) as error:
        run.train()
    assert re.fullmatch(
        r"epoch 1, step \d, learning rate \S+e\+(29|30): expected (a finite loss of the solver|finite weights), found "
        r"(nan|inf); lower train\.optimizer\.learning_rate; there is no state to keep, and no model is saved",
        str(error.value),
    )
    assert run.state.best is None
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"loss": NAN}, "a finite loss of the solver, found nan"),
        ({"loss": -NAN / 0}, "a finite loss of the solver, found nan"),
        ({"loss": torch.tensor(torch.inf)}, "a finite loss of the solver, found inf"),
        ({"discriminator_loss": NAN}, "a finite loss of the discriminator, found nan"),
        ({"discriminator_loss": NAN, "loss": NAN}, "a finite loss of the solver, found nan"),
    ],
)
def test_the_first_step_without_a_number_is_named(
    problems: list[Problem], tmp_path: Path, changes: dict[str, Any], expected: str
) -> None:
    run = small_run(problems, tmp_path, small_config(schedule="halving", halve_every=9, warmup_steps=0))
    change_step(run, 2 * STEPS + 3, lambda result: replace(result, **changes))
    with pytest.raises(BadInput) as error:
        run.train()
    assert str(error.value) == (
        f"epoch 3, step 4, learning rate 0.01: expected {expected}; lower train.optimizer.learning_rate; "
        f"the last good state stays in {tmp_path}, and no model is saved"
    )


@pytest.mark.parametrize("part", ["solver", "discriminator"])
def test_weights_that_the_last_step_of_an_epoch_spoils_are_neither_saved_nor_the_best(
    problems: list[Problem], tmp_path: Path, part: str
) -> None:
    run = small_run(problems, tmp_path)

    def spoil(result: Any) -> Any:
        with torch.no_grad():
            next(getattr(run.learner, part).parameters()).view(-1)[0] = torch.nan
        return result

    change_step(run, 2 * STEPS - 1, spoil)
    with pytest.raises(BadInput, match=r"epoch 2, step 5, .*: expected finite weights, found nan; lower"):
        run.train()
    state = load(tmp_path / "state.pt")
    assert (state["training"]["epoch"], state["training"]["step"]) == (1, 0)
    kept = [run.state.best, state["training"]["best"], state["learner"]["solver"], state["learner"]["discriminator"]]
    assert all(value.isfinite().all() for some in kept for value in some.values())


def test_the_state_from_before_goes_on_to_the_same_bytes(problems: list[Problem], tmp_path: Path) -> None:
    whole = small_run(problems, tmp_path / "whole")
    whole.train()
    Solver.from_training(whole).save(tmp_path / "whole/model.pt")
    astray = small_run(problems, tmp_path / "astray")
    change_step(astray, 2 * STEPS, lambda result: replace(result, loss=NAN))
    with pytest.raises(BadInput, match="epoch 3, step 1, "):
        astray.train()
    again = small_run(problems, tmp_path / "astray")
    assert again.resume()
    again.train()
    Solver.from_training(again).save(tmp_path / "astray/model.pt")
    assert (tmp_path / "astray/model.pt").read_bytes() == (tmp_path / "whole/model.pt").read_bytes()
