"""What other packages add to a registry, by entry points: the group `mwp.backbones` or `mwp.datasets`."""

from collections.abc import Container
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import TypeVar

from mwp.errors import BadInput

Kind = TypeVar("Kind")


@cache
def installed(group: str) -> tuple[EntryPoint, ...]:
    return tuple(entry_points(group=group))


def added(group: str, built_in: Container[str]) -> dict[str, EntryPoint]:
    """By name, which nothing else may have: nobody could tell which of the two is meant."""
    found: dict[str, EntryPoint] = {}
    for entry in installed(group):
        if entry.name in built_in or entry.name in found:
            other = _package(found[entry.name]) if entry.name in found else "mwp itself"
            raise BadInput(
                f"expected a new name in {group}, found {entry.name!r} of {_package(entry)}, which {other} has; "
                f"rename it there, or uninstall {_package(entry)}"
            )
        found[entry.name] = entry
    return found


def load(entry: EntryPoint, kind: type[Kind]) -> Kind:
    """The object that an entry point names."""
    try:
        found = entry.load()
    except (ImportError, AttributeError) as error:
        raise BadInput(f"cannot load {entry.name!r} of {_package(entry)} from {entry.value}: {error}") from error
    if not isinstance(found, kind):
        raise BadInput(f"expected {entry.value} of {_package(entry)} to be a {kind.__name__}, found {found!r}")
    return found


def _package(entry: EntryPoint) -> str:
    return f"the package {entry.dist.name}" if entry.dist else "a package"
