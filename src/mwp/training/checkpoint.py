"""State on disk: written whole or not at all, read back with one clear line if it cannot be."""

import io
import pickle
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from mwp import upgrades
from mwp.data.files import write_bytes
from mwp.errors import BadInput

FORMAT = 3


def save(path: Path, content: Mapping[str, Any]) -> None:
    """The same content makes the same bytes."""
    buffer = io.BytesIO()
    torch.save({"version": FORMAT, **content}, buffer)
    write_bytes(path, buffer.getvalue())


def load(path: Path, device: str = "cpu") -> dict[str, Any]:
    try:
        content = torch.load(path, map_location=device, weights_only=True)
    except OSError as error:
        raise BadInput(f"cannot read {path}: {error.strerror or error}") from error
    except (RuntimeError, EOFError, zipfile.BadZipFile, pickle.UnpicklingError, ValueError, KeyError) as error:
        raise BadInput(f"{path} is no whole checkpoint (truncated or another file); train again") from error
    return _upgraded(path, content)


def _upgraded(path: Path, content: Any) -> dict[str, Any]:
    """A checkpoint of an older format under the names of this one."""
    version = content.get("version") if isinstance(content, dict) else None
    if version == FORMAT:
        return dict(content)
    if version == 2:
        return upgrades.model(content) if "config" in content else upgrades.state(content)
    if isinstance(version, int) and version > FORMAT:
        raise BadInput(
            f"{path}: expected a checkpoint of format {FORMAT}, found {version}: a newer mwp wrote it; upgrade mwp"
        )
    raise BadInput(f"{path}: expected a checkpoint of format {FORMAT}, found {version}; train again with this mwp")
