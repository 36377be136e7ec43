"""The code that something runs, as digests: the modules that it imports, by what they say and not how they are written.

A digest is of the syntax tree without docstrings, so comments, layout and docstrings change nothing. Modules are found
by their import statements, from the entries on; whatever is looked up by name (a backbone, a variant) is an entry.
"""

import ast
import hashlib
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

# Registries name everything that there is; what a run takes of them is an entry of its own.
REGISTRIES = ("mwp", "mwp.solvers.registry", "mwp.wda.registry")

# A module's top-level names, and "import" for what is neither function nor class, each with its digest.
Symbols = dict[str, str]


def code_digests(entries: Iterable[str], without: Iterable[str] = ()) -> dict[str, Symbols]:
    """By module, those of the entries and of all that they import; the packages `without` are passed over."""
    passed, pending, found = tuple(without), list(entries), dict[str, Symbols]()
    while pending:
        module = pending.pop()
        if module in found or any(module == name or module.startswith(f"{name}.") for name in passed):
            continue
        file = _source(module)
        if file is None:
            continue
        imported, symbols = _read(file, module.split(".")[0], file.stat().st_mtime_ns)
        if module not in REGISTRIES and symbols:
            found[module] = dict(symbols)
        pending += imported
    return dict(sorted(found.items()))


@cache
def _read(file: Path, top: str, _changed: int) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    tree = ast.parse(file.read_text(encoding="utf8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            node.body = [part for part in node.body if not _is_docstring(part)] or [ast.Pass()]
    return tuple(_imports(tree, {"mwp", top})), tuple(_symbols(tree))


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _imports(tree: ast.Module, packages: set[str]) -> Iterator[str]:
    """Modules of this package, or of the one that extends it, also those that a function imports; not for types."""
    for node in _without_type_checking(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] in packages:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.split(".")[0] in packages)


def _without_type_checking(tree: ast.AST) -> Iterator[ast.AST]:
    pending = [tree]
    while pending:
        node = pending.pop()
        yield node
        skipped = isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        pending += list(ast.iter_child_nodes(node)) if not skipped else []


def _symbols(tree: ast.Module) -> Iterator[tuple[str, str]]:
    rest = []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
            yield node.name, _digest(node)
        elif not isinstance(node, ast.Import | ast.ImportFrom | ast.Pass):
            rest.append(node)
    if rest:
        yield "module level", _digest(ast.Module(rest, []))


def _digest(node: ast.AST) -> str:
    return hashlib.sha256(ast.dump(node).encode()).hexdigest()[:12]


@cache
def _source(module: str) -> Path | None:
    """Found without importing anything but its package; None for what is no module, such as a name of one."""
    top, *parts = module.split(".")
    spec = find_spec(top)
    if spec is None or spec.origin is None:
        return None
    if not parts:
        return Path(spec.origin)
    path = Path(spec.origin).parent.joinpath(*parts)
    return next((file for file in (path.with_suffix(".py"), path / "__init__.py") if file.is_file()), None)
