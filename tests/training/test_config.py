"""Settings: defaults for everything, groups in part, and mistakes told in one line."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from mwp.errors import BadInput, BadSetting, check_choice, check_count
from mwp.pipeline.params import merged, read_params
from mwp.solvers.config import SolverConfig
from mwp.training.config import SeedConfig, TrainConfig

ROOT = Path(__file__).parents[2]


def test_the_defaults_are_those_of_the_cpu_profile(tmp_path: Path) -> None:
    params = yaml.safe_load((ROOT / "params.yaml").read_text(encoding="utf8"))
    profile = yaml.safe_load((ROOT / "profiles/cpu.yaml").read_text(encoding="utf8"))
    (tmp_path / "params.yaml").write_text(yaml.safe_dump(merged(params, profile)), encoding="utf8")
    train = read_params(tmp_path / "params.yaml").train
    assert train.config(train.systems["full-d-gts"]) == TrainConfig()
    assert train.seed_config(train.systems["weak-d-gts"]) == SeedConfig()


def test_a_group_in_part_keeps_its_other_defaults() -> None:
    config = TrainConfig.model_validate({"optimizer": {"epochs": 3}})
    assert config.optimizer.epochs == 3
    assert config == TrainConfig(optimizer={"epochs": 3})
    assert config.model_dump() == TrainConfig().model_dump() | {
        "optimizer": {**TrainConfig().optimizer.model_dump(), "epochs": 3}
    }


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"optimiser": {}}, "optimiser is no setting; did you mean optimizer?"),
        ({"optimizer": {"epoch": 3}}, "optimizer.epoch is no setting; did you mean epochs?"),
        ({"solver": {"bert": {"layer": 3}}}, "solver.bert.layer is no setting; did you mean layers?"),
        ({"optimizer": {"epochs": 0}}, "optimizer.epochs: expected greater than or equal to 1, found 0"),
        ({"optimizer": {"kind": "sgd"}}, "optimizer.kind: expected 'adam' or 'adamw', found 'sgd'"),
        ({"backbone": "gru"}, "backbone: expected one of dns, s-aligned, gts, graph2tree, mwp-bert, found 'gru'"),
        (
            {"seed": "x", "lbf": {"round": 1}},
            "seed: expected a valid integer, unable to parse string as an integer, found 'x'; "
            "lbf.round is no setting; did you mean rounds?",
        ),
    ],
)
def test_mistakes_are_one_line_however_the_config_is_made(values: dict[str, Any], message: str) -> None:
    for make in (TrainConfig.model_validate, lambda given: TrainConfig(**given)):
        with pytest.raises(BadSetting) as refused:
            make(values)
        assert str(refused.value) == message


def test_a_group_alone_tells_its_mistakes_too() -> None:
    with pytest.raises(BadInput, match=r"^hiden is no setting; did you mean hidden\?$"):
        SolverConfig.model_validate({"hiden": 3})


def test_params_with_a_value_missing_are_not_filled_with_a_default(tmp_path: Path) -> None:
    params = yaml.safe_load((ROOT / "params.yaml").read_text(encoding="utf8"))
    del params["train"]["optimizer"]["epochs"], params["train"]["optimizer"]["kind"]
    del params["train"]["seeding"]["weak"]["strategy"]
    (tmp_path / "params.yaml").write_text(yaml.safe_dump(params), encoding="utf8")
    with pytest.raises(BadInput) as refused:
        read_params(tmp_path / "params.yaml")
    for name in ("optimizer.epochs", "optimizer.kind", "seeding.weak.strategy"):
        assert f"train.{name} is missing" in str(refused.value)


def test_arguments_are_checked_in_one_line() -> None:
    check_choice("setting", "full", ("full", "semi", "weak"))
    with pytest.raises(BadInput, match=r"^setting: expected full, semi or weak, found 'ful'; did you mean full\?$"):
        check_choice("setting", "ful", ("full", "semi", "weak"))
    check_count("k", 1)
    for wrong in (0, -1, 1.5, "3", True, None):
        with pytest.raises(BadInput, match=rf"^k: expected 1 or more, found {wrong!r}$"):
            check_count("k", wrong)
