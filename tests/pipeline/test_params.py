"""params.yaml: all mistakes at once, in one line."""

import json
from pathlib import Path

import pytest

from mwp.errors import BadInput
from mwp.pipeline.params import read_params

ROOT = Path(__file__).parents[2]


def changed(tmp_path: Path, *changes: tuple[str, str]) -> Path:
    text = (ROOT / "params.yaml").read_text(encoding="utf8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path = tmp_path / "params.yaml"
    path.write_text(text, encoding="utf8")
    return path


def test_the_projects_own_params_are_valid() -> None:
    assert read_params(ROOT / "params.yaml").train.seeding["weak"].strategy == "ranked"


def test_a_misspelt_key_names_the_nearest_known_one(tmp_path: Path) -> None:
    path = changed(tmp_path, ("  max_expressions:", "  max_expresions:"))
    with pytest.raises(BadInput) as error:
        read_params(path)
    assert str(error.value) == f"{path}: wda.max_expresions is no parameter; did you mean max_expressions?"


def test_all_mistakes_are_listed_at_once(tmp_path: Path) -> None:
    path = changed(
        tmp_path, ("max_tries: 50000", "max_tries: many"), ("count: 5", "count: 1"), ("seed: 23", "sede: 23")
    )
    with pytest.raises(BadInput) as error:
        read_params(path)
    message = str(error.value)
    assert "\n" not in message
    assert (
        "wda.max_tries: input should be a valid integer, unable to parse string as an integer, found 'many'" in message
    )
    assert "folds.count: input should be greater than or equal to 2, found 1" in message
    assert "folds.sede is no parameter; did you mean seed?" in message
    assert "folds.seed is missing" in message


def test_broken_yaml_names_the_line(tmp_path: Path) -> None:
    path = tmp_path / "params.yaml"
    path.write_text("data:\n  full: [1\nwda: 2\n", encoding="utf8")
    with pytest.raises(BadInput, match="line 3: not YAML"):
        read_params(path)


def test_an_empty_file_says_what_it_should_be(tmp_path: Path) -> None:
    path = tmp_path / "params.yaml"
    path.write_text("", encoding="utf8")
    with pytest.raises(BadInput, match=r"params\.yaml: the file: "):
        read_params(path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"cannot read .*params\.yaml: No such file or directory"):
        read_params(tmp_path / "params.yaml")


def test_a_system_changes_what_it_names_after_its_backbone(tmp_path: Path) -> None:
    train = read_params(
        changed(
            tmp_path,
            ("    mwp-bert: {", "    gts: { solver: { hidden: 32, bert: { freeze_layers: 1 } } }\n    mwp-bert: {"),
            ("variant: plain }", "variant: plain, solver: { dropout: 0.4 }, seeding: { max_candidates: 3 } }"),
        )
    ).train
    config = train.config(train.systems["full-gts"])
    assert (config.solver.hidden, config.solver.dropout, config.solver.bert.freeze_layers) == (32, 0.4, 1)
    assert config.solver.bert.layers == train.solver.bert.layers
    assert train.seed_config(train.systems["full-gts"]).max_candidates == 1  # a plain solver has one solution a problem


def test_a_mistake_in_a_system_names_the_system(tmp_path: Path) -> None:
    path = changed(
        tmp_path, ("{ setting: full, backbone: gts, variant: plain }", "{ setting: full, solver: { hiden: 3 } }")
    )
    with pytest.raises(
        BadInput, match=r"train: value error, system full-gts: solver\.hiden: extra inputs are not permitted$"
    ):
        read_params(path)


def test_an_unknown_backbone_is_named_with_the_known_ones(tmp_path: Path) -> None:
    path = changed(tmp_path, ("setting: full, backbone: gts, variant: plain", "setting: full, backbone: bird"))
    with pytest.raises(
        BadInput,
        match=r"train\.systems\.full-gts\.backbone: value error, expected one of dns, s-aligned, gts, .*'bird'",
    ):
        read_params(path)


def test_a_beam_that_is_smaller_than_the_k_of_top_k_is_an_error(tmp_path: Path) -> None:
    path = changed(tmp_path, ("evaluate:\n  beam_size: 5", "evaluate:\n  beam_size: 3"))
    with pytest.raises(BadInput, match=r"evaluate\.beam_size: input should be greater than or equal to 5, found 3"):
        read_params(path)


@pytest.mark.parametrize(
    "name",
    ["../../victim", ".", "..", "", "a/b", "a@b", "a.b", "a b", "-a", "x; touch pwned; true", "x'", "a\n", "a" * 65],
)
def test_a_systems_name_that_is_a_path_or_a_command_is_refused(tmp_path: Path, name: str) -> None:
    path = changed(tmp_path, ("    full-gts: {", f"    {json.dumps(name)}: {{"))
    with pytest.raises(BadInput) as error:
        read_params(path)
    assert str(error.value) == (
        f"{path}: train.systems: value error, expected a system's name of up to 64 letters, digits, _ and -, "
        f"the first of them no -, found {name!r}"
    )


@pytest.mark.parametrize("name", ["a", "_a", "7", "苹果-梨_2", "é" * 64])
def test_a_systems_name_may_have_the_letters_of_any_language(tmp_path: Path, name: str) -> None:
    path = changed(tmp_path, ("    full-gts: {", f"    {json.dumps(name)}: {{"))
    assert name in read_params(path).train.systems


@pytest.mark.parametrize("value", [".inf", "-.inf", ".nan"])
@pytest.mark.parametrize(
    ("old", "name"),
    [
        ("valid: 0.1", "folds.valid"),
        ("    learning_rate: 0.006", "train.optimizer.learning_rate"),
        ("weight_decay: 0.00001", "train.optimizer.weight_decay"),
        ("max_grad_norm: 5", "train.optimizer.max_grad_norm"),
        ("corruption_rate: 0.1", "train.diversity.corruption_rate"),
    ],
)
def test_a_value_that_is_no_finite_number_is_refused(tmp_path: Path, old: str, name: str, value: str) -> None:
    path = changed(tmp_path, (old, f"{old.partition(':')[0]}: {value}"))
    with pytest.raises(BadInput) as error:
        read_params(path)
    assert str(error.value) == f"{path}: {name}: input should be a finite number, found {value.replace('.', '')}"


def test_a_value_of_a_system_that_is_no_finite_number_is_refused(tmp_path: Path) -> None:
    path = changed(tmp_path, ("variant: plain }", "variant: plain, optimizer: { learning_rate: .inf } }"))
    with pytest.raises(BadInput, match=r"system full-gts: optimizer\.learning_rate: input should be a finite number"):
        read_params(path)
