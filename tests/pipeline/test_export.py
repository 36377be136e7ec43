"""Runs saved as small files: the tables made of them need neither the data nor a model, and scoring anew agrees."""

import json
import shutil
from pathlib import Path

import pytest

from mwp.errors import BadInput
from mwp.inference.verifier import NAMES
from mwp.report.results_document import TEMPLATE, write_results
from mwp.report.saved_run_tables import SavedRunTables
from mwp.report.saved_runs import SavedRuns
from mwp.report.tables import percent, points
from tests.pipeline.conftest import run

SYSTEM = "semi-d-gts"


@pytest.fixture(scope="module")
def saved(project: Path) -> Path:
    result = run(project, "mwp", "results", "export", "--into", "saved")
    assert result.stdout == "1 run saved in saved\n", result.stderr
    return project / "saved"


def test_a_saved_run_has_its_scores_curves_and_buffer_but_no_text(project: Path, saved: Path) -> None:
    found = SavedRuns(saved).runs[SYSTEM, 0]
    assert found.verifier is not None
    assert list(found.verifier) == list(NAMES)
    verified = found.scores["full"].verified
    assert verified is not None
    assert points(verified["exact"].gain) in SavedRunTables(SavedRuns(saved)).picks(SYSTEM, "full-gts")
    assert SavedRunTables(SavedRuns(saved)).features(SYSTEM).count("\n") == len(NAMES) + 1
    assert [epoch["minutes"] for epoch in found.history] == sorted(epoch["minutes"] for epoch in found.history)
    assert 0 < found.minutes < 10
    assert found.buffer is not None
    assert sum(size * count for size, count in found.buffer.sizes.items()) == found.history[-1]["buffer_size"]
    checked = [counts.checked for counts in found.buffer.sources.values()]
    purity = sum(counts.sound for counts in found.buffer.sources.values()) / sum(checked)
    assert purity == pytest.approx(found.history[-1]["buffer_purity"])
    scores = json.loads((project / f"predictions/{SYSTEM}/fold-0/scores.json").read_text(encoding="utf8"))
    assert {name: one.model_dump(mode="json") for name, one in found.scores.items()} == scores
    everything = b"".join(path.read_bytes() for path in saved.rglob("*") if path.suffix == ".json")
    assert "多少".encode() not in everything


def test_correctness_agrees_with_the_scores(saved: Path) -> None:
    store = SavedRuns(saved)
    for dataset, scores in store.runs[SYSTEM, 0].scores.items():
        correctness = store.correctness(SYSTEM, 0, dataset)
        assert len(correctness) == scores.problems
        for k, top in scores.top["exact"].items():
            right = sum(one.exact[:k].count("1") for one in correctness)
            assert right / (k * len(correctness)) == pytest.approx(top.precision.value)


def test_saved_predictions_can_be_scored_anew(project: Path, saved: Path) -> None:
    predictions = f"saved/{SYSTEM}/fold-0/full.jsonl.gz"
    given = ("--data", "data/clean/full.jsonl", "--only-predicted", "--json")
    result = run(project, "mwp", "score", predictions, *given)
    scores = json.loads(result.stdout)["scores"]
    assert scores["top"] == SavedRuns(saved).runs[SYSTEM, 0].scores["full"].model_dump(mode="json")["top"]


def test_the_document_is_made_of_the_saved_runs_alone(saved: Path, tmp_path: Path) -> None:
    folder = tmp_path / "saved"
    shutil.copytree(saved, folder)
    (folder / TEMPLATE).write_text(
        '# Results\n{{ runs.scores("semi-d-gts", "full-gts") }}\n{{ runs.trainings("semi-d-gts") }}\n'
        '{{ runs.tuning_runs("semi", "solver.hidden") }}\n{{ runs.gain("semi-d-gts", "semi-d-gts", 5) }}\n'
        '{{ runs.gains(("semi-d-gts", "semi-d-gts")) }}\n{{ curves("minutes", {"Semi": ["semi-d-gts"]}) }}\n'
        '{{ runs.claims(runs.claim("a tie", "semi-d-gts", "semi-d-gts"), runs.claim("open", "semi-d-gts", "full-gts")) }}\n',
        encoding="utf8",
    )
    for name in ("a", "b"):
        write_results(folder, tmp_path / name / "results.md")
    text = (tmp_path / "a/results.md").read_text(encoding="utf8")
    assert percent(SavedRuns(folder).runs[SYSTEM, 0].scores["full"].accuracy()) in text
    assert "| full-gts |" in text
    assert "not run" in text
    assert "+0.0 (+0.0 to +0.0)" in text
    assert "| a tie |     0 | +0.0 (+0.0 to +0.0) |  not shown |" in text
    assert "| open  |       |             not run |            |" in text
    for name in ("results.md", "images/minutes.svg"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_a_system_that_was_not_saved_is_one_clear_line(saved: Path) -> None:
    with pytest.raises(BadInput, match=r"no saved run of full-gts on fold 0 in .*saved; there are: semi-d-gts"):
        SavedRunTables(SavedRuns(saved)).top("full-gts")


def test_nothing_is_saved_before_anything_is_trained(project: Path, tmp_path: Path) -> None:
    shutil.copy(project / "params.yaml", tmp_path)
    result = run(tmp_path, "mwp", "results", "export")
    assert (result.returncode, result.stdout) == (2, "")
    assert "\nerror: none of the systems of params.yaml is trained" in result.stderr
    assert not (tmp_path / "results").exists()
