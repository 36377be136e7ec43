"""`mwp search`, `mwp data info` as a user runs them."""

import json
from pathlib import Path

from tests.cli.test_errors import mwp

PROBLEMS = [
    {"id": "1", "original_text": "有3个苹果和4个梨，共有多少个？", "equation": "x=3+4", "ans": "7"},
    {"id": "2", "original_text": "把2米平均分成3段，每段长多少米？", "equation": "x=2/3", "ans": "((2)/(3))"},
    {"id": "3", "original_text": "有3个苹果，还有几个人？", "equation": "x=3*100", "ans": "987.123"},
]


def raw_file(tmp_path: Path, *keys: str) -> Path:
    path = tmp_path / "raw.json"
    path.write_text(json.dumps([{key: row[key] for key in keys} for row in PROBLEMS]), encoding="utf8")
    return path


def test_json_counts_over_all_problems_with_soundness_where_equations_are_known(tmp_path: Path) -> None:
    raw = raw_file(tmp_path, "id", "original_text", "equation", "ans")
    result = mwp("search", raw, "--out", tmp_path / "labels.jsonl", "--json")
    assert result.returncode == 0, result.stderr
    summary = json.loads(result.stdout)
    assert summary.pop("seconds") >= 0
    assert summary == {"problems": 3, "found": 2, "strategy": "ranked", "dropped": 0, "sound": 2, "sound_at_5": 2}
    labels = [json.loads(line) for line in (tmp_path / "labels.jsonl").read_text(encoding="utf8").splitlines()]
    assert labels[0]["candidates"][0]["solution"] == ["+", "N0", "N1"]


def test_an_answer_only_file_has_no_soundness(tmp_path: Path) -> None:
    raw = raw_file(tmp_path, "id", "original_text", "ans")
    summary = json.loads(mwp("search", raw, "--out", tmp_path / "labels.jsonl", "--strategy", "paper", "--json").stdout)
    assert summary["strategy"] == "paper"
    assert "sound" not in summary


def test_imported_records_can_be_searched_and_counted_like_raw_ones(tmp_path: Path) -> None:
    raw = raw_file(tmp_path, "id", "original_text", "equation", "ans")
    assert mwp("data", "import", raw, "--out", tmp_path / "problems.jsonl").returncode == 0
    from_raw = mwp("data", "info", raw, "--json").stdout
    assert mwp("data", "info", tmp_path / "problems.jsonl", "--json").stdout == from_raw
    summary = json.loads(
        mwp("search", tmp_path / "problems.jsonl", "--out", tmp_path / "labels.jsonl", "--json").stdout
    )
    assert summary["sound"] == 2


def test_info_prints_counts_and_reasons(tmp_path: Path) -> None:
    text = mwp("data", "info", raw_file(tmp_path, "id", "original_text", "equation", "ans")).stdout
    assert text.startswith("3 problems: 3 with an equation, 0 with an answer only; 0 records dropped")
    assert "1 equations do not give the answer" in text
