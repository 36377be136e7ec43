"""`mwp solve`, `mwp explain` and `mwp serve`: answers of a trained solver, and the buffers of its training."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from mwp.errors import BadInput

if TYPE_CHECKING:
    from mwp.pipeline.trained import SolveOptions

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
        bool, typer.Option("--raw", help="Do not merge equal equations; sort by the solver's probability.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object for each problem.")] = False,
) -> None:
    """Solve a problem, or a file of them: equations with their steps, the answer, and how sure the model is."""
    from mwp.data.readers import EXAMPLE
    from mwp.pipeline.trained import SolveOptions, solve_text
    from mwp.report.terminal import answer_text

    if (text is None) == (file is None):
        raise BadInput(f'expected a text or --file, and not both, such as: mwp solve "{EXAMPLE}"')
    options = SolveOptions(model, k, raw)
    if text is not None:
        answer = solve_text(text, options)
        print(answer.model_dump_json() if as_json else answer_text(answer))
    elif file is not None:
        _solve_file(file, options, as_json)


def _solve_file(file: str, options: SolveOptions, as_json: bool) -> None:
    from mwp.pipeline.progress import with_progress
    from mwp.pipeline.trained import read_lines, solve_lines
    from mwp.report.terminal import answer_text

    lines = read_lines(file)
    # A progress bar takes the standard output over, also where that is no terminal.
    out = None if sys.stdout.isatty() else sys.stdout
    bad = 0
    for line in with_progress(solve_lines(lines, options), len(lines), "solving"):
        bad += line.answer is None
        if as_json:
            found = {"error": line.error} if line.answer is None else line.answer.model_dump(mode="json")
            print(json.dumps({"line": line.number, **found}, ensure_ascii=False), file=out, flush=True)
        elif line.answer is None:
            print(f"line {line.number}: {line.error}", file=sys.stderr)
        else:
            print(f"line {line.number}: {line.answer.text}\n{answer_text(line.answer)}\n", file=out, flush=True)
    if bad:
        raise BadInput(f"{bad:,} of {len(lines):,} lines could not be solved; see the errors above")


def explain(
    id: Annotated[str, typer.Argument(help="A problem: 123 of dataset full, or weak/7.")],
    system: Annotated[str | None, typer.Option(help="A trained system; the newest by default.")] = None,
    fold: Annotated[int | None, typer.Option(min=0, help="The fold that it was trained without.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as one JSON object.")] = False,
) -> None:
    """Every solution in a problem's buffer: its source, its epoch, and its weights over the training."""
    from mwp.pipeline.explain import explain_problem
    from mwp.report.solution_history import history_text

    history = explain_problem(id, system, fold)
    print(history.model_dump_json() if as_json else history_text(history))


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
    from mwp.serving.server import run_serve

    run_serve(model, host, port, seconds)
