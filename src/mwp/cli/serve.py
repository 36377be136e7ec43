"""`mwp serve`: a model over HTTP."""

from typing import Annotated

import typer


def serve(
    model: Annotated[
        str | None,
        typer.Option(
            help="As for solve, or an address in MLflow: models:/SYSTEM/1, models:/SYSTEM@fold-0, runs:/RUN/solver."
        ),
    ] = None,
    host: Annotated[str, typer.Option(help="The address to serve on; by default only this machine can see it.")] = (
        "127.0.0.1"
    ),
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port to serve on; 0 takes a free one.")] = 8000,
    seconds: Annotated[float, typer.Option(min=0.1, help="How long a request may take.")] = 30.0,
) -> None:
    """Serve a model: a page to type a problem into, POST /solve, and MLflow's POST /invocations; Ctrl-C ends it."""
    from mwp.stages.serve import run_serve

    run_serve(model, host, port, seconds)
