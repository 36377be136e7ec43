"""The house's order: imports go one way, the heavy libraries stay in their rooms, and a library is not a project."""

import ast
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src"
LAYERS = [
    "errors",
    "extensions",
    "display",
    "upgrades",
    "arith",
    "data",
    "wda",
    "solvers",
    "training",
    "inference",
    "evaluation",
    "tracking",
    "api",
    "report",
    "pipeline",
    "serving",
    "cli",
]
# Where a library may be imported; all others may be imported anywhere in the layers above arith.
ROOMS = {
    "yaml": set(),
    "ruamel": {"mwp.pipeline"},
    "sympy": set(),
    "dvc": set(),
    "mlflow": {"mwp.tracking"},
    "psutil": {"mwp.tracking"},
    "filelock": {"mwp.tracking"},
    "jinja2": {"mwp.report"},
    "markupsafe": {"mwp.report"},
    "matplotlib": {"mwp.report"},
    "torch": {"mwp.solvers", "mwp.training", "mwp.inference", "mwp.api"},
    "transformers": {"mwp.solvers.pretrained"},
    "tokenizers": {"mwp.solvers.pretrained"},
    "numba": {"mwp.wda"},
    "joblib": {"mwp.wda"},
    "distributed": {"mwp.wda"},
    "fastapi": {"mwp.serving"},
    "starlette": {"mwp.serving"},
    "uvicorn": {"mwp.serving"},
    "typer": {"mwp.cli"},
    "click": set(),
}
# What models that 0.1 logged to MLflow import, for one release, wherever that lies now.
FIRST_EDITION = {"mwp.data.questions", "mwp.evaluation.beams", "mwp.training.models"}
FILES = sorted(SOURCE.rglob("*.py"))
HEAVY = ("torch", "numba", "mlflow", "pandas", "transformers", "accelerate", "matplotlib", "jieba")
# Those that everything asks for names and records; the command line imports some before it knows what is wanted.
LIGHT = (
    "mwp.cli.app",
    "mwp.pipeline.params",
    "mwp.pipeline.grid",
    "mwp.data.layouts",
    "mwp.wda.labels",
    "mwp.wda.registry",
    "mwp.solvers.config",
    "mwp.solvers.registry",
    "mwp.training.config",
    "mwp.training.buffer",
    "mwp.inference.predictions",
)
# What a library leaves to whoever calls it, and the modules that have a reason.
SURROUNDINGS = ("os.environ", "os.getenv", "os.getcwd", "os.chdir", "Path.cwd", "Path.home", "params.yaml")
EXCEPTIONS = {
    ("mwp.data.download", "os.environ"),  # MWP_DATA_URL: a mirror of the public data sets
    ("mwp.data.dictionary", "os.environ"),  # XDG_CACHE_HOME: the folder for jieba's dictionary,
    ("mwp.data.dictionary", "Path.home"),  # or ~/.cache
    ("mwp.solvers.pretrained", "os.environ"),  # read by nothing here: it keeps tokenizers from a warning at a fork
}


def module_name(file: Path) -> str:
    parts = file.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(file: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{file}: a relative import"
            found.add(node.module)
            found |= {f"{node.module}.{alias.name}" for alias in node.names if node.module == "mwp"}
    return found


def layer(module: str) -> int:
    """The package itself has the public names and stands above all."""
    return LAYERS.index(module.split(".")[1]) if "." in module else len(LAYERS)


@pytest.mark.parametrize("file", FILES, ids=module_name)
def test_no_module_imports_from_a_layer_above_its_own(file: Path) -> None:
    if module_name(file) in FIRST_EDITION:
        assert "models that 0.1 logged to MLflow" in file.read_text(encoding="utf8").splitlines()[0]
        return
    above = {name for name in imports(file) if name.startswith("mwp.") and layer(name) > layer(module_name(file))}
    assert not above


@pytest.mark.parametrize("file", FILES, ids=module_name)
def test_libraries_are_imported_only_in_their_rooms(file: Path) -> None:
    module = module_name(file)
    for name in imports(file):
        rooms = ROOMS.get(name.split(".")[0])
        assert rooms is None or any(module == room or module.startswith(f"{room}.") for room in rooms), name


def test_arith_needs_no_library_at_all() -> None:
    used = {name.split(".")[0] for file in (SOURCE / "mwp/arith").rglob("*.py") for name in imports(file)}
    assert used <= {*sys.stdlib_module_names, "mwp"}


def test_there_is_no_room_for_odds_and_ends() -> None:
    assert not [file for file in FILES if file.stem in {"utils", "helpers", "common", "misc"}]


def loaded_by(*modules: str) -> set[str]:
    """The heavy libraries that are there once these are imported, in a new process."""
    code = f"import sys, json\nfor name in {modules}: __import__(name)\nprint(json.dumps(list(sys.modules)))"
    environment = os.environ | {"PYTHONPATH": str(SOURCE)}
    result = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    ).stdout
    return {name for name in json.loads(result) if name in HEAVY}


