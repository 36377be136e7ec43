"""The commands that DVC hands to a shell."""

import shlex
import shutil
from pathlib import Path

import pytest
import yaml
from dvc.repo import Repo

from tests.pipeline.conftest import run

ROOT = Path(__file__).parents[2]


@pytest.fixture
def workshop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with stages and no data."""
    shutil.copytree(ROOT / "stages", tmp_path / "stages")
    assert run(tmp_path, "dvc", "init", "--no-scm").returncode == 0
    monkeypatch.chdir(tmp_path)  # DVC looks for params from there
    return tmp_path


def command(folder: Path, step: str, system: str) -> str:
    """What DVC runs for this system on fold 0; the project has no other."""
    params = yaml.safe_load((ROOT / "params.yaml").read_text(encoding="utf8"))
    params["train"]["systems"] = {system: {"setting": "full"}}
    (folder / "params.yaml").write_text(yaml.safe_dump(params), encoding="utf8")
    with Repo(str(folder)) as repo:
        (stage,) = repo.stage.collect(f"stages/{step}/dvc.yaml:{step}@{system}-0")
        assert isinstance(stage.cmd, str)
        return stage.cmd


@pytest.mark.parametrize("step", ["train", "evaluate"])
def test_a_system_is_trained_and_tested_by_its_name(workshop: Path, step: str) -> None:
    assert command(workshop, step, "full-d-gts") == f"mwp stage {step} --system full-d-gts --fold 0"


@pytest.mark.parametrize("step", ["train", "evaluate"])
@pytest.mark.parametrize("name", ["x; touch pwned; true", "x'; touch pwned; '", "$(touch pwned)", "`touch pwned`"])
def test_a_name_that_nothing_has_checked_yet_is_one_word_to_the_shell(workshop: Path, step: str, name: str) -> None:
    assert shlex.split(command(workshop, step, name)) == ["mwp", "stage", step, "--system", name, "--fold", "0"]
