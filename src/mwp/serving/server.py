"""The server process: an address, and uvicorn on it until Ctrl-C."""

import socket

import uvicorn
from starlette.types import ASGIApp

from mwp.errors import BadInput

GRACE = 5  # seconds for answers under way when it ends


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
        app, log_level="warning", access_log=False, lifespan="off", timeout_graceful_shutdown=GRACE, server_header=False
    )
    uvicorn.Server(config).run(sockets=[listening])