@pytest.mark.parametrize("module", LIGHT)
def test_a_light_module_loads_no_heavy_library(module: str) -> None:
    assert loaded_by(module) == set()


def test_words_data_and_search_need_no_torch() -> None:
    below = [module_name(file) for file in FILES if layer(module_name(file)) < LAYERS.index("solvers")]
    assert {"mwp.arith.equality", "mwp.data.readers", "mwp.wda.strategies"} <= {*below}
    assert loaded_by(*below) == {"numba"}


def below_tracking() -> list[Path]:
    return [file for file in FILES if layer(module_name(file)) < LAYERS.index("tracking")]


def surroundings(tree: ast.Module) -> Iterator[str]:
    """What of its surroundings a module asks for; docstrings may name params.yaml."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, documented) and node.body and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            written = ast.unparse(node)
            yield from (name for name in SURROUNDINGS if written == name)
        elif isinstance(node, ast.ImportFrom) and node.module == "os":
            yield from (f"os.{alias.name}" for alias in node.names if f"os.{alias.name}" in SURROUNDINGS)
        elif isinstance(node, ast.Constant) and id(node) not in docstrings and "params.yaml" in str(node.value):
            yield "params.yaml"


def test_below_tracking_nothing_asks_for_its_surroundings() -> None:
    found = {
        (module_name(file), name)
        for file in below_tracking()
        for name in surroundings(ast.parse(file.read_text(encoding="utf8")))
    }
    assert found == EXCEPTIONS


def test_below_tracking_nothing_knows_mlflow_or_dvc() -> None:
    used = {name.split(".")[0] for file in below_tracking() for name in imports(file)}
    assert not used & {"mlflow", "dvc", "yaml", "typer", "fastapi"}


def test_the_check_of_surroundings_sees_them() -> None:
    code = (
        'import os\nfrom os import getenv\n\ndef f():\n    """Of params.yaml."""\n    return os.environ, "params.yaml"'
    )
    assert sorted(surroundings(ast.parse(code))) == ["os.environ", "os.getenv", "params.yaml"]


def imported_at_once(tree: ast.Module) -> Iterator[ast.Import | ast.ImportFrom]:
    """The imports that run when a module is loaded: not those of its functions, nor for type checkers alone."""
    waiting: list[ast.AST] = list(tree.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node
        elif isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            waiting += node.orelse
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            waiting += ast.iter_child_nodes(node)


def test_no_modules_import_each_other_in_a_circle() -> None:
    names = {module_name(file) for file in FILES}
    graph: dict[str, set[str]] = {}
    for file in FILES:
        found: set[str] = set()
        for node in imported_at_once(ast.parse(file.read_text(encoding="utf8"))):
            module = node.module if isinstance(node, ast.ImportFrom) else None
            # `from package import name` loads the module of that name, if there is one, else the package itself.
            found |= {f"{module}.{alias.name}" if module else alias.name for alias in node.names} & names
            found |= {module} & (names - {"mwp"}) if module else set()
        graph[module_name(file)] = found - {module_name(file)}
    assert len(list(TopologicalSorter(graph).static_order())) == len(names)
