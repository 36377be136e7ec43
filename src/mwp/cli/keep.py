"""`mwp keep`: the results of a grid as files small enough for git."""

from pathlib import Path
from typing import Annotated

import typer


def keep(
    into: Annotated[Path, typer.Option(help="The folder; each run has its own in it.")] = Path("results/real"),
) -> None:
    """Keep scores, curves, buffer summaries and predictions of the runs of params.yaml, without the problems' texts."""
    from mwp.stages.keep import run_keep
    from mwp.stages.params import read_params

    kept, missing = run_keep(read_params(), into)
    print(f"kept {len(kept)} runs in {into}")
    if missing:
        print(f"not trained yet: {', '.join(f'{item.name} fold {item.fold}' for item in missing)}")
