"""Stage report: what the other stages found, as tables and as the one metrics file."""

import json
from typing import Any

from mwp.data.files import read_records, read_text, write_json, write_text
from mwp.data.folds import Fold
from mwp.evaluation.audit import ALL, AuditRow
from mwp.report.tables import audit_table, operators_table, share, table
from mwp.search.labels import Label
from mwp.stages.layout import (
    AUDIT_JSON,
    CLEAN_SUMMARY,
    DATASETS,
    REPORT,
    SUMMARY,
    WEAK,
    folds_file,
    labels_file,
)


def run_report() -> str:
    cleaning: dict[str, dict[str, Any]] = json.loads(read_text(CLEAN_SUMMARY))
    rows = [AuditRow.model_validate(row) for row in json.loads(read_text(AUDIT_JSON))]
    weak = read_records(labels_file(WEAK), Label)
    folds = {dataset: read_records(folds_file(dataset), Fold) for dataset in DATASETS}
    text = "\n\n".join(
        (
            "# Results",
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
    write_json(SUMMARY, {"clean": cleaning, "wda": _metrics(rows) | {"weak": _found(weak) / max(len(weak), 1)}})
    return text


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
