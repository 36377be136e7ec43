"""Cells of the grid side by side: what they all need first, then each by `dvc repro` on its own, the report last."""

import os
import subprocess
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue

from mwp.stages.items import Item

# DVC cannot run two stages at once that change the same upstream, so that comes first, alone.
UPSTREAM = ("clean", "wda", "folds")
STEPS = ("train", "evaluate")

_printing = threading.Lock()


def run_jobs(items: Sequence[Item], jobs: int) -> int:
    """An exit code: that of the first step that failed; whatever does not depend on a failed cell is still run."""
    upstream = [f"stages/{name}/dvc.yaml" for name in UPSTREAM]
    if code := subprocess.run(["dvc", "repro", *upstream], check=False).returncode:
        return code
    places: SimpleQueue[int] = SimpleQueue()
    for place in range(jobs):
        places.put(place)
    with ThreadPoolExecutor(jobs) as pool:
        codes = list(pool.map(lambda item: _run_cell(item, jobs, places), items))
    failed = [(item, code) for item, code in zip(items, codes, strict=True) if code]
    for item, _ in failed:
        print(f"failed: {item.name} on fold {item.fold}")
    return failed[0][1] if failed else subprocess.run(["dvc", "repro"], check=False).returncode


def _run_cell(item: Item, jobs: int, places: "SimpleQueue[int]") -> int:
    place = places.get()
    try:
        for step in STEPS:
            stage = f"stages/{step}/dvc.yaml:{step}@{item.name}-{item.fold}"
            if code := _run(["dvc", "--wait-for-lock", "repro", "-s", stage], item, shared_out(jobs, place)):
                return code
        return 0
    finally:
        places.put(place)


def _run(command: list[str], item: Item, environment: dict[str, str]) -> int:
    """Every line of its output with the cell's name in front, so that two cells can be told apart."""
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf8"
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            with _printing:
                print(f"{item.name} {item.fold}: {line}", end="", flush=True)
    return process.returncode


def shared_out(jobs: int, place: int) -> dict[str, str]:
    """The cores shared out evenly, and one GPU each where there are several."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    environment = os.environ | {"OMP_NUM_THREADS": str(max(1, cores // jobs))}
    if len(gpus := _visible_gpus()) > 1:
        environment["CUDA_VISIBLE_DEVICES"] = gpus[place % len(gpus)]
    return environment


def _visible_gpus() -> list[str]:
    """Asked of the driver's own tool: loading torch to count devices would take longer than the question is worth."""
    if "CUDA_VISIBLE_DEVICES" in os.environ:
        return [name for name in os.environ["CUDA_VISIBLE_DEVICES"].split(",") if name]
    try:
        found = subprocess.run(["nvidia-smi", "--list-gpus"], capture_output=True, text=True, check=False)
    except OSError:
        return []
    return [str(index) for index, _ in enumerate(found.stdout.splitlines())]
