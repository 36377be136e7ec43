"""`mwp search`: solutions for any answer-only file."""

import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class OrderChoice(StrEnum):
    paper = "paper"
    published = "published"
    ranked = "ranked"


def search(
    file: Annotated[Path, typer.Argument(help="Problems with answers: Math23k, Weak12k, CNMWP, Ape210k or our own.")],
    out: Annotated[Path, typer.Option(help="Where the labels go, one JSON line a problem.")],
    order: Annotated[OrderChoice, typer.Option(help="Algorithm 1 as printed or as published, or ours.")] = (
        OrderChoice.ranked
    ),
    keep: Annotated[int, typer.Option(min=1, help="Candidates a problem (ranked).")] = 5,
    jobs: Annotated[int, typer.Option(min=0, help="Processes; 0 takes one a core.")] = 0,
    scheduler: Annotated[str | None, typer.Option(help="Address of a Dask scheduler, e.g. tcp://host:8786.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the counts as one JSON object.")] = False,
) -> None:
    """Find equations that lead from a problem's numbers to its answer (weak data augmentation)."""
    from mwp.stages.params import WdaParams
    from mwp.stages.search import run_search

    summary = run_search(file, out, order.value, WdaParams(keep=keep), jobs, scheduler)
    if as_json:
        print(json.dumps(summary))
        return
    problems = summary["problems"]
    print(f"{summary['found']:,} of {problems:,} problems labelled in {summary['seconds']} s, order {order.value}")
    if summary["dropped"]:
        print(f"{summary['dropped']:,} records could not be read; see why with: mwp data info {file}")
    if "sound" in summary:
        print(f"sound: first candidate {summary['sound']:,}, one of the first five {summary['sound_at_5']:,}")
    print(f"labels: {out}")
