"""`mwp search`: weak data augmentation on any file of problems with answers."""

import time
from pathlib import Path
from typing import Any

from mwp.data.files import output_file, replacing
from mwp.data.readers import read_problems
from mwp.evaluation.audit import audit
from mwp.search.fanout import label_all
from mwp.search.labels import OrderName
from mwp.search.orders import make_order
from mwp.stages.params import WdaParams
from mwp.stages.progress import follow, following


def run_search(
    file: Path, out: Path, name: OrderName, params: WdaParams, jobs: int, scheduler: str | None
) -> dict[str, Any]:
    """Write one label a problem to `out`; the counts are over all problems read."""
    target = output_file(out, file)
    reading = read_problems(file, progress=following(f"reading {file.name}"))
    order = make_order(name, params.tries, params.budget, params.keep)
    started = time.perf_counter()
    with replacing(target) as handle:
        coming = follow(
            label_all(reading.problems, order, jobs, scheduler),
            len(reading.problems),
            f"searching, order {name}",
        )
        labels = []
        for label in coming:
            handle.write(label.model_dump_json() + "\n")
            labels.append(label)
    summary: dict[str, Any] = {
        "problems": len(labels),
        "found": sum(bool(label.candidates) for label in labels),
        "seconds": round(time.perf_counter() - started, 2),
        "order": name,
        "dropped": len(reading.drops),
    }
    rows = audit(reading.problems, labels)
    return summary | ({"sound": rows[0].sound, "sound_at_5": rows[0].sound_at_5} if rows else {})
