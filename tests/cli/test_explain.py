"""`mwp explain` as a user runs it, on a buffer that a training really left."""

import json
import re
import shutil
from pathlib import Path

from mwp.data.files import read_records
from mwp.data.folds import Fold
from mwp.training.buffer import ProblemBuffer
from tests.cli.test_errors import assert_one_line, mwp


def richest(folder: Path) -> ProblemBuffer:
    """The problem with the most solutions."""
    buffers = read_records(folder / "models/full-d-gts/fold-0/buffer.jsonl.gz", ProblemBuffer)
    return max(buffers, key=lambda buffered: len(buffered.entries))


def test_json_holds_every_solution_with_its_life(trained: Path) -> None:
    buffered = richest(trained)
    found = json.loads(mwp("explain", buffered.problem, "--json", cwd=trained).stdout)
    assert (found["problem"], found["system"], found["fold"]) == (buffered.problem, "full-d-gts", 0)
    assert len(found["solutions"]) == len(buffered.entries) > 1
    first, later = found["solutions"][0], found["solutions"][-1]
    assert (first["source"], first["epoch"], first["sound"], later["source"]) == ("gold", 0, True, "beam")
    assert [moment["epoch"] for moment in first["weights"]] == [0, 2, 3, 4]
    assert first["weights"][0] == {"epoch": 0, "s": None, "t": None, "a": 1.0}
    assert [moment["t"] is None for moment in first["weights"]] == [True, True, False, False]
    assert later["weights"][0]["epoch"] == later["epoch"]


def test_text_is_a_small_table_for_each_solution(trained: Path) -> None:
    buffered = richest(trained)
    text = mwp(
        "explain", buffered.problem.removeprefix("full/"), "--system", "full-d-gts", "--fold", "0", cwd=trained
    ).stdout
    assert text.startswith(f"{buffered.problem} in full-d-gts fold 0\n")
    assert f"\n{len(buffered.entries)} solutions" in text
    assert re.search(
        r"\n1\. N\S+ = \S+\n   gold, epoch 0, sound\n"
        r"   epoch      0      2      3      4\n"
        r"   s          -  \d\.\d{3}  \d\.\d{3}  \d\.\d{3}\n"
        r"   t          -      -  \d\.\d{3}  \d\.\d{3}\n"
        r"   a      1\.000(  \d\.\d{3}){3}\n",
        text,
    )


def test_a_problem_that_was_held_out_is_named_with_its_part(trained: Path) -> None:
    fold = read_records(trained / "data/folds/full.jsonl", Fold)[0]
    for part, id in (("test", fold.test[0]), ("validation", fold.valid[0])):
        assert_one_line(
            mwp("explain", id, cwd=trained),
            f"full/{id} is in the {part} part of fold 0, held out of the training of full-d-gts fold 0: it has no "
            "buffer; choose another problem or another --fold",
        )


def test_what_is_unknown_is_one_clear_line(trained: Path, tmp_path: Path) -> None:
    for arguments, words in (
        (
            ("nope",),
            "'nope' is none of the 150 problems of dataset full (data/clean/full.jsonl); give an id of that file",
        ),
        (("other/7",), "expected an id such as 123 or full/123 or weak/123, found 'other/7'"),
        (("weak/7",), "cannot read data/clean/weak.jsonl"),
        (("1", "--system", "x"), "found 'x'; there are: full-d-gts/fold-0"),
        (("1", "--fold", "3"), "found 'fold-3'; there are: full-d-gts/fold-0"),
    ):
        assert_one_line(mwp("explain", *arguments, cwd=trained), words)
    assert_one_line(mwp("explain", "1", cwd=tmp_path), "no trained model under models/")


def test_a_dataset_that_a_system_was_not_trained_on_is_named(trained: Path, tmp_path: Path) -> None:
    shutil.copytree(trained, tmp_path / "project")
    shutil.copy(trained / "data/clean/full.jsonl", tmp_path / "project/data/clean/weak.jsonl")
    assert_one_line(
        mwp("explain", "weak/1", cwd=tmp_path / "project"),
        "weak/1: full-d-gts fold 0 was not trained on dataset weak; choose a system that was: --system NAME",
    )
