"""Which folds the tables of saved runs are of."""

import json
from pathlib import Path

import pytest

from mwp.data.files import write_records, write_text
from mwp.report.saved_run_tables import SavedRunTables
from mwp.report.saved_runs import RUN, Correctness, SavedRuns, correctness_file

REAL = Path(__file__).parents[2] / "results/real/full-gts/fold-0" / RUN
PROBLEMS = 10


@pytest.fixture
def tables(tmp_path: Path) -> SavedRunTables:
    """Of three hypotheses two are right; `bad` has none of them on fold 1, and was not run on fold 2."""
    runs = {("good", 0): "110", ("good", 1): "110", ("good", 2): "110", ("bad", 0): "110", ("bad", 1): "000"}
    for (system, fold), rights in runs.items():
        folder = tmp_path / system / f"fold-{fold}"
        run = json.loads(REAL.read_text(encoding="utf8"))
        config = run["config"] | {"seed": 23 + fold}
        write_text(folder / RUN, json.dumps(run | {"system": system, "title": system, "fold": fold, "config": config}))
        correctness = [Correctness(id=str(position), exact=rights, paper="", sound="") for position in range(PROBLEMS)]
        write_records(correctness_file(folder, "full"), correctness)
    return SavedRunTables(SavedRuns(tmp_path))


def test_a_claim_takes_all_folds_that_both_systems_share(tables: SavedRunTables) -> None:
    text, folds, gained, holds = tables.claim("far better", "good", "bad")
    assert (text, folds, holds) == ("far better", "0, 1", "yes")
    assert gained.startswith("**+50.0 (")
    assert tables.claim("worse", "bad", "good", 3)[2].startswith("**-33.3 (")  # 20 of 60 hypotheses
    assert tables.claim("worse", "bad", "good", 3)[3] == "no, the opposite"
    assert tables.claim("open", "good", "other") == ("open", "", "not run", "")


def test_a_gain_is_that_of_one_fold(tables: SavedRunTables) -> None:
    assert tables.gain("good", "bad") == "+0.0 (+0.0 to +0.0)"
    assert "| +0.0 (+0.0 to +0.0) |" in tables.gains(("good", "bad"))
    assert tables.on(1).gain("good", "bad").startswith("**+")
    assert tables.gain("good", "bad", folds=(0, 1)) == tables.claim("", "good", "bad")[2]


def test_folds_stand_one_by_one_and_together(tables: SavedRunTables) -> None:
    header, _, *rows = [
        [cell.strip() for cell in line.split("|")[1:-1]] for line in tables.folds("good", "bad").splitlines()
    ]
    assert header[:5] == ["fold", "seed", "test problems", "bad", "good"]
    assert [row[:3] for row in rows] == [["0", "23", "10"], ["1", "24", "10"], ["all", "23, 24", "20"]]
    assert [row[3].split()[0] for row in rows] == ["100.0%", "0.0%", "50.0%"]
    assert [row[4].split()[0] for row in rows] == ["100.0%"] * 3
    assert rows[-1][5] == tables.claim("", "good", "bad")[2]
    assert tables.folds("good", "other") == ""
