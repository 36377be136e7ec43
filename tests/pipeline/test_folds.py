"""Stage folds says where no problems are left to choose a model on."""

from pathlib import Path

import pytest

from mwp.data.files import write_records
from mwp.data.problems import Problem
from mwp.pipeline.grid import problems_file
from tests.cli.test_errors import mwp

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("valid", "ending"),
    [("0", ""), ("0.0005", "; give folds.valid more to choose by accuracy")],
)
def test_folds_without_a_slice_are_named(
    tmp_path: Path, sample_problems: list[Problem], valid: str, ending: str
) -> None:
    assert said(tmp_path, sample_problems, valid) == [
        f"{dataset}: no validation problems with folds.valid {valid} in fold 0, 1, 2, 3, 4: "
        f"the last epoch is used where a training has no others{ending}"
        for dataset in ("full", "weak")
    ]


def test_a_slice_that_only_some_folds_have_is_named_by_those_without(
    tmp_path: Path, sample_problems: list[Problem]
) -> None:
    # Of 12 problems each fold tests two, but the last four: 10 and 8 are left.
    assert said(tmp_path, sample_problems, "0.1") == [
        "weak: no validation problems with folds.valid 0.1 in fold 4: "
        "the last epoch is used where a training has no others; give folds.valid more to choose by accuracy"
    ]


def said(folder: Path, problems: list[Problem], valid: str) -> list[str]:
    params = (ROOT / "params.yaml").read_text(encoding="utf8").replace("  valid: 0.1", f"  valid: {valid}")
    (folder / "params.yaml").write_text(params, encoding="utf8")
    write_records(folder / problems_file("full"), problems[:40])
    write_records(folder / problems_file("weak"), problems[40:52])
    result = mwp("stage", "folds", cwd=folder)
    assert result.returncode == 0
    return result.stderr.splitlines()
