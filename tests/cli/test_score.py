"""`mwp score` as a user runs it."""

import json
from pathlib import Path

import pytest

from mwp.data.files import write_records
from tests.cli.test_errors import mwp
from tests.evaluation.toys import APPLES, EXAM, METRES, PREDICTIONS, PROBLEMS, predict


@pytest.fixture
def data(tmp_path: Path) -> Path:
    write_records(tmp_path / "problems.jsonl", PROBLEMS)
    return tmp_path / "problems.jsonl"


@pytest.fixture
def run(tmp_path: Path) -> Path:
    write_records(tmp_path / "run.jsonl", PREDICTIONS)
    return tmp_path / "run.jsonl"


def error_of(*arguments: str | Path) -> str:
    result = mwp("score", *arguments)
    assert result.returncode == 2, result.stderr
    assert result.stdout == ""
    *progress, last = result.stderr.splitlines()
    assert all(line.startswith(("reading ", "scoring ")) for line in progress)
    return last


def test_the_table_shows_both_scorers_soundness_and_breakdown(run: Path, data: Path) -> None:
    result = mwp("score", run, "--data", data)
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith(
        "3 problems, 1 of them without a prediction (counted as wrong); 7 hypotheses, 0 of them without a value; "
        "1 answers that float() cannot read (always wrong under paper)\n\n| scorer | k |"
    )
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in result.stdout.splitlines() if "|" in line]
    rows = {(row[0], row[1]): [cell.split(" (")[0] for cell in row[2:]] for row in cells}
    assert rows["exact", "5"] == ["33.3%", "66.7%", "1.33"]
    assert rows["paper", "5"] == ["26.7%", "33.3%", "1.00"]
    assert rows["operators 3", "1"] == ["100.0%", "100.0%"]
    assert "top-1, merged (equal hypotheses as one): 33.3% (0.0 to 100.0) exact, 33.3%" in result.stdout
    assert "first hypothesis sound: 33.3% (0.0 to 100.0) of 3 problems with a ground truth" in result.stdout
    assert "spurious: 0.0% (0.0 to 0.0) of 1 right first hypotheses, 40.0%" in result.stdout


def test_json_is_one_object_with_the_same_scores_from_a_raw_file(run: Path, data: Path, tmp_path: Path) -> None:
    raw = [
        {"id": problem.id, "original_text": problem.text, "equation": equation, "ans": problem.answer_spelling}
        for problem, equation in zip(PROBLEMS, ("x=25+20-(40-10)", "x=2/3", "x=3+4"), strict=True)
    ]
    (tmp_path / "raw.json").write_text(json.dumps([*raw, raw[0] | {"id": "bad", "ans": "?"}]), encoding="utf8")
    ours = json.loads(mwp("score", run, "--data", data, "--json").stdout)
    theirs = json.loads(mwp("score", run, "--data", tmp_path / "raw.json", "--json").stdout)
    assert ours.keys() == {"scores", "against", "dropped", "left_out"}
    assert ours["scores"] == theirs["scores"]
    assert (ours["dropped"], theirs["dropped"]) == (0, 1)
    assert ours["scores"]["top"]["exact"]["3"]["precision"]["value"] == pytest.approx(4 / 9)


def test_another_run_is_compared_problem_by_problem(run: Path, data: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.jsonl"
    write_records(other, [predict(METRES, "N0/N1"), predict(EXAM, "N1-N3")])
    against = json.loads(mwp("score", run, "--data", data, "--against", other, "--json").stdout)["against"]
    counts = ("problems", "both", "only_a", "only_b", "neither")
    assert [against["exact"][key] for key in counts] == [2, 1, 0, 1, 0]
    assert [against["paper"][key] for key in counts] == [2, 1, 0, 0, 1]
    assert against["exact"]["difference"]["value"] == -0.5
    text = mwp("score", run, "--data", data, "--against", other).stdout
    assert f"A = {run}, B = {other}, first hypotheses:\n\n| scorer | problems |" in text


def test_problems_of_other_folds_can_be_left_out(run: Path, data: Path) -> None:
    result = mwp("score", run, "--data", data, "--only-predicted")
    assert result.stdout.startswith("2 problems, 0 of them without a prediction")
    assert "\n1 problems without a prediction left out\n" in result.stdout


def test_runs_on_other_problems_cannot_be_compared(run: Path, data: Path, tmp_path: Path) -> None:
    write_records(tmp_path / "other.jsonl", [predict(APPLES, "N0+N1")])
    assert error_of(run, "--data", data, "--against", tmp_path / "other.jsonl") == (
        "error: expected two runs on the same problems, found 2 problems only in the first and 1 only in the second, "
        "e.g. 'exam'; compare runs on one test part"
    )


def test_bad_predictions_are_one_line(run: Path, data: Path, tmp_path: Path) -> None:
    empty, bad = tmp_path / "empty.jsonl", tmp_path / "bad.jsonl"
    empty.touch()
    assert error_of(empty, "--data", data) == f"error: {empty} is empty; expected one prediction a line"
    bad.write_text('{"id": "apples", "hypotheses": [{"solution": ["+", "N0", "?"], "log_prob": 0}]}\n', encoding="utf8")
    assert error_of(bad, "--data", data) == (
        f"error: {bad}, line 1, problem 'apples': no prefix solution: "
        "neither an operator, N0, N1, ... nor a number: '?'"
    )
    bad.write_text('{"id": "pears", "hypotheses": []}\n', encoding="utf8")
    assert error_of(bad, "--data", data) == (
        f"error: {bad}: 1 of 1 predictions are for problems that are not in the data, e.g. 'pears'; "
        "give the problems that were predicted"
    )
    assert error_of(tmp_path / "none.jsonl", "--data", data).endswith("none.jsonl: No such file or directory")


def test_problems_given_as_predictions_are_refused(data: Path) -> None:
    assert error_of(data, "--data", data).startswith(f"error: {data}, line 1: no Prediction record: hypotheses: Field")


def test_data_without_a_usable_problem_is_refused(run: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text('[{"id": "1", "original_text": "有3个", "equation": "x=3", "ans": "?"}]', encoding="utf8")
    assert error_of(run, "--data", bad) == (
        f"error: {bad}: no problem can be used; see the reasons with: mwp data info {bad}"
    )


def test_the_data_must_be_given(run: Path) -> None:
    assert "Missing option '--data'" in error_of(run)
