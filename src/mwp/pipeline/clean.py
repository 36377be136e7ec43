"""Stage clean: the raw files to problem records, D-Math23k by rule, every dropped id with its reason."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mwp.data.cleaning import clean, without
from mwp.data.files import write_json, write_records
from mwp.data.problems import Problem
from mwp.data.readers import read_problems
from mwp.errors import BadInput
from mwp.pipeline.grid import CLEAN_SUMMARY, FULL, WEAK, drops_file, problems_file
from mwp.pipeline.params import DataParams
from mwp.pipeline.progress import progress_for


def run_clean(params: DataParams) -> dict[str, dict[str, Any]]:
    """A problem that is in both files stays in the one with equations."""
    full, full_counts = _clean_file(FULL, params.full)
    _, weak_counts = _clean_file(WEAK, params.weak, full)
    summary = {FULL: full_counts, WEAK: weak_counts}
    write_json(CLEAN_SUMMARY, summary)
    return summary


def _clean_file(dataset: str, path: Path, others: Sequence[Problem] = ()) -> tuple[list[Problem], dict[str, Any]]:
    reading = read_problems(path, progress=progress_for(f"reading {path.name}"))
    cleaning = without(clean(reading.problems), others)
    drops = [*reading.drops, *cleaning.drops]
    total = len(cleaning.kept) + len(drops)
    reasons = dict(Counter(drop.reason for drop in drops).most_common())
    if not cleaning.kept:
        counted = "; ".join(f"{count:,} {reason}" for reason, count in reasons.items())
        raise BadInput(f"{path}: no problem of {total:,} can be used ({counted}); give data.{dataset} another file")
    write_records(problems_file(dataset), cleaning.kept)
    write_records(drops_file(dataset), drops)
    return cleaning.kept, {"file": str(path), "total": total, "kept": len(cleaning.kept), "dropped": reasons}
