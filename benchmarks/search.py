"""The compiled Algorithm 1 against its plain twin: same labels, how many times as fast; and the ranked order's speed.

    python -m benchmarks.search [FILE] [--json] [--every K]

FILE is any file with answers (default: the sample). `ratio` is the smaller of both orders' ratios of time, in one
process and one run.
"""

import argparse
import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from mwp.arith.expressions import Expression
from mwp.arith.notation import to_prefix
from mwp.data.cleaning import clean
from mwp.data.problems import Problem
from mwp.data.readers import read_problems
from mwp.wda.registry import make_strategy
from mwp.wda.strategies import label_all
from mwp.wda.tasks import Task, task_of
from tests.wda import plain

TRIES = 50_000
TWINS: dict[str, Callable[[Task, int], Expression | None]] = {
    "paper": plain.paper_order,
    "published": plain.published_order,
}


def compare(name: str, tasks: Sequence[Task]) -> dict[str, Any]:
    """Both on the same tasks; the kernel is compiled before the clock starts."""
    strategy = make_strategy(name, max_tries=TRIES, max_expressions=1, max_candidates=1)
    strategy.search(tasks[0])
    started = time.perf_counter()
    fast = [strategy.search(task) for task in tasks]
    between = time.perf_counter()
    slow = [TWINS[name](task, TRIES) for task in tasks]
    ended = time.perf_counter()
    same = sum(
        [candidate.solution for candidate in label.candidates] == ([] if twin is None else [to_prefix(twin)])
        for label, twin in zip(fast, slow, strict=True)
    )
    return {"order": name, "ratio": (ended - between) / (between - started), "same": same, "problems": len(tasks)}


def ranked_speed(problems: Sequence[Problem]) -> dict[str, float]:
    strategy = make_strategy("ranked", max_tries=TRIES, max_expressions=1_000_000, max_candidates=5)
    list(label_all(problems[:256], strategy))  # the worker processes load the kernels
    started = time.perf_counter()
    list(label_all(problems, strategy))
    seconds = time.perf_counter() - started
    return {"problems_per_second": len(problems) / seconds, "seconds": seconds}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0] if __doc__ else None)
    parser.add_argument("file", nargs="?", type=Path, default=Path("data/sample/math23k.json"))
    parser.add_argument("--every", type=int, default=1, help="compare with the twin on every K-th problem only")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    problems = clean(read_problems(arguments.file).problems).kept
    tasks = [task_of(problem) for problem in problems[:: arguments.every]]
    orders = [compare(name, tasks) for name in TWINS]
    result = {
        "ratio": round(min(row["ratio"] for row in orders), 1),
        "same_labels": all(row["same"] == row["problems"] for row in orders),
        **{key: round(value, 1) for key, value in ranked_speed(problems).items()},
        "problems": len(problems),
        "orders": orders,
    }
    if arguments.json:
        print(json.dumps(result))
        return
    for row in orders:
        same = f"same label on {row['same']:,} of {row['problems']:,}"
        print(f"{row['order']}: {row['ratio']:.0f} times as fast as its plain twin, {same}")
    print(f"ranked: {result['problems_per_second']:,.0f} problems/s ({result['seconds']} s for {len(problems):,})")


if __name__ == "__main__":
    main()
