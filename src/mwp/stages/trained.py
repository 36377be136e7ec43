"""The trained models of the project: found by path, by system, or simply the newest."""

import re
from pathlib import Path

from mwp.errors import BadInput
from mwp.stages.layout import MODEL_FILE, MODELS


def trained_folders() -> list[Path]:
    """`models/SYSTEM/fold-K` with a model inside, the newest first."""
    found = MODELS.glob(f"*/fold-*/{MODEL_FILE}")
    return [file.parent for file in sorted(found, key=lambda file: (-file.stat().st_mtime, str(file)))]


def find_model(name: str | None) -> Path:
    """A model's file by its path, its folder's, or SYSTEM or SYSTEM/fold-K; without a name the newest."""
    path = Path(name) if name else None
    if path is not None and path.is_file():
        return path
    if path is not None and (path / MODEL_FILE).is_file():
        return path / MODEL_FILE
    system, _, fold = (name or "").removeprefix(f"{MODELS}/").strip("/").partition("/")
    return find_folder(system or None, fold or None) / MODEL_FILE


def find_folder(system: str | None, fold: str | None) -> Path:
    """The newest folder of this system and fold (`fold-0` or `0`), where they are given."""
    known = trained_folders()
    if not known:
        raise BadInput(f"no trained model under {MODELS}/; train one first, for example with: dvc repro")
    number = re.sub(r"^fold-", "", fold) if fold is not None else None
    for folder in known:
        if system in (None, folder.parent.name) and (number is None or folder.name == f"fold-{number}"):
            return folder
    wanted = "/".join(part for part in (system, fold and f"fold-{number}") if part)
    there = ", ".join(sorted(str(folder.relative_to(MODELS)) for folder in known))
    raise BadInput(f"expected the path of a model or a trained system, found {wanted!r}; there are: {there}")
