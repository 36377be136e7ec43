"""Parameters as MLflow stores them."""

from pathlib import Path

from mlflow.utils import validation

from mwp.tracking.params import LARGEST_BATCH, LONGEST_VALUE, batches, flatten


def test_nested_groups_become_dotted_names_and_values_are_spelt_as_in_yaml() -> None:
    params = {
        "seed": 7,
        "gts": {"hidden": 512, "dropout": 0.5, "layers": {"count": 2}},
        "wda": True,
        "stop": None,
        "folds": [0, 1],
        "file": Path("data/full.jsonl"),
        "note": "苹果",
        "none": {},
    }
    assert flatten(params) == {
        "seed": "7",
        "gts.hidden": "512",
        "gts.dropout": "0.5",
        "gts.layers.count": "2",
        "wda": "true",
        "stop": "null",
        "folds": "[0, 1]",
        "file": "data/full.jsonl",
        "note": "苹果",
        "none": "{}",
    }


def test_a_value_over_the_limit_is_cut_with_an_ellipsis() -> None:
    flat = flatten({"fits": "x" * LONGEST_VALUE, "long": "x" * (LONGEST_VALUE + 1)})
    assert flat["fits"] == "x" * LONGEST_VALUE
    assert flat["long"] == "x" * (LONGEST_VALUE - 1) + "…"


def test_batches_hold_everything_once_and_in_order() -> None:
    flat = {str(number): "" for number in range(250)}
    parts = list(batches(flat))
    assert [len(part) for part in parts] == [100, 100, 50]
    assert [name for part in parts for name in part] == list(flat)


def test_the_limits_are_those_of_the_installed_mlflow() -> None:
    assert LONGEST_VALUE == validation.MAX_PARAM_VAL_LENGTH
    assert LARGEST_BATCH == validation.MAX_PARAMS_TAGS_PER_BATCH
