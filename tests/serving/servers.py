"""`mwp serve` as a user starts it, for tests."""

import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import ProxyHandler, Request, build_opener

from tests.tracking.pages import environment

READY = re.compile(r"(http://\S+) \(Ctrl-C ends it\)\n")
DIRECTLY = build_opener(ProxyHandler({}))


@dataclass(frozen=True)
class Server:
    address: str
    process: subprocess.Popen[str]

    def get(self, path: str) -> tuple[int, str]:
        return _answer(Request(f"{self.address}{path}"))

    def post(self, path: str, body: bytes, content_type: str = "application/json") -> tuple[int, Any]:
        status, text = _answer(Request(f"{self.address}{path}", body, {"content-type": content_type}))
        return status, json.loads(text)

    def ask(self, **question: Any) -> tuple[int, Any]:
        return self.post("/solve", json.dumps(question).encode())


def _answer(request: Request) -> tuple[int, str]:
    try:
        with DIRECTLY.open(request, timeout=30) as answer:
            return answer.status, answer.read().decode()
    except HTTPError as error:
        return error.code, error.read().decode()


# The command line where some modules cannot be imported.
WITHOUT = "import sys; sys.modules |= dict.fromkeys({modules!r}); from mwp.cli.app import main; main()"


@contextmanager
def serving(folder: Path, *arguments: str, without: Sequence[str] = ()) -> Iterator[Server]:
    program = ["-c", WITHOUT.format(modules=without)] if without else ["-m", "mwp.cli.app"]
    command = [sys.executable, *program, "serve", "--port", "0", *arguments]
    with subprocess.Popen(command, cwd=folder, env=environment(), stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            ready = READY.fullmatch(process.stdout.readline())
            assert ready, "mwp serve ended before it served"
            yield Server(ready[1], process)
        finally:
            process.send_signal(signal.SIGINT)
