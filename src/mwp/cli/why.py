"""`mwp why`: the life of each buffered solution of a problem."""

from typing import Annotated

import typer


def why(
    id: Annotated[str, typer.Argument(help="A problem: 123 of dataset full, or weak/7.")],
    system: Annotated[str | None, typer.Option(help="A trained system; the newest by default.")] = None,
    fold: Annotated[int | None, typer.Option(min=0, help="The fold that it was trained without.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as one JSON object.")] = False,
) -> None:
    """Every solution that a training buffered for a problem: where from, when, and what it weighed over time."""
    from mwp.report.lives import lives_text
    from mwp.stages.why import explain

    lives = explain(id, system, fold)
    print(lives.model_dump_json() if as_json else lives_text(lives))
