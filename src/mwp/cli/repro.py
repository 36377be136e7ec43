"""`mwp repro`: a thin wrapper over `dvc repro`."""

from typing import Annotated

import typer


def repro(
    profile: Annotated[
        str | None, typer.Option(help="sample, cpu or paper: put its values into params.yaml first.")
    ] = None,
) -> None:
    """Run the whole pipeline, as far as its inputs have changed."""
    from mwp.stages.profiles import run_repro

    raise typer.Exit(run_repro(profile))
