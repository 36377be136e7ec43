"""Stage report: what the other stages found, as tables, as a page and as the one metrics file."""

import json
from pathlib import Path
from typing import Any

from mwp.data.files import read_records, read_text, write_json, write_text
from mwp.data.folds import Fold
from mwp.evaluation.audit import ALL, AuditRow
from mwp.report.kept_text import write_results
from mwp.report.page import Findings, render_page
from mwp.report.page_tables import by_name, comparisons
from mwp.report.standings import comparisons_note
from mwp.report.systems import Gain, Scored, gains_table, systems_table
from mwp.report.tables import audit_table, operators_table, share, table
from mwp.search.labels import Label
from mwp.stages.facts import page_facts
from mwp.stages.items import Item, grid_items
from mwp.stages.layout import (
    AUDIT_JSON,
    CLEAN_SUMMARY,
    CURVES,
    DATASETS,
    FULL,
    KEPT,
    KEPT_DOCUMENT,
    PAGE,
    REPORT,
    SUMMARY,
    WEAK,
    folds_file,
    labels_file,
)
from mwp.stages.params import Params
from mwp.stages.results import read_curves, read_scores, read_trainings
from mwp.stages.study import read_study
from mwp.tracking.experiment import open_experiment
from mwp.tracking.store import Store

BEST_ORDER = "ranked"


def run_report(params: Params) -> tuple[Path, Path]:
    """The Markdown and the page."""
    cleaning: dict[str, dict[str, Any]] = json.loads(read_text(CLEAN_SUMMARY))
    rows = [AuditRow.model_validate(row) for row in json.loads(read_text(AUDIT_JSON))]
    weak = read_records(labels_file(WEAK, BEST_ORDER), Label)
    folds = {dataset: read_records(folds_file(dataset), Fold) for dataset in DATASETS}
    items = grid_items(params.train)
    runs = list(read_scores(items))
    study = read_study(items, runs, params.train.seed)
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
            f"Answer-only problems: {_found(weak):,} of {len(weak):,} labelled ({share(_found(weak), len(weak))}).",
        )
    )
    write_text(REPORT, text + "\n")
    findings = Findings(
        standings=study.standings,
        gains=study.gains,
        trainings=read_trainings(items),
        audit=rows,
        cases=study.cases,
        kept=cleaning[FULL]["kept"],
        facts=page_facts(params, cleaning, folds),
    )
    write_text(PAGE, render_page(findings))
    note, store = comparisons_note(comparisons(study.gains, by_name(study.standings))), Store.of_project()
    if note and not store.is_empty:
        open_experiment(store).describe(note)
    write_curves(items)
    if KEPT.is_dir():
        write_results(KEPT, KEPT_DOCUMENT)
    write_json(
        SUMMARY,
        {
            "clean": cleaning,
            "wda": _metrics(rows) | {"weak": _found(weak) / max(len(weak), 1)},
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


def write_curves(items: list[Item]) -> None:
    rows = read_curves(items)
    names = list(dict.fromkeys(name for row in rows for name in row))
    lines = [",".join(names), *(",".join(str(row.get(name, "")) for name in names) for row in rows)]
    write_text(CURVES, "\n".join(lines) + "\n")


def _found(labels: list[Label]) -> int:
    return sum(bool(label.candidates) for label in labels)


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
        row.order: {
            "coverage": row.found / row.problems,
            "sound": row.sound / row.problems,
            "sound_at_5": row.sound_at_5 / row.problems,
        }
        for row in rows
        if row.operators == ALL
    }
