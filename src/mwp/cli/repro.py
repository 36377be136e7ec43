"""`mwp repro`: a thin wrapper over `dvc repro`."""

from typing import Annotated

import typer


def repro(
    profile: Annotated[
        str | None, typer.Option(help="A file of profiles/: put its values into params.yaml first.")
    ] = None,
    jobs: Annotated[int, typer.Option(min=1, help="Trainings side by side; they share the cores out.")] = 1,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only list what would be trained, with an estimate of its cost.")
    ] = False,
) -> None:
    """Run the whole pipeline, as far as its inputs have changed."""
    from mwp.stages.repro import run_dry, run_repro

    if dry_run:
        print(run_dry(profile, jobs))
        return
    raise typer.Exit(run_repro(profile, jobs))
