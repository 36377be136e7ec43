"""Four walks through the package: which files are really entered, in the order in which a reader comes to them.

    python -m benchmarks.walk [NAME ...] [--json]
    python -m benchmarks.walk --sizes [FOLDER]

A file counts once a function of it runs. What an import runs does not count: neither bodies of modules and classes nor
what they call. `--sizes` counts files and lines instead.
"""

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from inspect import CO_OPTIMIZED
from pathlib import Path
from types import FrameType
from typing import Any

import mwp

PACKAGE = Path(mwp.__file__).parent
TEXT = "一本书有120页，小明每天看15页，几天看完？"


@contextmanager
def tracing() -> Iterator[list[str]]:
    """The files of the package that are entered within, in order of first entry; also those of other threads."""
    entered: dict[str, None] = {}
    prefix = f"{PACKAGE}{os.sep}"

    def note(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event != "call" or not code.co_filename.startswith(prefix) or not code.co_flags & CO_OPTIMIZED:
            return
        file = code.co_filename.removeprefix(prefix)
        if file not in entered and not _is_importing(frame, prefix):
            entered[file] = None

    files: list[str] = []
    before = sys.getprofile()
    threading.setprofile(note)
    sys.setprofile(note)
    try:
        yield files
    finally:
        sys.setprofile(before)
        threading.setprofile(before)
        files += entered


def _is_importing(frame: FrameType | None, prefix: str) -> bool:
    """Whether the body of one of the package's modules is being run."""
    while frame is not None:
        if frame.f_code.co_name == "<module>" and frame.f_code.co_filename.startswith(prefix):
            return True
        frame = frame.f_back
    return False
