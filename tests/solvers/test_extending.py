"""The example of docs/extending.md is run as it stands there."""

import re
import sys
from pathlib import Path
from types import ModuleType

import pytest
import torch

from mwp.data.problems import Problem
from mwp.solvers.registry import BACKBONES, Backbone, restore_solver
from tests.training.toys import small_config, small_run

PAGE = Path(__file__).parents[2] / "docs/extending.md"


@pytest.fixture
def bag(monkeypatch: pytest.MonkeyPatch) -> str:
    """The page's file as a module of the solvers and its line in the registry."""
    code, line = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf8"), re.DOTALL)
    module = ModuleType("mwp.solvers.bag")
    exec(compile(code, str(PAGE), "exec"), vars(module))
    monkeypatch.setitem(sys.modules, "mwp.solvers.bag", module)
    ((name, backbone),) = eval(f"{{{line.strip()}}}", {"Backbone": Backbone}).items()
    monkeypatch.setitem(BACKBONES, name, backbone)
    return name


def test_the_example_learns_and_comes_back_from_its_material(
    bag: str, sample_problems: list[Problem], tmp_path: Path
) -> None:
    config = small_config(backbone=bag, epochs=10, update_every=5)
    run = small_run(sample_problems[:60], tmp_path, config)
    run.train()
    losses = [epoch["loss"] for epoch in run.state.history]
    assert losses[-1] < 0.7 * losses[0]
    trained = run.learner.solver.eval()
    again = restore_solver(bag, config.solver, trained.encoder.assets).eval()
    again.load_state_dict(trained.state_dict())
    states = [
        solver.encode(solver.encoder.collate([solver.encoder.prepare(sample_problems[0])])).states
        for solver in (trained, again)
    ]
    assert torch.equal(*states)


def test_the_page_is_short() -> None:
    assert len(PAGE.read_text(encoding="utf8").splitlines()) < 80
