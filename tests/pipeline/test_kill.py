"""A training killed for real, and one interrupted, end in the bytes of an undisturbed one."""

import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

from mwp.solvers.registry import BACKBONES
from tests.pipeline.conftest import environment, run

TRAIN = ("mwp", "stage", "train", "--setting", "weak", "--variant", "diversified")
OUTPUTS = Path("models/weak-d-gts/fold-0")


@pytest.fixture
def workshop(project: Path, tmp_path: Path) -> Path:
    """A copy with the data of the pipeline and no training of this setting."""
    for name in ("data", "params.yaml", "dvc.yaml", ".dvc/config"):
        source, target = project / name, tmp_path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(source, target) if source.is_dir() else shutil.copy(source, target)
    return tmp_path


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((folder / OUTPUTS).iterdir())}


def state_time(folder: Path) -> float:
    return max((path.stat().st_mtime for path in (folder / ".scratch").rglob("state.pt")), default=0.0)


def start(folder: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(TRAIN, cwd=folder, env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def wait_for_new_state(folder: Path, process: subprocess.Popen[bytes], before: float) -> None:
    deadline = time.time() + 120
    while state_time(folder) <= before and process.poll() is None and time.time() < deadline:
        time.sleep(0.02)


def test_kill_9_at_several_moments_changes_no_byte(workshop: Path) -> None:
    assert run(workshop, *TRAIN).returncode == 0
    undisturbed = contents(workshop)
    shutil.rmtree(workshop / "models")
    shutil.rmtree(workshop / ".scratch")
    for wait in (0.0, 0.4):  # just after a state was written; in the middle of the next epoch
        process = start(workshop)
        wait_for_new_state(workshop, process, state_time(workshop))
        time.sleep(wait)
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert not (workshop / "models").exists()
    assert run(workshop, *TRAIN).returncode == 0
    assert contents(workshop) == undisturbed


def test_ctrl_c_saves_and_exits_with_130(workshop: Path) -> None:
    process = start(workshop)
    wait_for_new_state(workshop, process, 0.0)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=60) == 130
    assert state_time(workshop) > 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--setting", "fool"), "error: expected a setting of full, semi, weak, found 'fool'"),
        (("--setting", "full", "--fold", "9"), "error: fold 9: data/folds/full.jsonl has the folds 0 to 4"),
        (
            ("--setting", "full", "--backbone", "bird"),
            f"error: expected a backbone of {', '.join(BACKBONES)}, found 'bird'",
        ),
        (("--system", "full-bird"), "error: params.yaml has no train.systems.full-bird; there are: semi-d-gts"),
        ((), "error: say which system to take: --system NAME, or --setting full, semi or weak"),
    ],
)
def test_bad_calls_are_one_clear_line(workshop: Path, arguments: tuple[str, ...], message: str) -> None:
    result = run(workshop, "mwp", "stage", "train", *arguments)
    assert (result.returncode, result.stderr.strip().splitlines()[-1]) == (2, message)


def test_training_before_the_stages_it_needs_says_which(tmp_path: Path, project: Path) -> None:
    shutil.copy(project / "params.yaml", tmp_path)
    result = run(tmp_path, *TRAIN)
    assert result.returncode == 2
    assert "data/clean/full.jsonl is not there yet; run the stages before: dvc repro wda folds" in result.stderr


def test_evaluating_before_training_says_so(workshop: Path) -> None:
    result = run(workshop, "mwp", "stage", "evaluate", "--setting", "full")
    assert result.returncode == 2
    assert "cannot read models/full-d-gts/fold-0/model.pt: No such file or directory" in result.stderr
