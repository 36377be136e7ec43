"""Every block of docs/extending.md is run as it stands there."""

import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import torch

from mwp.data.layouts import LAYOUTS, Layout
from mwp.data.problems import Problem
from mwp.data.readers import read_problems
from mwp.data.vocabulary import symbol_ids
from mwp.evaluation.outcomes import SCORERS
from mwp.evaluation.scores import score
from mwp.solvers.base import EncoderDecoder, read_beams
from mwp.solvers.registry import BACKBONES, Backbone, restore_solver
from mwp.training.config import SeedConfig
from mwp.wda.registry import STRATEGIES, make_strategy
from mwp.wda.tasks import task_of
from tests.evaluation.toys import PREDICTIONS, PROBLEMS
from tests.training.test_loop import Stopper, outputs
from tests.training.toys import small_config, small_run
from tests.wda.problems import problem

PAGE = Path(__file__).parents[2] / "docs/extending.md"
PACKAGE = PAGE.parents[1] / "tests/fixtures/extension"
TEXT = PAGE.read_text(encoding="utf8")
# Each block stands below a line that ends with the name of its file or registry.
BLOCKS = dict(re.findall(r"`([^`]+)`:\n\n```\w+\n(.*?)```", TEXT, re.DOTALL))
IN_PACKAGE = ("pyproject.toml", "mwp_bag/__init__.py", "mwp_bag/encoder.py", "mwp_bag/decoder.py")


def run_as(name: str, block: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    module = ModuleType(name)
    monkeypatch.setitem(sys.modules, name, module)
    exec(compile(BLOCKS[block], str(PAGE), "exec"), vars(module))
    return module


def add_line(registry: Any, name: str, known: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> str:
    ((key, value),) = eval(f"{{{BLOCKS[name].strip()}}}", known).items()
    monkeypatch.setitem(registry, key, value)
    return str(key)


@pytest.fixture
def bag(monkeypatch: pytest.MonkeyPatch) -> str:
    """Encoder and decoder as modules of the solvers, and their line in the registry."""
    for name, block in (("bag", "encoder"), ("chain", "decoder")):
        run_as(f"mwp.solvers.{name}", f"mwp_bag/{block}.py", monkeypatch)
    return add_line(BACKBONES, "BACKBONES", {"Backbone": Backbone}, monkeypatch)


@pytest.fixture
def network(bag: str, sample_problems: list[Problem], tmp_path: Path) -> EncoderDecoder:
    solver: EncoderDecoder = small_run(sample_problems[:60], tmp_path, small_config(backbone=bag)).learner.solver
    return solver.eval()


def test_every_block_is_named_and_run() -> None:
    assert len(BLOCKS) == TEXT.count("```") / 2
    others = {
        "BACKBONES",
        "STRATEGIES",
        "SCORERS",
        "LAYOUTS",
        "src/mwp/wda/shorter.py",
        "src/mwp/evaluation/rounded.py",
    }
    assert {*BLOCKS} == {*IN_PACKAGE} | others


@pytest.mark.parametrize("file", IN_PACKAGE)
def test_the_package_that_the_tests_install_is_the_one_of_the_page(file: str) -> None:
    assert (PACKAGE / file).read_text(encoding="utf8") == BLOCKS[file]


def test_the_backbone_learns_and_comes_back_from_its_assets(
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


def test_the_backbone_resumes_to_the_same_bytes(bag: str, sample_problems: list[Problem], tmp_path: Path) -> None:
    config = small_config(backbone=bag, epochs=3)
    whole = small_run(sample_problems[:60], tmp_path / "whole", config)
    whole.train()
    with pytest.raises(KeyboardInterrupt):
        small_run(sample_problems[:60], tmp_path / "stopped", config, callback=Stopper(6, polite=True)).train()
    again = small_run(sample_problems[:60], tmp_path / "stopped", config)
    assert again.resume()
    again.train()
    assert outputs(again, tmp_path / "stopped") == outputs(whole, tmp_path / "whole")


def test_outputs_do_not_depend_on_the_rest_of_the_batch_and_log_prob_gives_what_beams_says(
    network: EncoderDecoder, sample_problems: list[Problem]
) -> None:
    encoded = [network.encoder.prepare(problem) for problem in sample_problems[:12]]
    encoded.sort(key=lambda one: -len(one.tokens))
    with torch.no_grad():
        together = network.encoder.collate(encoded)
        found = read_beams(network.decoder, network.solve(together, 4))
        assert all(len(some) == 4 for some in found)
        for row, one in enumerate(encoded):
            alone = network.encoder.collate([one])
            assert [solution for solution, _ in read_beams(network.decoder, network.solve(alone, 4))[0]] == [
                solution for solution, _ in found[row]
            ]
            plan = network.decoder.plan([symbol_ids(solution) for solution, _ in found[row]], [0] * 4)
            expected = torch.tensor([log_prob for _, log_prob in found[row]])
            assert torch.allclose(network.log_prob(alone, plan), expected, atol=1e-4)


def test_the_strategy_labels_problems_and_its_name_is_known_to_params(monkeypatch: pytest.MonkeyPatch) -> None:
    run_as("mwp.wda.shorter", "src/mwp/wda/shorter.py", monkeypatch)
    name = add_line(STRATEGIES, "STRATEGIES", {}, monkeypatch)
    limits = {"max_tries": 2_000, "max_expressions": 1_000, "max_candidates": 1}
    tasks = [task_of(problem("有3个苹果和4个梨，共有多少个？", "7")), task_of(problem("有3个苹果和4个梨。", "1234.5"))]
    first, second = (make_strategy(name, **limits).search(task) for task in tasks)
    assert (first.strategy, [one.solution for one in first.candidates]) == ("shorter", [("+", "N0", "N1")])
    assert second.candidates == ()
    assert SeedConfig(strategy=name, max_candidates=1).strategy == "shorter"


def test_the_scorer_has_its_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    module = run_as("mwp.evaluation.rounded", "src/mwp/evaluation/rounded.py", monkeypatch)
    name = add_line(SCORERS, "SCORERS", vars(module), monkeypatch)
    assert score(PREDICTIONS, PROBLEMS).accuracy(name).value == pytest.approx(1 / 3)


def test_a_file_with_the_keys_of_the_data_set_is_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    add_line(LAYOUTS, "LAYOUTS", {"Layout": Layout}, monkeypatch)
    file = tmp_path / "quiz.csv"
    file.write_text("id,prompt,formula,ans\n1,有3个苹果和4个梨，共有多少个？,3+4,7\n", encoding="utf8")
    (read,) = read_problems(file).problems
    assert (read.source, read.answer, read.gold) == ("quiz", 7, (("+", "N0", "N1"),))


def test_no_line_is_long() -> None:
    assert max(map(len, TEXT.splitlines())) <= 120
