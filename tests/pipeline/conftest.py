"""The real pipeline in a copy of the project, small: one training, few epochs."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
NEEDED = (
    "src",
    "stages",
    "data/examples",
    "data/sample",
    "results/real",
    "docs/results.md",
    "dvc.yaml",
    "params.yaml",
    ".dvcignore",
    ".dvc/config",
)
SMALL: dict[str, dict[str, Any]] = {
    "solver": {"hidden": 16, "embedding": 16},
    "optimizer": {"epochs": 3, "batch_size": 32},
    "diversity": {"update_every": 1, "discriminator_hidden": 16, "beam_size": 5},
}


def environment() -> dict[str, str]:
    found = os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "OMP_NUM_THREADS": "1"}
    found.pop("MLFLOW_TRACKING_URI", None)
    return found


def run(project: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=project, env=environment(), capture_output=True, text=True, check=False)


def copy_project(folder: Path) -> None:
    """The project without its git history, as from a downloaded archive, so DVC is told that there is no SCM."""
    for name in NEEDED:
        source, target = ROOT / name, folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__", "dvc.lock"))
        else:
            shutil.copy(source, target)
    change_params(folder, systems={"semi-d-gts": {"setting": "semi"}}, **SMALL)
    run(folder, "dvc", "config", "--local", "core.no_scm", "true")


def change_params(folder: Path, systems: dict[str, Any] | None = None, **groups: dict[str, Any]) -> None:
    """Values of the groups below `train`; the systems are replaced as a whole."""
    path = folder / "params.yaml"
    params = yaml.safe_load(path.read_text(encoding="utf8"))
    for name, values in groups.items():
        params["train"][name] |= values
    if systems is not None:
        params["train"]["systems"] = systems
    path.write_text(yaml.safe_dump(params, sort_keys=False), encoding="utf8")


@pytest.fixture(scope="session")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    copy_project(folder)
    result = run(folder, "dvc", "repro")
    assert result.returncode == 0, result.stdout + result.stderr
    return folder
