"""State on disk: written whole or not at all, read back with one clear line if it cannot be."""

import io
import pickle
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from mwp.data.files import write_bytes
from mwp.errors import BadInput

VERSION = 2


def save(path: Path, content: Mapping[str, Any]) -> None:
    """The same content makes the same bytes."""
    buffer = io.BytesIO()
    torch.save({"version": VERSION, **content}, buffer)
    write_bytes(path, buffer.getvalue())


def load(path: Path, device: str = "cpu") -> dict[str, Any]:
    try:
        content = torch.load(path, map_location=device, weights_only=True)
    except OSError as error:
        raise BadInput(f"cannot read {path}: {error.strerror or error}") from error
    except (RuntimeError, EOFError, zipfile.BadZipFile, pickle.UnpicklingError, ValueError, KeyError) as error:
        raise BadInput(f"{path} is no whole checkpoint (truncated or another file); train again") from error
    version = content.get("version") if isinstance(content, dict) else None
    if version != VERSION:
        raise BadInput(
            f"{path}: expected a checkpoint of version {VERSION}, found {version}; train again with this mwp"
        )
    return dict(content)
