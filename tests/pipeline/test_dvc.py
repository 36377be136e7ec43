"""The real pipeline, run by DVC in a copy of the project."""

import ast
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src/mwp"
NEEDED = ("src", "stages", "data/sample", "dvc.yaml", "params.yaml", ".dvcignore", ".dvc/config")


def run(project: Path, *command: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    return subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project without its git history, run once; as from a downloaded archive, so DVC is told there is no SCM."""
    folder = tmp_path_factory.mktemp("project")
    for name in NEEDED:
        source, target = ROOT / name, folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target)
    run(folder, "dvc", "config", "--local", "core.no_scm", "true")
    result = run(folder, "dvc", "repro")
    assert result.returncode == 0, result.stdout + result.stderr
    return folder


def test_every_stage_leaves_its_outputs(project: Path) -> None:
    for name in ("data/clean/summary.json", "data/wda/audit.csv", "data/folds/full.jsonl", "results/summary.json"):
        assert (project / name).stat().st_size
    summary = json.loads((project / "data/clean/summary.json").read_text(encoding="utf8"))["full"]
    assert summary["kept"] + sum(summary["dropped"].values()) == summary["total"]
    assert summary["dropped"]["equation in the text"] > 0


def test_a_second_repro_does_nothing(project: Path) -> None:
    before = (project / "dvc.lock").read_bytes()
    result = run(project, "dvc", "repro")
    assert "Data and pipelines are up to date." in result.stdout
    assert (project / "dvc.lock").read_bytes() == before


def test_a_changed_param_reruns_only_what_depends_on_it(project: Path) -> None:
    params = project / "params.yaml"
    text = params.read_text(encoding="utf8")
    params.write_text(text.replace("scheme: paper", "scheme: twin-safe"), encoding="utf8")
    result = run(project, "dvc", "repro")
    params.write_text(text, encoding="utf8")
    assert "Running stage 'stages/folds/dvc.yaml:folds'" in result.stdout
    assert "Running stage 'stages/wda/dvc.yaml:wda'" not in result.stdout
    assert "twin-safe" in (project / "results/report.md").read_text(encoding="utf8")


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


# Shared by all stages and changing no output by themselves: where files lie, how progress is shown, how params are read.
FRAME = {"errors.py", "stages/__init__.py", "stages/layout.py", "stages/progress.py", "stages/params.py"}


def imported_modules(file: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("mwp."):
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def source_file(module: str) -> Path | None:
    path = ROOT / "src" / Path(*module.split("."))
    return next((file for file in (path.with_suffix(".py"), path / "__init__.py") if file.exists()), None)


def closure(module: str) -> set[Path]:
    files, pending = set(), [module]
    while pending:
        file = source_file(pending.pop())
        if file and file not in files and file.relative_to(PACKAGE).as_posix() not in FRAME:
            files.add(file)
            pending += imported_modules(file)
    return files


STAGE_FILES = [ROOT / "dvc.yaml", *sorted((ROOT / "stages").glob("*/dvc.yaml"))]


@pytest.mark.parametrize("file", STAGE_FILES, ids=lambda file: file.parent.name)
def test_a_stage_declares_the_source_that_it_imports(file: Path) -> None:
    for name, stage in yaml.safe_load(file.read_text(encoding="utf8"))["stages"].items():
        used = {path.relative_to(PACKAGE) for path in closure(f"mwp.stages.{name}")}
        needed = {f"src/mwp/{path if path.parts[0] == 'stages' else path.parts[0]}" for path in used}
        assert {dep for dep in stage["deps"] if dep.startswith("src/")} == needed
