"""What a training cannot start from is one clear line; what it computed in is known."""

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from mlflow import MlflowClient

from mwp.data.files import write_records
from mwp.data.folds import make_folds
from mwp.data.problems import Problem
from mwp.errors import BadInput
from mwp.pipeline.export import export_runs
from mwp.pipeline.grid import folds_file, make_run_spec, problems_file
from mwp.pipeline.params import Params, System, TrainParams, read_params
from mwp.pipeline.train import make_run, run_train
from mwp.report.figures import draw_minutes
from mwp.report.saved_run_tables import SavedRunTables
from mwp.report.saved_runs import SavedRuns
from mwp.tracking.store import Store
from mwp.training.checkpoint import load

ROOT = Path(__file__).parents[2]


@pytest.fixture
def params(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TrainParams:
    found = read_params(ROOT / "params.yaml").train
    monkeypatch.chdir(tmp_path)
    return found


def write_dataset(name: str, problems: list[Problem], without_training: bool = False) -> None:
    folds = make_folds(problems, name, "paper", 5, 0.1, 1)
    if without_training:
        folds = [fold.model_copy(update={"train": ()}) for fold in folds]
    write_records(problems_file(name), problems)
    write_records(folds_file(name), folds)


def test_an_empty_training_part(params: TrainParams, sample_problems: list[Problem], tmp_path: Path) -> None:
    write_dataset("full", sample_problems[:40], without_training=True)
    with pytest.raises(BadInput) as error:
        make_run(make_run_spec(params, "full", "gts", "diversified", 0), tmp_path)
    assert str(error.value) == (
        "data/folds/full.jsonl: fold 0 has no training problem of dataset full, which setting full needs; "
        "give more problems, or fewer folds"
    )


def test_a_fold_with_no_weak_problems(params: TrainParams, sample_problems: list[Problem], tmp_path: Path) -> None:
    write_dataset("full", sample_problems[:40])
    write_dataset("weak", sample_problems[40:60], without_training=True)
    with pytest.raises(
        BadInput, match=r"weak\.jsonl: fold 0 has no training problem of dataset weak, which setting semi"
    ):
        make_run(make_run_spec(params, "semi", "gts", "diversified", 0), tmp_path)


def test_a_setting_whose_problems_start_with_nothing(
    params: TrainParams, sample_problems: list[Problem], tmp_path: Path
) -> None:
    write_dataset("full", sample_problems[:40])
    start = {"weak": params.seeding["weak"].model_copy(update={"strategy": "none"})}
    changed = params.model_copy(update={"seeding": {**params.seeding, **start}})
    with pytest.raises(
        BadInput, match=r"setting weak: none of \d+ training problems has a solution to start with; give"
    ):
        make_run(make_run_spec(changed, "weak", "gts", "diversified", 0), tmp_path)


@pytest.mark.parametrize(("has_bf16", "precision"), [(True, "bf16"), (False, "fp32")])
def test_a_training_and_what_is_saved_of_it_name_the_precision_that_was_chosen_for_the_machine(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    sample_problems: list[Problem],
    has_bf16: bool,
    precision: str,
) -> None:
    params = _tiny(read_params(ROOT / "params.yaml"), precision="auto")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch.cpu, "_is_avx512_bf16_supported", lambda: has_bf16)
    write_dataset("full", sample_problems[:40])
    model = run_train(make_run_spec(params.train, "full", "gts", "plain", 0)) / "model.pt"
    assert load(model)["config"]["optimizer"]["precision"] == precision
    monkeypatch.setattr(torch.cpu, "_is_avx512_bf16_supported", lambda: not has_bf16)
    export_runs(params, tmp_path / "saved")
    assert SavedRuns(tmp_path / "saved").runs["full-gts", 0].config["optimizer"]["precision"] == precision


def test_a_fold_too_small_for_a_slice_keeps_the_last_epoch_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], sample_problems: list[Problem]
) -> None:
    params = _tiny(read_params(ROOT / "params.yaml"), precision="fp32", epochs=2)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    write_dataset("full", sample_problems[:9])
    folder = run_train(make_run_spec(params.train, "full", "gts", "plain", 0))
    said = capsys.readouterr().err.splitlines()
    assert said[0] == "no validation problems: the last epoch is used"
    assert [line.split(", ")[1] for line in said[1:]] == ["valid none"] * 2
    assert [sorted(epoch) for epoch in json.loads((folder / "history.json").read_text(encoding="utf8"))] == [
        ["buffer_empty", "buffer_purity", "buffer_size", "loss", "new_solutions", "weight_sound"]
    ] * 2
    export_runs(params, tmp_path / "saved")
    saved = SavedRuns(tmp_path / "saved")
    assert SavedRunTables(saved).trainings("full-gts").endswith(" none, none |")
    assert "| 2 of 2 | none |" in " ".join(SavedRunTables(saved).tuning_runs("full", "seed").split())
    draw_minutes({"a": list(saved.runs.values())}, tmp_path / "minutes.svg")


def test_patience_without_a_slice_is_refused(
    params: TrainParams, sample_problems: list[Problem], tmp_path: Path
) -> None:
    write_dataset("full", sample_problems[:9])
    impatient = params.model_copy(update={"optimizer": params.optimizer.model_copy(update={"patience": 3})})
    with pytest.raises(BadInput) as error:
        make_run(make_run_spec(impatient, "full", "gts", "plain", 1), tmp_path)
    assert str(error.value) == (
        "train.optimizer.patience 3: fold 1 has no validation problems on which a solver could stop getting better; "
        "set it to 0, or raise folds.valid"
    )


def _tiny(params: Params, **optimizer: Any) -> Params:
    train = params.train
    changed = {
        "systems": {"full-gts": System(setting="full", backbone="gts", variant="plain")},
        "solver": train.solver.model_copy(update={"hidden": 16, "embedding": 16}),
        "optimizer": train.optimizer.model_copy(update={"epochs": 1, **optimizer}),
    }
    return params.model_copy(update={"train": train.model_copy(update=changed)})


def test_a_training_that_diverges_is_a_failed_run_without_a_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sample_problems: list[Problem]
) -> None:
    params = _tiny(read_params(ROOT / "params.yaml"), precision="fp32", learning_rate=1e30, batch_size=8).train
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    write_dataset("full", sample_problems[:40])
    with pytest.raises(BadInput, match=r"epoch 1, step \d, learning rate .* no model is saved$"):
        run_train(make_run_spec(params, "full", "gts", "plain", 0))
    assert not (tmp_path / "models").exists()
    client = MlflowClient(Store.of_project().uri)
    (run,) = client.search_runs(["1"], "attributes.run_name = 'full-gts fold 0'")
    assert run.info.status == "FAILED"
    assert not client.search_registered_models()
