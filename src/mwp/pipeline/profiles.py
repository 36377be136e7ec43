"""Profiles: small files that override params.yaml, or another profile; the file keeps its comments and other values."""

import io
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from mwp import upgrades
from mwp.data.files import read_text, write_text
from mwp.errors import BadInput, Mistakes
from mwp.pipeline.params import PARAMS_FILE, Params, not_yaml, parse_params

PROFILES = Path("profiles")


def apply_profile(name: str) -> None:
    """Put a profile's values into params.yaml; nothing is written unless the result is valid."""
    text, _ = profiled(name)
    write_text(PARAMS_FILE, text)


def profiled(name: str) -> tuple[str, Params]:
    """params.yaml with a profile's values, as text and checked; as DVC writes it, so that only values differ."""
    yaml = YAML()
    yaml.preserve_quotes = True
    yaml.default_flow_style = False
    params = _loaded(yaml, *_base())
    for changes in _layers(name, yaml):
        _override(params, changes)
    text = io.StringIO()
    yaml.dump(params, text)
    return text.getvalue(), parse_params(text.getvalue(), f"{PARAMS_FILE} with profile {name}")


def _layers(name: str, yaml: YAML, above: tuple[str, ...] = ()) -> list[dict[str, Any]]:
    """The profile's values, after those of its `base`, another profile, where it names one."""
    # Only a name that is listed: a path might lead out of the folder.
    known = sorted(file.stem for file in PROFILES.glob("*.yaml"))
    if name not in known:
        raise BadInput(f"no profile {name!r}; there are: {', '.join(known) or 'none'}")
    path = PROFILES / f"{name}.yaml"
    if name in above:
        raise BadInput(f"{path}: the profile is its own base, by way of {' and '.join(above)}")
    changes = _loaded(yaml, read_text(path), str(path))
    base = changes.pop("base", None)
    return [*(_layers(base, yaml, (*above, name)) if base else ()), changes]


def _loaded(yaml: YAML, text: str, where: str) -> dict[str, Any]:
    """Groups of values; the first edition's names are told."""
    try:
        values: dict[str, Any] = yaml.load(text) or {}
    except (YAMLError, ValueError) as error:
        raise not_yaml(where, error) from error
    if not isinstance(values, Mapping):
        raise BadInput(f"{where}: expected groups such as train: and data:, found {values!r:.40}")
    if old := upgrades.old_names(values):
        raise Mistakes(f"{where}: {was} is now {now}" for was, now in old)
    return values


def _base() -> tuple[str, str]:
    """A profile starts from params.yaml as it is in git, so that one profile leaves nothing behind for the next; the
    text, and how it is called in errors."""
    found = subprocess.run(
        ["git", "show", f"HEAD:./{PARAMS_FILE}"], capture_output=True, text=True, encoding="utf8", check=False
    )
    if found.returncode == 0:
        return found.stdout, f"{PARAMS_FILE} as last committed"
    return read_text(PARAMS_FILE), str(PARAMS_FILE)


def _override(params: Any, changes: Mapping[str, Any]) -> None:
    """Group by group; the systems are replaced as a whole, or chosen from those below by a list of their names."""
    for key, value in changes.items():
        if key == "systems":
            params[key] = _chosen(params[key], value) if isinstance(value, list) else value
        elif isinstance(value, Mapping) and isinstance(params.get(key), Mapping):
            _override(params[key], value)
        else:
            params[key] = value


def _chosen(systems: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    if unknown := [name for name in names if name not in systems]:
        raise BadInput(f"the profile chooses the system {unknown[0]!r}; its base has: {', '.join(systems)}")
    return {name: systems[name] for name in names}
