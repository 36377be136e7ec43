"""`mwp repro`: cells side by side, and what a grid would cost."""

import shutil
from pathlib import Path

import pytest

from mwp.pipeline.runner import shared_out
from tests.pipeline.conftest import change_params, run


@pytest.fixture
def copy(project: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    shutil.copytree(project, folder)
    return folder


def test_cells_run_side_by_side_and_one_that_fails_keeps_no_other_from_being_trained(copy: Path) -> None:
    systems = {
        "semi-d-gts": {"setting": "semi"},
        "weak-lbf-dns": {"setting": "weak", "backbone": "dns", "variant": "lbf"},
        "full-dns": {"setting": "full", "backbone": "dns", "variant": "plain", "optimizer": {"epochs": 1}},
        "weak-gts": {"setting": "weak", "variant": "plain", "optimizer": {"epochs": 1}},
    }
    change_params(copy, systems=systems)
    result = run(copy, "mwp", "repro", "--jobs", "2")
    assert result.returncode != 0
    assert "failed: weak-lbf-dns on fold 0" in result.stdout
    assert "variant lbf fixes trees node by node: choose a backbone with a tree decoder, such as gts" in result.stdout
    assert "full-dns 0: model: models/full-dns/fold-0" in result.stdout
    assert "weak-gts 0: model: models/weak-gts/fold-0" in result.stdout
    assert "semi-d-gts 0: model:" not in result.stdout  # nothing has changed for it

    del systems["weak-lbf-dns"]
    change_params(copy, systems=systems)
    result = run(copy, "dvc", "repro")
    assert result.returncode == 0, result.stdout + result.stderr
    assert "Running stage 'stages/train" not in result.stdout  # one after the other finds nothing left to train
    report = (copy / "results/report.md").read_text(encoding="utf8")
    assert all(f"| {title} " in report for title in ("DNS", "GTS", "D-GTS"))


def test_a_dry_run_lists_the_cells_with_their_cost_and_changes_nothing(copy: Path) -> None:
    before = {path: path.read_bytes() for path in (copy / "params.yaml", copy / "dvc.lock")}
    result = run(copy, "mwp", "repro", "--dry-run")
    assert result.returncode == 0, result.stderr
    assert "| semi-d-gts |    0 |    1,717 |" in result.stdout
    assert "1 trainings, about" in result.stdout
    assert {path: path.read_bytes() for path in before} == before


def test_cores_and_gpus_are_shared_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda _: range(8))
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "3,5")
    shares = [shared_out(4, position) for position in range(4)]
    assert [share["OMP_NUM_THREADS"] for share in shares] == ["2"] * 4
    assert [share["CUDA_VISIBLE_DEVICES"] for share in shares] == ["3", "5", "3", "5"]
