"""The server process: a solver, an address, and uvicorn on it until Ctrl-C."""

import socket
import sys
from pathlib import Path

import uvicorn
from starlette.types import ASGIApp

from mwp.errors import BadInput
from mwp.inference.solver import SCHEMES
from mwp.pipeline.trained import find_model
from mwp.report.page import render_solve_page
from mwp.serving.app import make_app
from mwp.serving.local import load_served

SHUTDOWN_SECONDS = 5  # seconds for answers under way when it ends


def listen(host: str, port: int) -> socket.socket:
    """A socket that clients can already connect to; port 0 takes a free one."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family, kind, protocol)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(1024)
    except OSError as error:
        raise BadInput(
            f"cannot serve on {host}, port {port}: {error.strerror}; choose another --port or --host"
        ) from error
    return listening


def address_of(listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def serve(app: ASGIApp, listening: socket.socket) -> None:
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        lifespan="off",
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
        server_header=False,
    )
    uvicorn.Server(config).run(sockets=[listening])


def run_serve(model: str | None, host: str, port: int, seconds: float) -> None:
    """`model` as for `mwp solve`, or an address in MLflow such as models:/full-d-gts@fold-0."""
    source: str | Path = model if model and model.startswith(SCHEMES) else find_model(model)
    listening = listen(host, port)
    print(f"loading {source}", file=sys.stderr)
    served = load_served(source)
    app = make_app(served, render_solve_page(served.name), seconds)
    print(f"{address_of(listening)} (Ctrl-C ends it)", flush=True)
    serve(app, listening)
