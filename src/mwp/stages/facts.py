"""What stands at the foot of the page: which data, which folds, which training and which machine made the figures."""

import os
import platform
from collections.abc import Mapping, Sequence
from typing import Any

from mwp.data.folds import Fold
from mwp.evaluation.intervals import RESAMPLES, SEED
from mwp.stages.params import Params


def page_facts(
    params: Params, cleaning: Mapping[str, Mapping[str, Any]], folds: Mapping[str, Sequence[Fold]]
) -> dict[str, str]:
    return {
        **{f"Data, {name}": _data(counts) for name, counts in cleaning.items()},
        **{f"Folds, {name}": _folds(some, params.train.folds) for name, some in folds.items()},
        "Training": _training(params),
        "Scorers": "Exact reads every answer as a rational and allows 0.001 or a ten-thousandth of it. The paper’s "
        "counts an answer that Python’s float() cannot read (a fraction, a percent) as wrong, as the published code "
        "does.",
        "Intervals": f"95 %, by {RESAMPLES:,} bootstrap resamples of the test problems (seed {SEED}), those of all "
        "folds that were run pooled. They do not tell what another seed of the training would give.",
        "Machine": f"This page was written on {platform.system()} {platform.machine()}, {os.cpu_count()} cores, "
        f"Python {platform.python_version()}; the tags of each run name the machine that trained it.",
    }


def _data(counts: Mapping[str, Any]) -> str:
    dropped = ", ".join(f"{reason} {count:,}" for reason, count in counts["dropped"].items())
    kept = f"{counts['file']}: {counts['kept']:,} kept of {counts['total']:,}"
    return f"{kept} (dropped: {dropped})." if dropped else f"{kept}."


def _folds(folds: Sequence[Fold], run: Sequence[int]) -> str:
    first = folds[0]
    tested = sum(len(folds[fold].test) for fold in run)
    chosen = f"selects the model on {len(first.valid):,}" if first.valid else "keeps the last epoch"
    return (
        f"{len(folds)} by the scheme {first.scheme}, seed {first.seed}; run: {', '.join(map(str, run))}, "
        f"{tested:,} test problems; fold {first.index} trains on {len(first.train):,} and {chosen}."
    )


def _training(params: Params) -> str:
    train = params.train
    return (
        f"Seed {train.seed}. Unless a backbone or a system has values of its own: {train.optimiser.epochs} epochs, "
        f"batch {train.optimiser.batch}, width {train.solver.hidden}, {train.optimiser.name} at "
        f"{train.optimiser.rate:g}. Tested with a beam of {params.evaluate.beam}."
    )
