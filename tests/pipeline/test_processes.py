"""`accelerate launch` with two processes trains the model that one process trains, to float tolerance."""

import shutil
from pathlib import Path

import torch

from tests.pipeline.conftest import change_params, run

TRAIN = ("stage", "train", "--setting", "full", "--variant", "diversified")
MODEL = Path("models/full-d-gts/fold-0/model.pt")


def test_two_processes_train_what_one_trains(project: Path, tmp_path: Path) -> None:
    for name in ("data", "params.yaml", "dvc.yaml"):
        source = project / name
        shutil.copytree(source, tmp_path / name) if source.is_dir() else shutil.copy(source, tmp_path / name)
    change_params(tmp_path, solver={"dropout": 0.0}, optimiser={"epochs": 2})
    models = []
    for launcher in (("mwp",), ("accelerate", "launch", "--num_processes", "2", "--cpu", "-m", "mwp.cli.app")):
        result = run(tmp_path, *launcher, *TRAIN)
        assert result.returncode == 0, result.stderr
        models.append(torch.load(tmp_path / MODEL, weights_only=True)["solver"])
        shutil.rmtree(tmp_path / "models")
        shutil.rmtree(tmp_path / ".scratch")
    for name, value in models[0].items():
        assert torch.allclose(value, models[1][name], atol=1e-3), name
