"""`mwp ui`: the runs in MLflow's page."""

from typing import Annotated

import typer


def ui(
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port to serve on.")] = 5000,
    host: Annotated[str, typer.Option(help="The address to serve on; by default only this machine can see it.")] = (
        "127.0.0.1"
    ),
) -> None:
    """Look at the runs in MLflow's page; Ctrl-C ends it."""
    from mwp.tracking.store import Store
    from mwp.tracking.ui import serve_ui

    serve_ui(Store.of_project(), host, port)
