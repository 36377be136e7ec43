"""The real pipeline, run by DVC in a copy of the project."""

import json
from pathlib import Path

import pytest
from mlflow import MlflowClient

from tests.pipeline.conftest import run

ROOT = Path(__file__).parents[2]


def test_every_stage_leaves_its_outputs(project: Path) -> None:
    for name in (
        "data/clean/summary.json",
        "data/wda/audit.csv",
        "data/folds/full.jsonl",
        "results/summary.json",
        "results/report.html",
        "results/metrics.json",
        "results/plots/curves.csv",
    ):
        assert (project / name).stat().st_size
    summary = json.loads((project / "data/clean/summary.json").read_text(encoding="utf8"))["full"]
    assert summary["kept"] + sum(summary["dropped"].values()) == summary["total"]
    assert summary["dropped"]["equation in the text"] > 0


def test_the_report_holds_a_table_for_each_setting_and_dataset(project: Path) -> None:
    report = (project / "results/report.md").read_text(encoding="utf8")
    assert "## Setting semi, tested on full" in report
    assert "## Setting semi, tested on weak" in report
    assert "| D-GTS  |    0 |" in report


def test_the_page_leads_to_the_tracked_run_and_shows_what_the_discriminator_thinks(project: Path) -> None:
    page = (project / "results/report.html").read_text(encoding="utf8")
    client = MlflowClient(f"sqlite:///{project}/mlflow.db")
    experiment = client.get_experiment_by_name("mwp").experiment_id
    (tracked,) = client.search_runs([experiment], "tags.fingerprint != ''")
    assert f"http://127.0.0.1:5000/#/experiments/{experiment}/runs/{tracked.info.run_id}" in page
    lines = (project / "predictions/semi-d-gts/fold-0/full.jsonl").read_text(encoding="utf8").splitlines()
    scores = [one["qualification"] for line in lines for one in json.loads(line)["hypotheses"]]
    assert scores
    assert all(0 < score < 1 for score in scores)
    for line in lines:
        assert sum(one["verified"] for one in json.loads(line)["hypotheses"]) == pytest.approx(1, abs=1e-4)


def test_a_second_repro_does_nothing(project: Path) -> None:
    before = (project / "dvc.lock").read_bytes()
    result = run(project, "dvc", "repro")
    assert "Data and pipelines are up to date." in result.stdout
    assert (project / "dvc.lock").read_bytes() == before


def test_a_changed_param_reruns_only_what_depends_on_it(project: Path) -> None:
    params = project / "params.yaml"
    text = params.read_text(encoding="utf8")
    params.write_text(text.replace("batch_size: 128", "batch_size: 64"), encoding="utf8")
    result = run(project, "dvc", "repro")
    params.write_text(text, encoding="utf8")
    assert "Running stage 'stages/evaluate/dvc.yaml:evaluate@semi-d-gts-0'" in result.stdout
    assert "Running stage 'stages/train/" not in result.stdout
    assert "Running stage 'stages/wda/" not in result.stdout


def test_metrics_are_shown_by_dvc(project: Path) -> None:
    metrics = json.loads(run(project, "dvc", "metrics", "show", "--json").stdout)
    shown = metrics[""]["data"]["results/metrics.json"]["data"]["semi-d-gts"]
    assert set(shown) == {"full", "weak"}
    assert 0 <= shown["full"]["top_1"] <= shown["full"]["pass_5"] <= 1


def test_a_typo_in_the_params_stops_the_pipeline_with_one_clear_line(project: Path) -> None:
    params = project / "params.yaml"
    text = params.read_text(encoding="utf8")
    params.write_text(text.replace("  scheme: paper", "  shceme: paper"), encoding="utf8")
    result = run(project, "dvc", "repro")
    params.write_text(text, encoding="utf8")
    assert result.returncode != 0
    assert "folds.shceme is no parameter; did you mean scheme?" in result.stderr
    # DVC takes a stage's outputs away before it runs it again; its cache still has them.
    assert run(project, "dvc", "checkout").returncode == 0
    assert (project / "data/folds/full.jsonl").exists()
