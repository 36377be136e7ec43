"""`mwp search` and `mwp score`: solutions for any answer-only file, and predictions under every scorer."""

import json
from pathlib import Path
from typing import Annotated

import typer

from mwp.wda.registry import STRATEGIES


def search(
    file: Annotated[Path, typer.Argument(help="Problems with answers: Math23k, Weak12k, CNMWP, Ape210k or our own.")],
    out: Annotated[Path, typer.Option(help="Where the labels go, one JSON line a problem.")],
    strategy: Annotated[
        str, typer.Option(help=f"{', '.join(STRATEGIES)}: Algorithm 1 as printed or as published, or ours.")
    ] = "ranked",
    max_candidates: Annotated[int, typer.Option(min=1, help="Candidates a problem (ranked).")] = 5,
    jobs: Annotated[int, typer.Option(min=0, help="Processes; 0 takes one a core.")] = 0,
    scheduler: Annotated[str | None, typer.Option(help="Address of a Dask scheduler, e.g. tcp://host:8786.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the counts as one JSON object.")] = False,
) -> None:
    """Find equations that lead from a problem's numbers to its answer (weak data augmentation)."""
    from mwp.pipeline.files import run_search
    from mwp.pipeline.params import WdaParams

    summary = run_search(file, out, strategy, WdaParams(max_candidates=max_candidates), jobs, scheduler)
    if as_json:
        print(json.dumps(summary))
        return
    problems = summary["problems"]
    print(f"{summary['found']:,} of {problems:,} problems labelled in {summary['seconds']} s, strategy {strategy}")
    if summary["dropped"]:
        print(f"{summary['dropped']:,} records could not be read; see why with: mwp data info {file}")
    if "sound" in summary:
        print(f"sound: first candidate {summary['sound']:,}, one of the first five {summary['sound_at_5']:,}")
    print(f"labels: {out}")


def score(
    predictions: Annotated[Path, typer.Argument(help="Predictions, one JSON line a problem.")],
    data: Annotated[Path, typer.Option(help="The problems: Math23k, Weak12k, CNMWP, Ape210k or our own.")],
    against: Annotated[Path | None, typer.Option(help="Another run's predictions for the same problems.")] = None,
    only_predicted: Annotated[
        bool, typer.Option("--only-predicted", help="Leave out problems without a prediction, e.g. other folds'.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as one JSON object.")] = False,
) -> None:
    """Score predictions again, exactly and as the paper does; with intervals, and paired against another run."""
    from mwp.pipeline.files import run_score
    from mwp.report.terminal import comparison_table, scores_text

    rescoring = run_score(predictions, data, against, only_predicted)
    if as_json:
        print(rescoring.model_dump_json())
        return
    print(scores_text(rescoring.scores))
    if rescoring.left_out:
        print(f"\n{rescoring.left_out:,} problems without a prediction left out")
    if rescoring.dropped:
        print(f"\n{rescoring.dropped:,} records could not be read; see why with: mwp data info {data}")
    if rescoring.against:
        print(f"\nA = {predictions}, B = {against}, first hypotheses:\n\n{comparison_table(rescoring.against)}")
