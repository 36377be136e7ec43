"""Profiles put their values into params.yaml, keep the rest, and never leave a broken file."""

import shutil
import subprocess
from pathlib import Path

import pytest
from dvc.utils.serialize import modify_yaml

from mwp.errors import BadInput
from mwp.pipeline.params import read_params
from mwp.pipeline.profiles import apply_profile

ROOT = Path(__file__).parents[2]


@pytest.fixture
def workshop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copy(ROOT / "params.yaml", tmp_path)
    shutil.copytree(ROOT / "profiles", tmp_path / "profiles")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", sorted(path.stem for path in (ROOT / "profiles").glob("*.yaml")))
def test_every_profile_is_valid_and_keeps_the_comments(workshop: Path, name: str) -> None:
    apply_profile(name)
    read_params()
    assert "# MAX of Algorithm 1" in Path("params.yaml").read_text(encoding="utf8")


def test_a_profile_overrides_what_it_names_and_nothing_else(workshop: Path) -> None:
    before = read_params()
    apply_profile("cpu")
    after = read_params()
    assert after.train.solver.hidden == 256
    assert after.wda == before.wda
    assert after.train.seeding == before.train.seeding


def test_the_papers_profile_has_the_papers_numbers(workshop: Path) -> None:
    apply_profile("paper")
    train = read_params().train
    assert (train.optimizer.epochs, train.solver.hidden, train.optimizer.halve_every) == (200, 512, 30)
    assert (train.diversity.update_every, train.diversity.max_solutions, len(train.folds)) == (5, None, 5)


def test_an_unknown_profile_names_the_known_ones(workshop: Path) -> None:
    with pytest.raises(
        BadInput, match="no profile 'gpu'; there are: ape, backbones, bert, best, cpu, folds, paper, sample"
    ):
        apply_profile("gpu")


def test_a_profile_with_a_base_has_its_values_but_for_its_own(workshop: Path) -> None:
    apply_profile("cpu")
    base = read_params()
    apply_profile("ape")
    own = read_params()
    assert own.train.solver == base.train.solver
    assert list(own.train.systems) == ["semi-d-gts-ape"]
    assert (own.data.full, own.data.weak) == (base.data.full, Path("data/raw/ape210k_valid.jsonl"))


def test_a_profile_chooses_systems_of_its_base_by_name(workshop: Path) -> None:
    apply_profile("cpu")
    base = read_params().train.systems
    apply_profile("best")
    assert read_params().train.systems == {"full-d-gts-long": base["full-d-gts-long"]}


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ("[weak-d-gts, long]", "chooses the system 'long'; its base has: .*weak-d-gts"),
        ("long", r"train\.systems.*long"),
    ],
)
def test_a_choice_of_systems_that_are_not_there_changes_nothing(workshop: Path, names: str, message: str) -> None:
    (workshop / "profiles/few.yaml").write_text(f"base: sample\ntrain:\n  systems: {names}\n", encoding="utf8")
    before = Path("params.yaml").read_bytes()
    with pytest.raises(BadInput, match=message):
        apply_profile("few")
    assert Path("params.yaml").read_bytes() == before


def test_a_profile_that_is_its_own_base_is_refused(workshop: Path) -> None:
    (workshop / "profiles/hen.yaml").write_text("base: egg\n", encoding="utf8")
    (workshop / "profiles/egg.yaml").write_text("base: hen\n", encoding="utf8")
    with pytest.raises(BadInput, match="the profile is its own base, by way of hen and egg"):
        apply_profile("hen")


def test_a_profile_with_a_typo_changes_nothing(workshop: Path) -> None:
    (workshop / "profiles/bad.yaml").write_text("train:\n  solver:\n    hiden: 3\n", encoding="utf8")
    before = Path("params.yaml").read_bytes()
    with pytest.raises(BadInput, match=r"train\.solver\.hiden is no parameter; did you mean hidden\?"):
        apply_profile("bad")
    assert Path("params.yaml").read_bytes() == before
    assert sorted(path.name for path in workshop.iterdir()) == ["params.yaml", "profiles"]


def test_a_profile_with_the_first_editions_names_is_told_the_new_ones(workshop: Path) -> None:
    old = 'base: cpu\ntrain:\n  settings:\n    weak: { wda: paper }\n  optimiser: { amp: "no" }\n'
    (workshop / "profiles/mine.yaml").write_text(old, encoding="utf8")
    before = Path("params.yaml").read_bytes()
    with pytest.raises(BadInput) as error:
        apply_profile("mine")
    assert error.value.lines == (
        "profiles/mine.yaml: train.settings is now train.seeding",
        "profiles/mine.yaml: train.settings.weak.wda is now train.seeding.weak.strategy",
        "profiles/mine.yaml: train.optimiser is now train.optimizer",
        "profiles/mine.yaml: train.optimiser.amp: no is now train.optimizer.precision: fp32",
    )
    assert Path("params.yaml").read_bytes() == before


def test_a_profile_starts_from_params_that_are_upgraded_in_git_too(workshop: Path) -> None:
    new = Path("params.yaml").read_bytes()
    shutil.copy(ROOT / "tests/fixtures/v1/params.yaml", "params.yaml")
    author = ("-c", "user.name=a", "-c", "user.email=a@b")
    for command in (("init", "-q"), ("add", "."), (*author, "commit", "-qm", "old")):
        subprocess.run(("git", *command), check=True)
    Path("params.yaml").write_bytes(new)
    with pytest.raises(BadInput, match=r"^params\.yaml as last committed: wda\.keep is now wda\.max_candidates\n"):
        apply_profile("cpu")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("train:\n  seed: 1\n  seed: 2\n", r'bad\.yaml, line 3: not YAML: found duplicate key "seed" with value "2"'),
        ("train: [1\n", r"bad\.yaml, line 2: not YAML: expected ',' or '\]'"),
        ("- 1\n", r"bad\.yaml: expected groups such as train: and data:, found \[1\]"),
    ],
)
def test_a_profile_that_cannot_be_read_is_named_with_the_line(workshop: Path, text: str, said: str) -> None:
    (workshop / "profiles/bad.yaml").write_text(text, encoding="utf8")
    with pytest.raises(BadInput, match=said):
        apply_profile("bad")


@pytest.mark.parametrize("name", ["../params", "../profiles/cpu", "/etc/passwd", "", ".."])
def test_a_profile_lies_in_the_folder_of_profiles(workshop: Path, name: str) -> None:
    known = ", ".join(sorted(path.stem for path in (workshop / "profiles").iterdir()))
    with pytest.raises(BadInput) as error:
        apply_profile(name)
    assert str(error.value) == f"no profile {name!r}; there are: {known}"
    (workshop / "profiles/zebra.yaml").write_text(f"base: {name or '..'}\n", encoding="utf8")
    with pytest.raises(BadInput) as error:
        apply_profile("zebra")
    assert str(error.value) == f"no profile {name or '..'!r}; there are: {known}, zebra"


def test_params_are_as_dvc_writes_them_so_that_an_experiment_changes_its_values_alone(tmp_path: Path) -> None:
    path = tmp_path / "params.yaml"
    shutil.copy(ROOT / "params.yaml", path)
    with modify_yaml(str(path)):
        pass
    assert path.read_text(encoding="utf8") == (ROOT / "params.yaml").read_text(encoding="utf8")
