"""Stages are stale only for a reason: ten edits in a copy of the project, and what DVC would run after each."""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.pipeline.conftest import run

ALL = {"clean", "wda", "folds", "train", "evaluate", "report"}


@pytest.fixture(scope="module")
def copy(project: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The finished project, with its source imported from the copy."""
    folder = tmp_path_factory.mktemp("stale") / "project"
    shutil.copytree(project, folder, symlinks=True)
    return folder


@pytest.fixture
def edited(copy: Path) -> Iterator[Path]:
    """Whatever a test edits is put back."""
    kept = {path: path.read_bytes() for path in [copy / "params.yaml", *(copy / "src/mwp").rglob("*.py")]}
    yield copy
    for path, content in kept.items():
        if path.read_bytes() != content:
            path.write_bytes(content)


def change(folder: Path, name: str, old: str, new: str) -> None:
    path = folder / name
    text = path.read_text(encoding="utf8")
    assert text.count(old) >= 1, old
    path.write_text(text.replace(old, new, 1), encoding="utf8")


def stale(folder: Path) -> set[str]:
    """The stages that `dvc repro` would run, once the plan is made anew."""
    planned = run(folder, "dvc", "repro", "-s", "stages/plan/dvc.yaml:plan")
    assert planned.returncode == 0, planned.stdout + planned.stderr
    status = json.loads(run(folder, "dvc", "status", "--json").stdout or "{}")
    names = {re.sub(r"@.*", "", name.rpartition(":")[2]) for name in status}
    return names


def why(folder: Path, stage: str) -> str:
    return run(folder, "mwp", "why-stale", stage).stdout


def test_nothing_is_stale_after_a_repro(edited: Path) -> None:
    assert stale(edited) == set()
    assert run(edited, "mwp", "why-stale").stdout == "nothing is stale\n"


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("src/mwp/training/trainer.py", "import math\n", "import math  # a comment\n"),
        ("src/mwp/training/weights.py", '"""', '"""Other words. '),
        ("src/mwp/arith/expressions.py", "\n\n\n", "\n\n\n\n# a comment of its own\n\n\n"),
        ("src/mwp/solvers/sequence.py", "START = END", "START = END + 0"),  # another decoder
        ("src/mwp/training/lbf/walk.py", "LENGTHS = (-1, 1, 3)", "LENGTHS = (-1, 1, 5)"),  # another variant
        ("src/mwp/tracking/store.py", "LOCK_SECONDS = 60", "LOCK_SECONDS = 61"),  # it only watches
        ("params.yaml", "rounds: 50", "rounds: 49"),  # of LBF, which no system is
        ("src/mwp/cli/app.py", "import os\n", "import os\n\nANSWER = 42\n"),
    ],
)
def test_what_a_stage_does_not_use_makes_it_not_stale(edited: Path, file: str, old: str, new: str) -> None:
    change(edited, file, old, new)
    assert stale(edited) == set()


def test_a_changed_line_in_the_loss_retrains_and_is_named(edited: Path) -> None:
    change(edited, "src/mwp/training/learner.py", "* log_probs).sum()", "* log_probs).sum() * 1")
    assert "code mwp.training.learner: Learner changed" in why(edited, "train")
    assert stale(edited) == {"train"}


def test_a_changed_value_retrains_what_uses_it_and_is_named(edited: Path) -> None:
    change(edited, "params.yaml", "learning_rate: 0.006", "learning_rate: 0.005")
    assert "value optimizer.learning_rate: 0.006 -> 0.005" in why(edited, "train@semi-d-gts-0")
    assert stale(edited) == {"train"}


def test_a_changed_value_that_dvc_itself_watches_is_named_too(edited: Path) -> None:
    change(edited, "params.yaml", "batch_size: 128", "batch_size: 64")
    assert "value evaluate.batch_size: 128 -> 64" in why(edited, "evaluate")
    assert stale(edited) == {"evaluate"}


def test_a_changed_scorer_tests_again_without_training(edited: Path) -> None:
    change(edited, "src/mwp/evaluation/outcomes.py", "def exact(", "def other() -> None:\n    pass\n\n\ndef exact(")
    assert {"train", "clean", "folds"}.isdisjoint(stale(edited))
    assert "evaluate" in stale(edited)
    assert "code mwp.evaluation.outcomes: other is new" in why(edited, "evaluate")


def test_a_system_that_params_no_longer_have_is_not_stale(edited: Path) -> None:
    lock = edited / "stages/evaluate/dvc.lock"
    text = lock.read_text(encoding="utf8")
    lock.write_text(
        text + "  evaluate@gone-0:\n    cmd: x\n    deps:\n    - path: models/gone/fold-0\n", encoding="utf8"
    )
    found = run(edited, "mwp", "why-stale").stdout
    lock.write_text(text, encoding="utf8")
    assert found == "nothing is stale\n"


def test_a_stage_that_is_not_there_is_one_clear_line(edited: Path) -> None:
    result = run(edited, "mwp", "why-stale", "trian")
    assert result.returncode == 2
    assert result.stderr.startswith("error: no stage 'trian' has run; there are: clean")
