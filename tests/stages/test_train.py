"""What a training cannot start from is one clear line."""

from pathlib import Path

import pytest

from mwp.data.files import write_records
from mwp.data.folds import make_folds
from mwp.data.problems import Problem
from mwp.errors import BadInput
from mwp.stages.items import make_item
from mwp.stages.layout import folds_file, problems_file
from mwp.stages.params import TrainParams, read_params
from mwp.stages.train import make_run

ROOT = Path(__file__).parents[2]


@pytest.fixture
def params(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TrainParams:
    found = read_params(ROOT / "params.yaml").train
    monkeypatch.chdir(tmp_path)
    return found


def write_dataset(name: str, problems: list[Problem], without_training: bool = False) -> None:
    folds = make_folds(problems, name, "paper", 5, 0.1, 1)
    if without_training:
        folds = [fold.model_copy(update={"train": ()}) for fold in folds]
    write_records(problems_file(name), problems)
    write_records(folds_file(name), folds)


def test_an_empty_training_part(params: TrainParams, sample_problems: list[Problem], tmp_path: Path) -> None:
    write_dataset("full", sample_problems[:40], without_training=True)
    with pytest.raises(BadInput) as error:
        make_run(make_item(params, "full", "gts", "diversified", 0), tmp_path)
    assert str(error.value) == (
        "data/folds/full.jsonl: fold 0 has no training problem of dataset full, which setting full needs; "
        "give more problems, or fewer folds"
    )


def test_a_fold_with_no_weak_problems(params: TrainParams, sample_problems: list[Problem], tmp_path: Path) -> None:
    write_dataset("full", sample_problems[:40])
    write_dataset("weak", sample_problems[40:60], without_training=True)
    with pytest.raises(
        BadInput, match=r"weak\.jsonl: fold 0 has no training problem of dataset weak, which setting semi"
    ):
        make_run(make_item(params, "semi", "gts", "diversified", 0), tmp_path)


def test_a_setting_whose_problems_start_with_nothing(
    params: TrainParams, sample_problems: list[Problem], tmp_path: Path
) -> None:
    write_dataset("full", sample_problems[:40])
    start = {"weak": params.settings["weak"].model_copy(update={"wda": "none"})}
    changed = params.model_copy(update={"settings": {**params.settings, **start}})
    with pytest.raises(
        BadInput, match=r"setting weak: none of \d+ training problems has a solution to start with; give"
    ):
        make_run(make_item(changed, "weak", "gts", "diversified", 0), tmp_path)
