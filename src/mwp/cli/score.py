"""`mwp score`: what predictions are worth under every scorer."""

from pathlib import Path
from typing import Annotated

import typer


def score(
    predictions: Annotated[Path, typer.Argument(help="Predictions, one JSON line a problem.")],
    data: Annotated[Path, typer.Option(help="The problems: Math23k, Weak12k, CNMWP, Ape210k or our own.")],
    against: Annotated[Path | None, typer.Option(help="Another run's predictions for the same problems.")] = None,
    only_predicted: Annotated[
        bool, typer.Option("--only-predicted", help="Leave out problems without a prediction, e.g. other folds'.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as one JSON object.")] = False,
) -> None:
    """Score predictions anew, exactly and as the paper does; with intervals, and paired against another run."""
    from mwp.report.scores import comparison_table, scores_text
    from mwp.stages.score import run_score

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
        print(f"\nA = {predictions}, B = {against}, first beams:\n\n{comparison_table(rescoring.against)}")
