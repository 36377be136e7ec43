"""Two processes train the model that one process trains, to float tolerance."""

import shutil
from pathlib import Path

import torch
from mlflow import MlflowClient

from mwp.data.files import read_records, write_records
from mwp.data.folds import Fold
from mwp.tracking.experiment import COUNT
from tests.pipeline.conftest import change_params, run

TRAIN = ("mwp", "stage", "train", "--setting", "full", "--variant", "diversified")
TWO = ("torchrun", "--standalone", "--nproc_per_node", "2", "--no-python")
PROBLEMS = 151  # one is left for the last batch
MODEL = Path("models/full-d-gts/fold-0/model.pt")


def test_two_processes_train_what_one_trains(project: Path, tmp_path: Path) -> None:
    """In batches so small that a process's share often leaves some weight without a gradient, or is empty.

    And in few and short steps, for Adam makes what was lost by rounding as large as any other change.
    """
    copy_data(project, tmp_path)
    change_params(
        tmp_path,
        solver={"dropout": 0.0},
        optimizer={"epochs": 2, "batch_size": 3, "learning_rate": 0.001, "warmup_steps": 3},
    )
    folds = tmp_path / "data/folds/full.jsonl"
    write_records(
        folds, [fold.model_copy(update={"train": fold.train[:PROBLEMS]}) for fold in read_records(folds, Fold)]
    )
    models = []
    for launcher in ((), TWO):
        result = run(tmp_path, *launcher, *TRAIN)
        assert result.returncode == 0, result.stderr
        models.append(torch.load(tmp_path / MODEL, weights_only=True))
        shutil.rmtree(tmp_path / "models")
        shutil.rmtree(tmp_path / ".scratch")
    assert process_counts(tmp_path) == ["1", "2"]
    for part in ("solver", "discriminator"):
        for name, value in models[0][part].items():
            assert torch.allclose(value, models[1][part][name], atol=1e-4), (part, name)


def test_two_processes_stop_when_there_are_no_numbers_any_more(project: Path, tmp_path: Path) -> None:
    copy_data(project, tmp_path)
    change_params(tmp_path, optimizer={"epochs": 2, "learning_rate": 1e30})
    result = run(tmp_path, *TWO, *TRAIN)
    assert result.returncode != 0
    assert "error: epoch 1, step " in result.stderr, result.stderr
    assert not (tmp_path / "models").exists()


def copy_data(project: Path, folder: Path) -> None:
    for name in ("data", "params.yaml", "dvc.yaml"):
        source = project / name
        shutil.copytree(source, folder / name) if source.is_dir() else shutil.copy(source, folder / name)


def process_counts(folder: Path) -> list[str]:
    client = MlflowClient(tracking_uri=f"sqlite:///{folder / 'mlflow.db'}")
    experiments = [experiment.experiment_id for experiment in client.search_experiments()]
    runs = client.search_runs(experiments, "tags.`process.count` != ''", order_by=["attributes.start_time ASC"])
    return [run.data.tags[COUNT] for run in runs]
