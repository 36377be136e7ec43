"""The house's order: imports go one way, and the heavy libraries stay in their rooms."""

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src"
LAYERS = [
    "errors",
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
    "yaml": {"mwp.pipeline.params"},
    "sympy": set(),
    "ruamel": {"mwp.pipeline"},
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
FILES = sorted(SOURCE.rglob("*.py"))


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
    above = {name for name in imports(file) if name.startswith("mwp.") and layer(name) > layer(module_name(file))}
    assert not above


@pytest.mark.parametrize("file", FILES, ids=module_name)
def test_libraries_are_imported_only_in_their_rooms(file: Path) -> None:
    module = module_name(file)
    for name in imports(file):
        rooms = ROOMS.get(name.split(".")[0])
        assert rooms is None or any(module == room or module.startswith(f"{room}.") for room in rooms), name


def test_arith_needs_no_library_at_all() -> None:
    import sys

    used = {name.split(".")[0] for file in (SOURCE / "mwp/arith").rglob("*.py") for name in imports(file)}
    assert used <= {*sys.stdlib_module_names, "mwp"}


def test_there_is_no_room_for_odds_and_ends() -> None:
    assert not [file for file in FILES if file.stem in {"utils", "helpers", "common", "misc"}]
