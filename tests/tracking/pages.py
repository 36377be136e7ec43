"""`mwp ui` as a user starts it, for tests."""

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

READY = re.compile(r"(http://\S+) \(Ctrl-C ends it\)\n")


@dataclass(frozen=True)
class Page:
    url: str
    process: subprocess.Popen[str]


def free_port() -> int:
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        return int(trial.getsockname()[1])


def ui_command(port: int) -> list[str]:
    return [sys.executable, "-m", "mwp.cli.app", "ui", "--port", str(port)]


def environment() -> dict[str, str]:
    """Nothing that leads to another store."""
    return {name: value for name, value in os.environ.items() if name not in ("MLFLOW_TRACKING_URI", "DVC_ROOT")}


@contextmanager
def served(folder: Path, port: int) -> Iterator[Page]:
    with subprocess.Popen(
        ui_command(port), cwd=folder, env=environment(), stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            ready = READY.fullmatch(process.stdout.readline())
            assert ready, "mwp ui ended before it served"
            yield Page(ready[1], process)
        finally:
            process.send_signal(signal.SIGINT)
