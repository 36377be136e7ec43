"""Saved runs of the first edition under the new names: nothing else changes, and a second time nothing at all."""

import json
import shutil
from pathlib import Path

from mwp import upgrades
from mwp.data.files import read_text
from mwp.report.saved_run_tables import SavedRunTables
from mwp.report.saved_runs import SavedRun, SavedRuns, correctness_file, predictions_file
from tools.migrate_results import migrate

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "tests/fixtures/v1/kept"
SYSTEM = "semi-d-gts"


def test_the_tables_of_migrated_runs_are_those_of_before(tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    shutil.copytree(KEPT, folder)
    assert len(migrate(folder)) == 5  # two runs and their predictions; of the correctness only the name is new
    before, after = SavedRuns(KEPT), SavedRuns(folder)
    assert after.runs == before.runs
    for dataset in ("full", "weak"):
        assert after.correctness(SYSTEM, 0, dataset) == before.correctness(SYSTEM, 0, dataset)
    for name in ("scores", "trainings", "picks"):
        old, new = (getattr(SavedRunTables(runs), name)("full-d-gts", SYSTEM) for runs in (before, after))
        assert old == new
    run = json.loads(read_text(folder / SYSTEM / "fold-0/run.json"))
    assert run["config"]["optimizer"]["precision"] == "fp32"
    assert run["seeding"] == {"strategy": "ranked", "max_candidates": 2}
    assert list(run["buffer"]["sources"]) == ["gold", "beam", "search"]
    assert "plausible" not in json.dumps(run)
    prediction = json.loads(read_text(folder / SYSTEM / "fold-0/full.jsonl.gz").split("\n")[0])
    assert list(prediction) == ["id", "hypotheses"]
    assert list(prediction["hypotheses"][0]) == ["solution", "log_prob", "value", "qualification", "verified"]


def test_a_second_migration_changes_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    shutil.copytree(KEPT, folder)
    migrate(folder)
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert migrate(folder) == []
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_the_projects_own_saved_runs_have_the_new_names() -> None:
    real = ROOT / "results/real"
    for file in real.glob("*/fold-*/run.json"):
        run = json.loads(read_text(file))
        assert upgrades.old_names(run["config"]) == upgrades.old_names(run["seeding"], "seeding") == []
        assert run.keys() == SavedRun.model_fields.keys()
        for dataset in run["scores"]:
            assert correctness_file(file.parent, dataset).exists()
            assert '"hypotheses"' in read_text(predictions_file(file.parent, dataset)).partition("\n")[0]
    assert not list(real.rglob("*-marks.*"))
