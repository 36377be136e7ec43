"""Stage clean: the raw files to problem records, D-Math23k by rule, every dropped id with its reason."""

from collections import Counter
from pathlib import Path
from typing import Any

from mwp.data.cleaning import clean
from mwp.data.files import write_json, write_records
from mwp.data.readers import read_problems
from mwp.errors import BadInput
from mwp.stages.layout import CLEAN_SUMMARY, FULL, WEAK, drops_file, problems_file
from mwp.stages.params import DataParams
from mwp.stages.progress import following


def run_clean(params: DataParams) -> dict[str, dict[str, Any]]:
    summary = {dataset: _clean_file(dataset, path) for dataset, path in ((FULL, params.full), (WEAK, params.weak))}
    write_json(CLEAN_SUMMARY, summary)
    return summary


def _clean_file(dataset: str, path: Path) -> dict[str, Any]:
    reading = read_problems(path, progress=following(f"reading {path.name}"))
    cleaning = clean(reading.problems)
    drops = [*reading.drops, *cleaning.drops]
    total = len(cleaning.kept) + len(drops)
    if not cleaning.kept:
        raise BadInput(f"{path}: no problem of {total} can be used; see the reasons with: mwp data info {path}")
    write_records(problems_file(dataset), cleaning.kept)
    write_records(drops_file(dataset), drops)
    return {
        "file": str(path),
        "total": total,
        "kept": len(cleaning.kept),
        "dropped": dict(Counter(drop.reason for drop in drops).most_common()),
    }
