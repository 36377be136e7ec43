"""The fingerprint of a result: params, inputs and code in one string."""

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import mwp

# The sub-packages that make a trained model what it is.
LEARNING = ("arith", "data", "solvers", "training")


def file_md5(path: Path) -> str:
    """The md5 that DVC records for a file."""
    return hashlib.md5(path.read_bytes(), usedforsecurity=False).hexdigest()


def fingerprint(params: Any, inputs: Iterable[Path]) -> str:
    parts = [json.dumps(params, sort_keys=True, default=str), *(file_md5(path) for path in inputs)]
    package = Path(mwp.__file__).parent
    sources = sorted(file for name in LEARNING for file in (package / name).rglob("*.py"))
    parts += [f"{file.relative_to(package)} {file_md5(file)}" for file in sources]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]
