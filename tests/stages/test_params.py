"""params.yaml: all mistakes at once, in one line."""

from pathlib import Path

import pytest

from mwp.errors import BadInput
from mwp.stages.params import read_params

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
    assert read_params(ROOT / "params.yaml").wda.order == "ranked"


def test_a_misspelt_key_names_the_nearest_known_one(tmp_path: Path) -> None:
    path = changed(tmp_path, ("  budget:", "  bugdet:"))
    with pytest.raises(BadInput) as error:
        read_params(path)
    assert str(error.value) == f"{path}: wda.bugdet is no parameter; did you mean budget?"


def test_all_mistakes_are_listed_at_once(tmp_path: Path) -> None:
    path = changed(tmp_path, ("order: ranked", "order: best"), ("count: 5", "count: 1"), ("seed: 23", "sede: 23"))
    with pytest.raises(BadInput) as error:
        read_params(path)
    message = str(error.value)
    assert "\n" not in message
    assert "wda.order: input should be 'paper', 'published' or 'ranked', found 'best'" in message
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
