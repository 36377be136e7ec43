"""The MLflow page on the project's store: one small server for as long as the command runs."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NoReturn
from urllib.request import urlopen

from mwp.errors import BadInput
from mwp.tracking.store import Store

# MLflow's job runner starts several processes of its own: 1.9 GB instead of 0.5.
ENVIRONMENT = {"MLFLOW_SERVER_ENABLE_JOB_EXECUTION": "false"}
GRACE = 10  # seconds to end in, before being killed


def serve_ui(store: Store, host: str, port: int) -> None:
    """Until Ctrl-C."""
    if store.is_server:
        print(f"the runs are on an MLflow server already: open {store.name}")
        return
    if store.database and not (store.database.exists() and store.database.stat().st_size):
        raise BadInput(f"no runs yet: {store.database} does not exist; train first, for example with: dvc repro")
    _check_address(host, port)
    url = f"http://{f'[{host}]' if ':' in host else host}:{port}"
    print(f"starting the MLflow page on {store.name}", file=sys.stderr)
    with tempfile.TemporaryFile("w+") as log, _server(store, host, port, log.fileno()) as server, suppress(KeyboardInterrupt):
        while server.poll() is None and not _answers(url):
            time.sleep(0.1)
        if server.poll() is None:
            print(f"MLflow: {url} (Ctrl-C ends it)", flush=True)
        server.wait()
        log.seek(0)
        last = (log.read().strip().splitlines() or ["no message"])[-1]
        raise RuntimeError(f"the MLflow server ended with code {server.returncode}: {last}")


def _check_address(host: str, port: int) -> None:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            trial.bind(address)
    except OSError as error:
        raise BadInput(f"cannot serve on {host}, port {port}: {error.strerror}; choose another with --port") from error


def _answers(url: str) -> bool:
    try:
        urlopen(f"{url}/health", timeout=GRACE).close()
    except OSError:
        return False
    return True


@contextmanager
def _server(store: Store, host: str, port: int, log: int) -> Iterator[subprocess.Popen[bytes]]:
    """The server and all that it starts are one process group, which ends with this process unless that is killed."""
    command = [sys.executable, "-m", "mlflow", "server", "--backend-store-uri", store.uri]
    command += ["--default-artifact-root", str(store.artifacts), "--host", host, "--port", str(port), "--workers", "1"]
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _leave)
    server = subprocess.Popen(
        command,
        env=os.environ | ENVIRONMENT,
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=log,
        start_new_session=True,
    )
    try:
        yield server
    finally:
        _end(server)


def _end(server: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(server.pid, signal.SIGTERM)
    with suppress(subprocess.TimeoutExpired):
        server.wait(GRACE)
    with suppress(ProcessLookupError):
        os.killpg(server.pid, signal.SIGKILL)
    server.wait()


def _leave(number: int, _frame: object) -> NoReturn:
    sys.exit(128 + number)
