"""`mwp solve`: equations for any Chinese problem."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from mwp.errors import BadInput

if TYPE_CHECKING:
    from mwp.stages.solve import Asking

ModelOption = Annotated[
    str | None,
    typer.Option("--model", help="A model.pt, its folder, or SYSTEM[/fold-K] under models/; the newest by default."),
]


def solve(
    text: Annotated[str | None, typer.Argument(help="A problem in Chinese.")] = None,
    file: Annotated[
        str | None, typer.Option("--file", help="Problems, one a line; - reads the standard input.")
    ] = None,
    model: ModelOption = None,
    k: Annotated[int, typer.Option("-k", min=1, max=50, help="How many equations to show.")] = 5,
    raw: Annotated[
        bool, typer.Option("--raw", help="Beams as the solver has them: equal ones apart, by probability.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object for each problem.")] = False,
) -> None:
    """Solve a problem, or a file of them: equations with their steps, the answer, and how sure the model is."""
    from mwp.data.questions import EXAMPLE
    from mwp.report.answers import answer_text
    from mwp.stages.solve import Asking, solve_text

    if (text is None) == (file is None):
        raise BadInput(f'expected a text or --file, and not both, such as: mwp solve "{EXAMPLE}"')
    asking = Asking(model, k, raw)
    if text is not None:
        answer = solve_text(text, asking)
        print(answer.model_dump_json() if as_json else answer_text(answer))
    elif file is not None:
        _solve_file(file, asking, as_json)


def _solve_file(file: str, asking: Asking, as_json: bool) -> None:
    from mwp.report.answers import answer_text
    from mwp.stages.progress import follow
    from mwp.stages.solve import read_lines, solve_lines

    lines = read_lines(file)
    # A progress bar takes the standard output over, also where that is no terminal.
    out = None if sys.stdout.isatty() else sys.stdout
    bad = 0
    for line in follow(solve_lines(lines, asking), len(lines), "solving"):
        bad += line.answer is None
        if as_json:
            found = {"error": line.error} if line.answer is None else line.answer.model_dump(mode="json")
            print(json.dumps({"line": line.number, **found}, ensure_ascii=False), file=out, flush=True)
        elif line.answer is None:
            print(f"line {line.number}: {line.error}", file=sys.stderr)
        else:
            print(f"line {line.number}: {line.answer.text}\n{answer_text(line.answer)}\n", file=out, flush=True)
    if bad:
        raise BadInput(f"{bad:,} of {len(lines):,} lines could not be solved; what is wrong stands with each")
