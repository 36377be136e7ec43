"""`mwp why-stale`: which value, function or file makes a stage stale: the plan now against the one it last ran by."""

import tempfile
from collections.abc import Iterator, Mapping
from functools import reduce
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from mwp.data.files import read_text
from mwp.errors import BadInput
from mwp.pipeline.grid import grid_run_specs
from mwp.pipeline.params import Params
from mwp.pipeline.plan import file_md5, planned, write_plan_file

CACHE = Path(".dvc/cache/files/md5")


def why_stale(params: Params, wanted: str | None = None) -> dict[str, list[str]]:
    """By stage, such as train@full-gts-0, what changed since it last ran; stages that did not change are left out."""
    runs = {f"{spec.name}-{spec.fold}" for spec in grid_run_specs(params.train)}
    # A lock file keeps the runs of systems that params.yaml no longer has.
    stages = {name: entry for name, entry in _locked_stages() if "@" not in name or name.partition("@")[2] in runs}
    if not stages:
        raise BadInput("no stage has run yet, so nothing can be stale; run: dvc repro")
    if wanted is not None and not any(_is_meant(name, wanted) for name in stages):
        raise BadInput(f"no stage {wanted!r} has run; there are: {', '.join(stages)}")
    plans = planned(params)
    found = {name: list(_changes(entry, plans)) for name, entry in stages.items() if _is_meant(name, wanted)}
    return {name: changes for name, changes in found.items() if changes}


def _is_meant(name: str, wanted: str | None) -> bool:
    return wanted is None or name == wanted or name.split("@")[0] == wanted


def _locked_stages() -> Iterator[tuple[str, Mapping[str, Any]]]:
    for lock in [*sorted(Path("stages").glob("*/dvc.lock")), Path("dvc.lock")]:
        if lock.exists():
            yield from (_load(read_text(lock)).get("stages") or {}).items()


def _changes(entry: Mapping[str, Any], plans: Mapping[Path, Mapping[str, Any]]) -> Iterator[str]:
    for dependency in entry.get("deps", ()):
        path, locked = Path(dependency["path"]), str(dependency.get("md5", ""))
        if path in plans:
            yield from _plan_changes(path, locked, plans[path])
        elif path.is_file() and file_md5(path) != locked:
            yield f"{path} changed"
        elif not path.exists():
            yield f"{path} is not there"
    for file, locked_values in entry.get("params", {}).items():
        now = _load(read_text(Path(file)))
        for name, before in locked_values.items():
            yield from _differences(before, _value(now, name), ("value", *name.split(".")))


def _value(values: Any, name: str) -> Any:
    """What a dotted name stands for; None where there is nothing."""
    return reduce(lambda found, part: found.get(part) if isinstance(found, Mapping) else None, name.split("."), values)


def _plan_changes(path: Path, locked: str, now: Mapping[str, Any]) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        if file_md5(write_plan_file(Path(folder, "plan.yaml"), now)) == locked:
            return
    cached = CACHE / locked[:2] / locked[2:]
    if not cached.exists():
        yield f"{path} changed; what it was is not in DVC's cache (get it with: dvc fetch)"
        return
    yield from _differences(_load(read_text(cached)), now)


def _differences(before: Any, now: Any, path: tuple[str, ...] = ()) -> Iterator[str]:
    if isinstance(before, Mapping) and isinstance(now, Mapping):
        for key in [*before, *(key for key in now if key not in before)]:
            yield from _differences(before.get(key), now.get(key), (*path, str(key)))
    elif before != now:
        yield _difference(before, now, path)


def _difference(before: Any, now: Any, path: tuple[str, ...]) -> str:
    kind, *rest = path
    if kind != "code":
        return (
            f"value {'.'.join(rest)}: {'nothing' if before is None else before} -> {'nothing' if now is None else now}"
        )
    where = ": ".join(rest)
    if before is None:
        return f"code {where} is new"
    return f"code {where} is gone" if now is None else f"code {where} changed"


def _load(text: str) -> dict[str, Any]:
    return YAML(typ="safe", pure=True).load(text) or {}
