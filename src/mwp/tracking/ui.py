"""The MLflow page on the project's store: one small server for as long as the command runs."""

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO, NoReturn
from urllib.error import HTTPError
from urllib.request import ProxyHandler, build_opener

from mwp.errors import BadInput
from mwp.tracking.store import EXPERIMENT, Store

# MLflow's job runner starts several processes of its own: 1.9 GB instead of 0.5.
ENVIRONMENT = {"MLFLOW_SERVER_ENABLE_JOB_EXECUTION": "false"}
SHUTDOWN_SECONDS = 10  # seconds to answer or to end in
ENDINGS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
DIRECTLY = build_opener(ProxyHandler({}))  # a proxy could not reach this machine's own server


def serve_ui(store: Store, host: str, port: int) -> None:
    """Until Ctrl-C."""
    if store.is_server:
        print(f"the runs are on an MLflow server already: open {store.name}")
        return
    if store.is_empty:
        raise BadInput(f"no runs yet: {store.database} does not exist; train first, for example with: dvc repro")
    _check_address(host, port)
    address = f"http://{f'[{host}]' if ':' in host else host}:{port}"
    print(f"starting the MLflow page on {store.name}", file=sys.stderr)
    with tempfile.TemporaryFile("w+") as log, _server(store, host, port, log) as server, suppress(KeyboardInterrupt):
        while server.poll() is None and not (page := _page(address)):
            time.sleep(0.1)
        if server.poll() is None:
            print(f"{page} (Ctrl-C ends it)", flush=True)
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
        raise BadInput(
            f"cannot serve on {host}, port {port}: {error.strerror}; choose another --port or --host"
        ) from error


def _page(address: str) -> str | None:
    """The address of the runs, once the server answers. Unless told that this is about training, MLflow's page opens
    with charts for language model applications."""
    query = f"{address}/api/2.0/mlflow/experiments/get-by-name?experiment_name={EXPERIMENT}"
    try:
        with DIRECTLY.open(query, timeout=SHUTDOWN_SECONDS) as answer:
            experiment = json.load(answer)["experiment"]["experiment_id"]
    except HTTPError:  # it answers, but the store has no such experiment
        return address
    except OSError:
        return None
    return f"{address}/#/experiments/{experiment}?workflowType=machine_learning"


@contextmanager
def _server(store: Store, host: str, port: int, log: IO[str]) -> Iterator[subprocess.Popen[bytes]]:
    """The server and all that it starts are one process group, which ends with the `with`. Signals wait until it is
    known: one that came while it starts would leave it behind."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _leave)
    signal.pthread_sigmask(signal.SIG_BLOCK, ENDINGS)
    server = subprocess.Popen(
        [
            *(sys.executable, "-m", "mlflow", "server", "--host", host, "--port", str(port), "--workers", "1"),
            *("--backend-store-uri", store.uri, "--default-artifact-root", str(store.artifacts)),
        ],
        env=os.environ | ENVIRONMENT,
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=log,
        start_new_session=True,
        preexec_fn=_let_signals_in,
    )
    try:
        _let_signals_in()
        yield server
    finally:
        _end(server)


def _let_signals_in() -> None:
    signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDINGS)


def _leave(number: int, _frame: object) -> NoReturn:
    sys.exit(128 + number)


def _end(server: subprocess.Popen[bytes]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an impatient second Ctrl-C would leave the server behind
    with suppress(ProcessLookupError):
        os.killpg(server.pid, signal.SIGTERM)
    with suppress(subprocess.TimeoutExpired):
        server.wait(SHUTDOWN_SECONDS)
    with suppress(ProcessLookupError):
        os.killpg(server.pid, signal.SIGKILL)
    server.wait()
