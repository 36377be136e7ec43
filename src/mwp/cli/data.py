"""`mwp data ...`: get, read and look at problem files."""

import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(help="Get, read and look at problem files.", no_args_is_help=True)
File = Annotated[Path, typer.Argument(help="A data file in any format that mwp reads.")]


class Dataset(StrEnum):
    math23k = "math23k"
    weak12k = "weak12k"


@app.command("import")
def import_(
    file: File,
    out: Annotated[Path, typer.Option(help="Where the problem records go, one JSON line each.")],
    clean: Annotated[bool, typer.Option("--clean", help="Also drop what stage clean drops.")] = False,
) -> None:
    """Read a raw file into problem records; what cannot be used goes to OUT.drops.jsonl with its reason."""
    from mwp.pipeline.files import run_import

    summary = run_import(file, out, clean)
    print(f"{summary.kept:,} kept of {summary.total:,}: {out}")
    if summary.dropped:
        print(f"{summary.dropped:,} dropped, each with its reason: {summary.drops_file}")


@app.command()
def info(
    file: File, as_json: Annotated[bool, typer.Option("--json", help="Print the counts as one JSON object.")] = False
) -> None:
    """Count what a file holds: numbers, operators, answers, and what cannot be used and why."""
    from mwp.data.cleaning import take_inventory
    from mwp.data.readers import read_problems
    from mwp.pipeline.progress import progress_for
    from mwp.report.terminal import inventory_text

    reading = read_problems(file, progress=progress_for(f"reading {file.name}"))
    inventory = take_inventory(reading.problems, reading.drops)
    print(json.dumps(inventory.model_dump(), ensure_ascii=False) if as_json else inventory_text(inventory))


@app.command()
def get(
    name: Annotated[Dataset, typer.Argument(help="Which data set.")],
    out: Annotated[Path, typer.Option(help="The folder it goes to.")] = Path("data/raw"),
) -> None:
    """Download a public data set from its pinned source and check it."""
    from mwp.data.download import fetch
    from mwp.pipeline.progress import transfers

    with transfers() as progress:
        files = fetch(name.value, out, progress=progress)
    for file in files:
        print(f"{file} ({file.stat().st_size:,} bytes, checked)")
