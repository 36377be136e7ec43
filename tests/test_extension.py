"""A package that is really installed adds a backbone and a data set: through the library and on the command line."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from mwp import extensions
from mwp.data.files import write_records
from mwp.data.folds import make_folds
from mwp.data.layouts import LAYOUTS
from mwp.data.problems import Problem
from mwp.errors import BadInput
from mwp.solvers.registry import BACKBONES, backbone_names, find_backbone, start_solver
from tests.pipeline.conftest import ROOT, SMALL, change_params

PACKAGE = Path(__file__).parent / "fixtures/extension"
QUESTION = "一本书有120页，小明每天看15页，几天看完？"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which pip has installed the package, as it would into an environment; nothing is downloaded."""
    source, target = (tmp_path_factory.mktemp(name) for name in ("source", "site"))
    shutil.copytree(PACKAGE, source / "extension")
    options = ("--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check", "--quiet")
    subprocess.run(
        [sys.executable, "-m", "pip", "install", *options, "--target", str(target), str(source / "extension")],
        check=True,
        capture_output=True,
    )
    return target


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory, sample_problems: list[Problem]) -> Path:
    """What the stages before training leave, and params for a small one."""
    folder, problems = tmp_path_factory.mktemp("workshop"), sample_problems[:60]
    shutil.copy(ROOT / "params.yaml", folder)
    change_params(folder, systems={"full-bag": {"setting": "full", "backbone": "bag", "variant": "plain"}}, **SMALL)
    write_records(folder / "data/clean/full.jsonl", problems)
    write_records(folder / "data/folds/full.jsonl", make_folds(problems, "full", "paper", 5, 0.1, 1))
    return folder


def mwp(folder: Path, *arguments: str, packages: Path | None = None) -> subprocess.CompletedProcess[str]:
    paths = [str(path) for path in (packages, ROOT / "src") if path]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths), "OMP_NUM_THREADS": "1"}
    environment.pop("MLFLOW_TRACKING_URI", None)
    command = [sys.executable, "-m", "mwp.cli.app", *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def trained(workshop: Path, site: Path) -> Path:
    """A project with a model of the package's backbone, trained by the stage."""
    result = mwp(workshop, "stage", "train", "--system", "full-bag", packages=site)
    assert result.returncode == 0, result.stderr
    return workshop


def test_a_trained_backbone_of_a_package_is_evaluated_and_solves(trained: Path, site: Path) -> None:
    result = mwp(trained, "stage", "evaluate", "--system", "full-bag", packages=site)
    assert result.returncode == 0, result.stderr
    assert "12 problems, 0 of them without a prediction" in result.stdout
    solved = json.loads(mwp(trained, "solve", QUESTION, "--json", packages=site).stdout)
    assert len(solved["answers"]) == 5


def test_a_model_without_its_package_names_what_is_missing(trained: Path) -> None:
    result = mwp(trained, "solve", QUESTION)
    assert (result.returncode, result.stdout) == (2, "")
    known = "expected one of dns, s-aligned, gts, graph2tree, mwp-bert, found 'bag'; install the package that adds it"
    assert result.stderr == f"error: models/full-bag/fold-0/model.pt: {known}\n"


def test_the_command_line_knows_the_backbones_that_are_installed(workshop: Path, site: Path) -> None:
    unknown = mwp(workshop, "stage", "train", "--setting", "full", "--backbone", "nix", packages=site)
    assert unknown.stderr == f"error: expected a backbone of {', '.join(BACKBONES)}, bag, found 'nix'\n"
    without = mwp(workshop, "stage", "train", "--setting", "full", "--backbone", "bag")
    assert without.returncode == 2
    assert "train.systems.full-bag.backbone: " in without.stderr
    shown = " ".join(mwp(workshop, "stage", "train", "--help").stdout.split())
    assert f"{', '.join(BACKBONES)}, or one that an installed package adds" in shown


def test_a_data_set_of_a_package_is_found_by_its_keys(tmp_path: Path, site: Path) -> None:
    record = {"id": "1", "question": "有3个苹果和4个梨，共有多少个？", "formula": "3+4", "solution": "7"}
    (tmp_path / "exams.json").write_text(json.dumps([record]), encoding="utf8")
    read = mwp(tmp_path, "data", "import", "exams.json", "--out", "out.jsonl", packages=site)
    assert read.stdout.startswith("1 kept of 1"), read.stderr
    assert json.loads((tmp_path / "out.jsonl").read_text(encoding="utf8"))["gold"] == [["+", "N0", "N1"]]
    without = mwp(tmp_path, "data", "import", "exams.json", "--out", "out.jsonl")
    assert without.returncode == 2
    assert "expected records with the keys id, original_text, equation, ans or answer (Math23k, Ape210k)" in (
        without.stderr
    )


# --- what packages do wrong, each in one line ---


@pytest.fixture
def add(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Puts packages on the path that have nothing but entry points, as pip would leave them."""

    def one(package: str, group: str, entry: str) -> None:
        folder = tmp_path / f"{package.replace('-', '_')}-1.0.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n", encoding="utf8")
        (folder / "entry_points.txt").write_text(f"[{group}]\n{entry}\n", encoding="utf8")
        extensions.installed.cache_clear()

    monkeypatch.syspath_prepend(str(tmp_path))
    extensions.installed.cache_clear()
    yield one
    extensions.installed.cache_clear()


def test_a_name_of_mwp_itself_is_refused_before_anything_is_trained(add) -> None:
    add("their-gts", "mwp.backbones", "gts = their:GTS")
    message = (
        "expected a new name in mwp.backbones, found 'gts' of the package their-gts, which mwp itself has; "
        "rename it there, or uninstall the package their-gts"
    )
    for call in (backbone_names, lambda: start_solver("gts", None, None)):  # type: ignore[arg-type]
        with pytest.raises(BadInput) as error:
            call()
        assert str(error.value) == message
    assert find_backbone("gts") is BACKBONES["gts"]  # what was trained with it can still be read


def test_two_packages_with_one_name_are_both_named(add) -> None:
    add("one", "mwp.datasets", "exams = one:EXAMS")
    add("two", "mwp.datasets", "exams = two:EXAMS")
    with pytest.raises(BadInput, match=r"found 'exams' of the package (one|two), which the package (one|two) has; "):
        extensions.added("mwp.datasets", LAYOUTS)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("nowhere:X", "cannot load 'odd' of the package odd from nowhere:X: No module named 'nowhere'"),
        ("json:X", "cannot load 'odd' of the package odd from json:X: module 'json' has no attribute 'X'"),
        ("math:pi", "expected math:pi of the package odd to be a Backbone, found 3.14"),
    ],
)
def test_what_cannot_be_loaded_is_named_with_its_package(add, value: str, message: str) -> None:
    add("odd", "mwp.backbones", f"odd = {value}")
    with pytest.raises(BadInput) as error:
        find_backbone("odd")
    assert str(error.value).startswith(message)
