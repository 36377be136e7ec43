"""The real pipeline in a copy of the project, small: one training, few epochs."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NEEDED = ("src", "stages", "data/sample", "dvc.yaml", "params.yaml", ".dvcignore", ".dvc/config")
SMALL = {
    "settings: [full, semi, weak]": "settings: [semi]",
    "variants: [plain, diversified]": "variants: [diversified]",
    "hidden: 64": "hidden: 16",
    "embedding: 64": "embedding: 16",
    "update_every: 2": "update_every: 1",
    "discriminator: 64": "discriminator: 16",
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
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target)
    params = (ROOT / "params.yaml").read_text(encoding="utf8")
    for old, new in {**SMALL, f"epochs: {_epochs(params)}": "epochs: 3"}.items():
        assert old in params, old
        params = params.replace(old, new)
    (folder / "params.yaml").write_text(params, encoding="utf8")
    run(folder, "dvc", "config", "--local", "core.no_scm", "true")


def _epochs(params: str) -> str:
    return params.split("epochs: ")[1].split()[0]


@pytest.fixture(scope="session")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    copy_project(folder)
    result = run(folder, "dvc", "repro")
    assert result.returncode == 0, result.stdout + result.stderr
    return folder
