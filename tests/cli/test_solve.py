"""`mwp solve` as a user runs it, on a small model that was really trained."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from mwp.arith.expressions import evaluate
from mwp.arith.notation import parse
from mwp.data.readers import read_question
from tests.cli.test_errors import assert_one_line, mwp

TEXT = "一本书有120页，小明每天看15页，几天看完？"
HEAVY = ("mlflow", "matplotlib", "numba", "transformers", "accelerate", "torch._dynamo", "pandas", "scipy", "sympy")


def test_a_text_is_answered_with_numbers_equations_and_steps(trained: Path) -> None:
    result = mwp("solve", TEXT, "-k", "2", cwd=trained)
    assert result.returncode == 0, result.stderr
    lines = result.stdout.splitlines()
    assert lines[0] == "N0 = 120, N1 = 15"
    assert lines[1].startswith("1. N")
    assert "(probability " in lines[1]
    assert ", discriminator 0." in lines[1]
    assert sum(line.startswith(("1. ", "2. ", "3. ")) for line in lines) == 2
    assert lines[-1].startswith("answer: ")
    assert result.stderr == ""


def test_json_holds_what_one_can_work_out_oneself(trained: Path) -> None:
    answer = json.loads(mwp("solve", TEXT, "--json", cwd=trained).stdout)
    values = read_question(TEXT).values
    assert [number["value"] for number in answer["numbers"]] == ["120", "15"]
    assert 1 < len(answer["answers"]) <= 5
    for one in answer["answers"]:
        value = evaluate(parse(one["equation"]), values)
        assert one["value"] == (None if value is None else str(value))
        assert 0 < one["probability"] < 1
        assert 0 < one["qualification"] < 1
    shares = [one["verified"] for one in answer["answers"]]
    assert shares == sorted(shares, reverse=True)
    assert 0 < sum(shares) <= 1.0001
    assert answer["answer"] == answer["answers"][0]["text"]


def test_equal_equations_are_one_unless_raw(trained: Path) -> None:
    merged = json.loads(mwp("solve", TEXT, "--json", "-k", "10", cwd=trained).stdout)["answers"]
    raw = json.loads(mwp("solve", TEXT, "--json", "-k", "20", "--raw", cwd=trained).stdout)["answers"]
    assert any(one["equal"] for one in merged)
    assert not any(one["equal"] for one in raw)
    probabilities = {one["equation"]: one["probability"] for one in raw}
    for one in merged:
        forms = [one["equation"], *one["equal"]]
        if all(form in probabilities for form in forms):
            assert one["probability"] == pytest.approx(sum(probabilities[form] for form in forms), rel=1e-4)


def test_the_best_equation_does_not_depend_on_how_many_are_shown(trained: Path) -> None:
    found = [json.loads(mwp("solve", TEXT, "--json", "-k", k, cwd=trained).stdout) for k in ("1", "10")]
    assert found[0]["answers"] == found[1]["answers"][:1]


def test_a_file_is_solved_line_by_line_and_bad_lines_do_not_stop_it(trained: Path, tmp_path: Path) -> None:
    lines = [TEXT, "", "Tom has 3 apples", "有3个和5个", "没有数字"]
    (tmp_path / "problems.txt").write_text("\n".join(lines) + "\n", encoding="utf8")
    result = mwp("solve", "--file", tmp_path / "problems.txt", "--json", cwd=trained)
    assert result.returncode == 2
    found = [json.loads(line) for line in result.stdout.splitlines()]
    assert [one["line"] for one in found] == [1, 2, 3, 4, 5]
    assert ["error" in one for one in found] == [False, True, True, False, True]
    assert found[1]["error"].startswith("expected a problem, found an empty text")
    alone = json.loads(mwp("solve", TEXT, "--json", cwd=trained).stdout)
    assert [one["equation"] for one in found[0]["answers"]] == [one["equation"] for one in alone["answers"]]
    assert result.stderr.splitlines() == [
        "solving: 5 of 5",
        "error: 3 of 5 lines could not be solved; see the errors above",
    ]


def test_a_file_as_text_names_its_lines(trained: Path) -> None:
    command = [sys.executable, "-m", "mwp.cli.app", "solve", "--file", "-"]
    result = subprocess.run(command, cwd=trained, input=f"{TEXT}\nhello 3", capture_output=True, text=True, check=False)
    assert result.returncode == 2
    assert result.stdout.startswith(f"line 1: {TEXT}\nN0 = 120, N1 = 15\n1. ")
    assert "line 2: expected a problem in Chinese, found 'hello 3'; " in result.stderr


def test_the_bar_on_a_terminal_leaves_the_answers_in_the_file(trained: Path, tmp_path: Path) -> None:
    (tmp_path / "problems.txt").write_text(f"{TEXT}\n" * 3, encoding="utf8")
    master, slave = os.openpty()
    command = [sys.executable, "-m", "mwp.cli.app", "solve", "--file", str(tmp_path / "problems.txt"), "--json"]
    with (tmp_path / "out").open("wb") as out:
        subprocess.run(command, cwd=trained, stdout=out, stderr=slave, check=True)
    os.close(slave)
    assert "solving" in os.read(master, 65536).decode()
    os.close(master)
    assert len((tmp_path / "out").read_text(encoding="utf8").splitlines()) == 3


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["Tom has 3 apples"], "expected a problem in Chinese, found 'Tom has 3 apples'; write one such as: "),
        ([""], "expected a problem, found an empty text"),
        (["没有数字"], "expected numbers in digits, such as 25, 3.5, 20% or 1/3, found none in '没有数字'"),
        ([], "expected a text or --file, and not both"),
        ([TEXT, "--file", "x"], "expected a text or --file, and not both"),
        (["--file", "nowhere.txt"], "cannot read nowhere.txt: No such file or directory"),
        ([TEXT, "-k", "0"], "Invalid value for '-k'"),
        (
            [TEXT, "--model", "full-gts"],
            "expected the path of a model or a trained system, found 'full-gts'; there are: full-d-gts/fold-0",
        ),
        (
            [TEXT, "--model", ".scratch/state.pt"],
            ".scratch/state.pt: expected a trained model, found a checkpoint without config; give a model.pt",
        ),
        ([TEXT, "--model", "data/clean/full.jsonl"], "data/clean/full.jsonl is no whole checkpoint"),
    ],
)
def test_bad_input_is_one_clear_line(trained: Path, arguments: list[str], words: str) -> None:
    assert_one_line(mwp("solve", *arguments, cwd=trained), words)


def test_without_any_model_it_says_what_to_do(tmp_path: Path) -> None:
    assert_one_line(
        mwp("solve", TEXT, cwd=tmp_path),
        "no trained model under models/; train one first, for example with: dvc repro",
    )


def test_the_newest_model_is_taken_or_the_one_that_is_named(trained: Path, tmp_path: Path) -> None:
    for system, age in (("full-gts", 100), ("semi-d-gts", 50)):
        folder = tmp_path / f"models/{system}/fold-1"
        folder.mkdir(parents=True)
        shutil.copy(trained / "models/full-d-gts/fold-0/model.pt", folder)
        os.utime(folder / "model.pt", (10**9 - age, 10**9 - age))
    (tmp_path / "models/semi-d-gts/fold-1/model.pt").write_bytes(b"no model")
    os.utime(tmp_path / "models/semi-d-gts/fold-1/model.pt", (10**9, 10**9))
    assert_one_line(mwp("solve", TEXT, cwd=tmp_path), "models/semi-d-gts/fold-1/model.pt is no whole checkpoint")
    for name in ("full-gts", "full-gts/fold-1", "models/full-gts/fold-1", "models/full-gts/fold-1/model.pt"):
        assert mwp("solve", TEXT, "--model", name, cwd=tmp_path).returncode == 0


def test_a_cold_start_loads_nothing_heavy_but_torch(trained: Path) -> None:
    code = (
        "import sys; from mwp.cli.app import app; "
        f"app(['solve', {TEXT!r}], standalone_mode=False); "
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", code], cwd=trained, capture_output=True, text=True, check=True)
    assert result.stdout.splitlines()[-1] == "[]"
