"""The real pipeline, run by DVC in a copy of the project."""

import ast
import json
from pathlib import Path

import pytest
import yaml

from tests.pipeline.conftest import run

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src/mwp"


def test_every_stage_leaves_its_outputs(project: Path) -> None:
    for name in (
        "data/clean/summary.json",
        "data/wda/audit.csv",
        "data/folds/full.jsonl",
        "results/summary.json",
        "results/report.html",
        "results/curves.csv",
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
    note = json.loads(next((project / ".scratch/semi-d-gts").rglob("run.json")).read_text(encoding="utf8"))
    assert f"http://127.0.0.1:5000/#/experiments/{note['experiment']}/runs/{note['run']}" in page
    lines = (project / "predictions/semi-d-gts/fold-0/full.jsonl").read_text(encoding="utf8").splitlines()
    scores = [beam["qualification"] for line in lines for beam in json.loads(line)["hypotheses"]]
    assert scores
    assert all(0 < score < 1 for score in scores)
    for line in lines:
        assert sum(beam["verified"] for beam in json.loads(line)["hypotheses"]) == pytest.approx(1, abs=1e-4)


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
    shown = metrics[""]["data"]["results/summary.json"]["data"]
    assert shown["wda"]["ranked"]["sound"] > shown["wda"]["published"]["sound"]


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


# Shared by all stages and changing no output by themselves: where files lie, how progress is shown, how params are read.
FRAME = {
    "errors.py",
    "display.py",
    "upgrades.py",
    "pipeline/__init__.py",
    "pipeline/grid.py",
    "pipeline/progress.py",
    "pipeline/params.py",
}
# What only watches a stage, or scores after it, with all that it imports: a change there makes no other output.
WATCHERS = {
    "train": {"evaluation", "report", "tracking", "pipeline/plan.py"},
    "evaluate": {"tracking"},
    "report": {"tracking"},
}


def imported_modules(file: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("mwp."):
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def source_file(module: str) -> Path | None:
    path = ROOT / "src" / Path(*module.split("."))
    return next((file for file in (path.with_suffix(".py"), path / "__init__.py") if file.exists()), None)


def closure(module: str, watchers: set[str]) -> set[str]:
    """The parts of the package that a module imports, directly or by way of others: files of stages, else folders."""
    files, parts, pending = set(), set(), [module]
    while pending:
        file = source_file(pending.pop())
        if not file or file in files or (path := file.relative_to(PACKAGE)).as_posix() in FRAME:
            continue
        part = str(path) if path.parts[0] == "pipeline" else path.parts[0]
        if part not in watchers:
            files.add(file)
            parts.add(part)
            pending += imported_modules(file)
    return parts


STAGE_FILES = [ROOT / "dvc.yaml", *sorted((ROOT / "stages").glob("*/dvc.yaml"))]


@pytest.mark.parametrize("file", STAGE_FILES, ids=lambda file: file.parent.name)
def test_a_stage_declares_the_source_that_it_imports(file: Path) -> None:
    for name, stage in yaml.safe_load(file.read_text(encoding="utf8"))["stages"].items():
        needed = {f"src/mwp/{part}" for part in closure(f"mwp.pipeline.{name}", WATCHERS.get(name, set()))}
        assert {dep for dep in stage["deps"] if dep.startswith("src/")} == needed
