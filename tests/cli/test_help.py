"""What the command line says of itself, and of what is not installed."""

import os
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions, version
from pathlib import Path

import pytest

from mwp.cli.groups import EXTRAS, extra_of
from tests.cli.test_errors import ROOT, mwp
from tests.serving.servers import WITHOUT

GROUPS: list[tuple[str, ...]] = [(), ("stage",), ("data",), ("results",)]


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: " ".join(group) or "mwp")
def test_no_line_of_the_help_is_cut(group: tuple[str, ...]) -> None:
    shown = mwp(*group, "--help").stdout
    assert "Commands:" in shown
    assert "..." not in shown.partition("Commands:")[2]
    assert max(map(len, shown.splitlines())) <= 80


def test_the_help_opens_with_solving_and_explains_its_words() -> None:
    shown = mwp("--help").stdout
    commands = shown.partition("Commands:\n")[2].splitlines()
    assert commands[0].startswith("  solve    ")
    words = " ".join(shown.partition("Words:")[2].split())
    for word in ("system", "setting", "buffer", "lbf", "D-Math23k", "Algorithm 1", "WDA"):
        assert word in words


def test_the_version_is_told() -> None:
    assert mwp("--version").stdout == f"mwp {version('mwp')}\n"


def test_commands_are_completed() -> None:
    asked = {"_MWP_COMPLETE": "complete_bash", "COMP_WORDS": "mwp so", "COMP_CWORD": "1"}
    program = [sys.executable, "-c", "import sys; sys.argv = ['mwp']; from mwp.cli.app import main; main()"]
    found = subprocess.run(program, env={**os.environ, **asked}, capture_output=True, text=True, check=False)
    assert found.stdout.split() == ["solve"]


@pytest.mark.parametrize(
    ("command", "module", "extra"),
    [
        (("repro",), "dvc", "pipeline"),
        (("ui",), "mlflow", "pipeline"),
        (("stage", "train", "--setting", "full"), "mlflow", "pipeline"),
        (("stage", "report"), "jinja2", "pipeline"),
        (("serve",), "uvicorn", "serve"),
        (("serve", "--model", "models:/x@y"), "mlflow", "pipeline"),
    ],
    ids=lambda given: " ".join(given) if isinstance(given, tuple) else given,
)
def test_a_command_whose_extra_is_missing_says_what_to_install(
    command: tuple[str, ...], module: str, extra: str, tmp_path: Path
) -> None:
    program = [sys.executable, "-c", WITHOUT.format(modules=(module,)), *command]
    if "--model" in command:
        program += ["--port", "0"]
    found = subprocess.run(program, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert found.returncode == 2
    said = f"error: this command needs {module}, which is not installed: pip install 'mwp[{extra}]'"
    assert found.stderr.splitlines()[-1] == said


def test_each_extra_installs_what_it_is_named_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf8"))["project"]
    distributions = packages_distributions()
    for extra, modules in EXTRAS.items():
        declared = " ".join(project["optional-dependencies"][extra]).lower()
        for module in modules:
            assert any(name.lower() in declared for name in distributions[module]), module
            assert not any(line.startswith(distributions[module][0]) for line in project["dependencies"]), module
    assert extra_of("ruamel.yaml") == "pipeline"
    assert extra_of("nothing") is None
