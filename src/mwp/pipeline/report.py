"""Stage report: the results of the other stages as tables, as a page and as the one metrics file."""

import json
import os
import platform
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from mwp.data.files import read_records, read_text, write_json, write_text
from mwp.data.folds import Fold
from mwp.evaluation.search_audit import ALL, AuditRow
from mwp.evaluation.statistics import RESAMPLES, SEED
from mwp.pipeline.grid import (
    AUDIT_JSON,
    CLEAN_SUMMARY,
    DATASETS,
    FULL,
    PAGE,
    REPORT,
    RESULTS_DOCUMENT,
    SAVED_RUNS,
    SUMMARY,
    WEAK,
    folds_file,
    grid_run_specs,
    labels_file,
)
from mwp.pipeline.metrics import write_metrics, write_plots
from mwp.pipeline.params import Params
from mwp.pipeline.study import Link, read_histories, read_scores, read_study, read_trainings, tracked_run
from mwp.report.page import ReportData, render_page
from mwp.report.page_tables import by_name, comparisons
from mwp.report.pooled_scores import Gain, Scored, comparisons_note
from mwp.report.results_document import write_results
from mwp.report.tables import percent_of, table
from mwp.report.terminal import audit_table, gains_table, operators_table, systems_table
from mwp.tracking.experiment import open_experiment
from mwp.tracking.store import Store
from mwp.wda.labels import Label

BEST_STRATEGY = "ranked"


def run_report(params: Params, link: Link = tracked_run) -> tuple[Path, Path]:
    """The paths of the Markdown and of the page."""
    cleaning: dict[str, dict[str, Any]] = json.loads(read_text(CLEAN_SUMMARY))
    rows = [AuditRow.model_validate(row) for row in json.loads(read_text(AUDIT_JSON))]
    weak = read_records(labels_file(WEAK, BEST_STRATEGY), Label)
    found = sum(bool(label.candidates) for label in weak)
    folds = {dataset: read_records(folds_file(dataset), Fold) for dataset in DATASETS}
    specs = grid_run_specs(params.train)
    runs = list(read_scores(specs))
    study = read_study(specs, runs, params.train.seed, link)
    text = "\n\n".join(
        (
            "# Results",
            *_solver_parts(runs, study.gains),
            "## Data",
            _data_table(cleaning, folds),
            "## Search (WDA) on the problems with a known equation",
            audit_table(rows),
            "First candidate sound, by operators of the ground truth:",
            operators_table(rows),
            f"Answer-only problems: {found:,} of {len(weak):,} labelled ({percent_of(found, len(weak))}).",
        )
    )
    write_text(REPORT, text + "\n")
    report = ReportData(
        pooled_scores=study.pooled_scores,
        gains=study.gains,
        trainings=read_trainings(specs),
        audit=rows,
        cases=study.cases,
        kept=cleaning[FULL]["kept"],
        facts=page_facts(params, cleaning, folds),
    )
    write_text(PAGE, render_page(report))
    note, store = comparisons_note(comparisons(study.gains, by_name(study.pooled_scores))), Store.of_project()
    if note and not store.is_empty:
        open_experiment(store).describe(note)
    write_metrics(study.pooled_scores)
    write_plots(read_histories(specs), study.pooled_scores, study.coverage)
    if SAVED_RUNS.is_dir():
        write_results(SAVED_RUNS, RESULTS_DOCUMENT)
    write_json(
        SUMMARY,
        {
            "clean": cleaning,
            "wda": _metrics(rows) | {"weak": found / max(len(weak), 1)},
            "solvers": _solver_metrics(runs),
        },
    )
    return REPORT, PAGE


def _solver_parts(runs: list[Scored], gains: list[Gain]) -> list[str]:
    """One table a setting and dataset, then what diversification adds, paired."""
    parts = []
    for setting, dataset in dict.fromkeys((run.setting, run.dataset) for run in runs):
        chosen = [run for run in runs if (run.setting, run.dataset) == (setting, dataset)]
        parts += [
            f"## Setting {setting}, tested on {dataset} ({chosen[0].scores.problems:,} problems)",
            systems_table(chosen),
        ]
    if gains:
        parts += [
            "## What diversification adds (points; bold where the 95 % interval excludes zero)",
            gains_table(gains),
        ]
    return parts


def _solver_metrics(runs: list[Scored]) -> dict[str, dict[str, float]]:
    return {
        f"{run.name}/{run.fold}/{run.dataset}": {
            f"top_{k}": run.scores.top["exact"][k].precision.value for k in (1, 3, 5)
        }
        for run in runs
    }


def _data_table(cleaning: dict[str, dict[str, Any]], folds: dict[str, list[Fold]]) -> str:
    return table(
        ("dataset", "read", "kept", "dropped", "folds", "train", "valid", "test"),
        [
            (
                dataset,
                f"{counts['total']:,}",
                f"{counts['kept']:,}",
                f"{counts['total'] - counts['kept']:,}",
                f"{len(folds[dataset])} ({folds[dataset][0].scheme})",
                f"{len(folds[dataset][0].train):,}",
                f"{len(folds[dataset][0].valid):,}",
                f"{len(folds[dataset][0].test):,}",
            )
            for dataset, counts in cleaning.items()
        ],
    )


def _metrics(rows: list[AuditRow]) -> dict[str, Any]:
    return {
        row.strategy: {
            "coverage": row.found / row.problems,
            "sound": row.sound / row.problems,
            "sound_at_5": row.sound_at_5 / row.problems,
        }
        for row in rows
        if row.operators == ALL
    }


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
        "folds that were run pooled. They do not cover another seed of the training.",
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
    chosen = f"selects the model on {len(first.valid):,}" if first.valid else "uses the last epoch"
    return (
        f"{len(folds)} by the scheme {first.scheme}, seed {first.seed}; run: {', '.join(map(str, run))}, "
        f"{tested:,} test problems; fold {first.index} trains on {len(first.train):,} and {chosen}."
    )


def _training(params: Params) -> str:
    train = params.train
    return (
        f"Seed {train.seed}. Unless a backbone or a system has values of its own: {train.optimizer.epochs} epochs, "
        f"batch {train.optimizer.batch_size}, width {train.solver.hidden}, {train.optimizer.kind} at "
        f"{train.optimizer.learning_rate:g}. Tested with a beam of {params.evaluate.beam_size}."
    )
