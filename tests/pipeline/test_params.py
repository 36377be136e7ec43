"""params.yaml: all mistakes at once, a line each; read as DVC reads and writes it."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from dvc.utils.serialize import dump_yaml, load_yaml, modify_yaml

from mwp import upgrades
from mwp.errors import BadInput
from mwp.pipeline.params import Params, parse_yaml, read_params

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
    assert error.value.lines == tuple(
        f"{path}: {mistake}"
        for mistake in (
            "wda.max_tries: input should be a valid integer, unable to parse string as an integer, found 'many'",
            "folds.count: input should be greater than or equal to 2, found 1",
            "folds.seed is missing",
            "folds.sede is no parameter; did you mean seed?",
            "train.seed is missing",
            "train.sede is no parameter; did you mean seed?",
        )
    )


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
            ("    mwp-bert:", "    gts: { solver: { hidden: 32, bert: { freeze_layers: 1 } } }\n    mwp-bert:"),
            ("variant: plain}", "variant: plain, solver: { dropout: 0.4 }, seeding: { max_candidates: 3 } }"),
        )
    ).train
    config = train.config(train.systems["full-gts"])
    assert (config.solver.hidden, config.solver.dropout, config.solver.bert.freeze_layers) == (32, 0.4, 1)
    assert config.solver.bert.layers == train.solver.bert.layers
    assert train.seed_config(train.systems["full-gts"]).max_candidates == 1  # a plain solver has one solution a problem


def test_a_mistake_in_a_system_names_the_system(tmp_path: Path) -> None:
    path = changed(
        tmp_path, ("{setting: full, backbone: gts, variant: plain}", "{ setting: full, solver: { hiden: 3 } }")
    )
    with pytest.raises(BadInput) as error:
        read_params(path)
    assert str(error.value) == f"{path}: train.systems.full-gts.solver.hiden is no parameter; did you mean hidden?"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("    min_count: 2", "    min_count: 2\n    min_cont: 2", "train.solver.min_cont is no parameter; did you mean min_count?"),
        ("    full: {str", "    full: {sed: 1, str", "train.seeding.full.sed is no parameter; did you mean strategy?"),
        ("{layers: 2,", "{layer: 2,", "train.backbones.mwp-bert.solver.bert.layer is no parameter; did you mean layers?"),
        ("    mwp-bert:", "    mwp-bert:\n      solvr: 1", "train.backbones.mwp-bert.solvr is no parameter; did you mean solver?"),
        ("    full-gts: {", "    full-gts: { tile: x,", "train.systems.full-gts.tile is no parameter; did you mean title?"),
        ("    full-gts: {", "    full-gts: { lbf: { round: 1 },", "train.systems.full-gts.lbf.round is no parameter; did you mean rounds?"),
        ("    full-gts: {", "    full-gts: { seeding: { stratgy: none },", "train.systems.full-gts.seeding.stratgy is no parameter; did you mean strategy?"),
        ("    full-gts: {", "    full-gts: { solver: { bert: { frozen_layers: 1 } },", "train.systems.full-gts.solver.bert.frozen_layers is no parameter; did you mean freeze_layers?"),
        ("    full-gts: {", "    full-gts: { seeding: { strategy: best },", "train.systems.full-gts.seeding.strategy: expected one of none, paper, published, ranked, found 'best'"),
        ("  folds: [0]", "  folds: [0, one]", "train.folds.1: input should be a valid integer, unable to parse string as an integer, found 'one'"),
        ("  folds: [0]", "  folds: 0", "train.folds: input should be a valid tuple, found 0"),
        ("  count: 5", "  count: 5\n  seed: 23", None),
        ("  valid: 0.1", "  valid: !!python/name:os.system x", None),
        ("  valid: 0.1", "  valid: 2020-13-45", None),
        ("data:", "1: 2\ndata:", "1: keys should be strings, found 1"),
    ],
)  # fmt: skip
def test_a_mistake_is_one_line_wherever_it_stands(tmp_path: Path, old: str, new: str, said: str | None) -> None:
    systems = ("    full-gts: {", "    bert: { setting: full, backbone: mwp-bert }\n    full-gts: {")
    path = changed(tmp_path, (old, new), systems)
    with pytest.raises(BadInput) as error:
        read_params(path)
    assert len(error.value.lines) == 1
    if said is None:
        assert "not YAML: " in str(error.value)
    else:
        assert str(error.value) == f"{path}: {said}"


def test_an_unknown_backbone_is_named_with_the_known_ones(tmp_path: Path) -> None:
    path = changed(tmp_path, ("setting: full, backbone: gts, variant: plain", "setting: full, backbone: bird"))
    with pytest.raises(
        BadInput,
        match=r"train\.systems\.full-gts\.backbone: expected one of dns, s-aligned, gts, .*'bird'",
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
        f"{path}: train.systems: expected a system's name of up to 64 letters, digits, _ and -, "
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
    path = changed(tmp_path, ("variant: plain}", "variant: plain, optimizer: { learning_rate: .inf } }"))
    with pytest.raises(
        BadInput, match=r"train\.systems\.full-gts\.optimizer\.learning_rate: input should be a finite number"
    ):
        read_params(path)


# --- the first edition's names ---

FIRST = ROOT / "tests/fixtures/v1/params.yaml"


def test_the_first_editions_names_are_told_with_the_new_ones_a_line_each() -> None:
    with pytest.raises(BadInput) as error:
        read_params(FIRST)
    lines = error.value.lines
    assert len(lines) == 33
    for told in (
        "wda.budget is now wda.max_expressions",
        "train.systems.semi-d-gts.start is now train.systems.semi-d-gts.seeding",
        "train.systems.semi-d-gts.start.wda is now train.systems.semi-d-gts.seeding.strategy",
        "train.settings.weak.keep is now train.seeding.weak.max_candidates",
        "train.backbones.mwp-bert.optimiser.rate is now train.backbones.mwp-bert.optimizer.learning_rate",
        "train.optimiser.amp: no is now train.optimizer.precision: fp32",
        "train.diversity.weights: qualified is now train.diversity.weighting: qualification",
        "evaluate.batch is now evaluate.batch_size",
    ):
        assert f"{FIRST}: {told}" in lines


def test_once_all_that_is_told_is_followed_the_params_are_valid() -> None:
    text = FIRST.read_text(encoding="utf8")
    train = Params.model_validate(upgrades.upgraded(parse_yaml(text, "old"))).train
    assert (train.optimizer.precision, train.optimizer.learning_rate, train.seeding["weak"].strategy) == (
        "fp32",
        0.06,
        "ranked",
    )
    assert train.config(train.systems["semi-d-gts"]).diversity.weighting == "uniform"


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("precision: fp32", 'precision: "no"', "train.optimizer.precision: no is now train.optimizer.precision: fp32"),
        ("precision: fp32", "precision: no", "train.optimizer.precision: no is now train.optimizer.precision: fp32"),
        ("precision: fp32", "precision: false", "train.optimizer.precision: false is now train.optimizer.precision: fp32"),
        ("precision: fp32", "amp: false", "train.optimizer.amp: false is now train.optimizer.precision: fp32"),
        ("precision: fp32", "amp: bf16", "train.optimizer.amp is now train.optimizer.precision"),
        ("weighting: qualification", "weights: uniform", "train.diversity.weights is now train.diversity.weighting"),
        ("weighting: qualification", "weighting: qualified", "train.diversity.weighting: qualified is now train.diversity.weighting: qualification"),
        ("encoder_lr_scale: 1.0", "frozen: 2", "train.backbones.mwp-bert.solver.bert.frozen is now train.backbones.mwp-bert.solver.bert.freeze_layers"),
    ],
)  # fmt: skip
def test_an_old_value_is_told_too(tmp_path: Path, old: str, new: str, told: str) -> None:
    path = changed(tmp_path, (old, new))
    with pytest.raises(BadInput) as error:
        read_params(path)
    assert error.value.lines == (f"{path}: {told}",)


def test_other_mistakes_are_told_beside_the_old_names(tmp_path: Path) -> None:
    path = changed(tmp_path, ("    kind: adam ", "    name: sgd "), ("  count: 5", "  count: 1"))
    with pytest.raises(BadInput) as error:
        read_params(path)
    assert error.value.lines == (
        f"{path}: train.optimizer.name is now train.optimizer.kind",
        f"{path}: folds.count: input should be greater than or equal to 2, found 1",
        f"{path}: train.optimizer.kind: input should be 'adam' or 'adamw', found 'sgd'",
    )


# --- DVC ---

FILES = [ROOT / "params.yaml", *sorted((ROOT / "profiles").glob("*.yaml"))]


def typed(content: Any) -> Any:
    """With the type of every value, as 1 == 1.0 == True."""
    if isinstance(content, dict):
        return {key: typed(value) for key, value in content.items()}
    if isinstance(content, list):
        return [typed(value) for value in content]
    return type(content).__name__, content


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_what_dvc_writes_is_read_back_with_the_same_values_and_types(tmp_path: Path, file: Path) -> None:
    path = tmp_path / "params.yaml"
    shutil.copy(file, path)
    before = typed(parse_yaml(path.read_text(encoding="utf8"), "before") or {})
    assert typed(load_yaml(str(path))) == before
    with modify_yaml(str(path)) as content:  # as `dvc exp run --set-param` does
        content["base"] = content.pop("base", "none")
    before.setdefault("base", typed("none"))
    assert typed(parse_yaml(path.read_text(encoding="utf8"), "after")) == before
    dump_yaml(str(path), load_yaml(str(path)))
    assert typed(parse_yaml(path.read_text(encoding="utf8"), "after")) == before


def test_a_value_that_dvc_sets_has_its_type(tmp_path: Path) -> None:
    path = changed(tmp_path)
    with modify_yaml(str(path)) as content:
        content["train"]["optimizer"] |= {
            "weight_decay": 1e-05,
            "learning_rate": 1e-3,
            "precision": "no",
            "patience": 0,
        }
        content["train"]["systems"]["full-gts"]["title"] = "no"
    content = parse_yaml(path.read_text(encoding="utf8"), "after")["train"]
    assert typed(content["optimizer"]["weight_decay"]) == ("float", 1e-05)
    assert content["optimizer"]["precision"] == content["systems"]["full-gts"]["title"] == "no"
