"""`mwp repro`: the grid by DVC, one run after another or several side by side, or only an estimate of its cost."""

import os
import subprocess
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue

from mwp.pipeline.estimate import costs_table, duration
from mwp.pipeline.grid import RunSpec, grid_run_specs
from mwp.pipeline.params import read_params
from mwp.pipeline.profiles import apply_profile, profiled

# DVC cannot run two stages at once that change the same upstream, so that comes first, alone.
UPSTREAM = ("plan", "clean", "wda", "folds")
STEPS = ("train", "evaluate")
_printing = threading.Lock()


def run_jobs(specs: Sequence[RunSpec], jobs: int) -> int:
    """The exit code of the first step that failed; what does not depend on a failed run is still run."""
    upstream = [f"stages/{name}/dvc.yaml" for name in UPSTREAM]
    if code := subprocess.run(["dvc", "repro", *upstream], check=False).returncode:
        return code
    positions: SimpleQueue[int] = SimpleQueue()
    for position in range(jobs):
        positions.put(position)
    with ThreadPoolExecutor(jobs) as pool:
        codes = list(pool.map(lambda spec: _run_one(spec, jobs, positions), specs))
    failed = [(spec, code) for spec, code in zip(specs, codes, strict=True) if code]
    for spec, _ in failed:
        print(f"failed: {spec.name} on fold {spec.fold}")
    return failed[0][1] if failed else subprocess.run(["dvc", "repro"], check=False).returncode


def _run_one(spec: RunSpec, jobs: int, positions: "SimpleQueue[int]") -> int:
    position = positions.get()
    try:
        for step in STEPS:
            stage = f"stages/{step}/dvc.yaml:{step}@{spec.name}-{spec.fold}"
            if code := _run(["dvc", "--wait-for-lock", "repro", "-s", stage], spec, shared_out(jobs, position)):
                return code
        return 0
    finally:
        positions.put(position)


def _run(command: list[str], spec: RunSpec, environment: dict[str, str]) -> int:
    """Every line of its output with the run's name in front, so that two runs can be told apart."""
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf8"
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            with _printing:
                print(f"{spec.name} {spec.fold}: {line}", end="", flush=True)
    return process.returncode


def shared_out(jobs: int, position: int) -> dict[str, str]:
    """The cores shared out evenly, and one GPU each where there are several."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    environment = os.environ | {"OMP_NUM_THREADS": str(max(1, cores // jobs))}
    if len(gpus := _visible_gpus()) > 1:
        environment["CUDA_VISIBLE_DEVICES"] = gpus[position % len(gpus)]
    return environment


def _visible_gpus() -> list[str]:
    """From the driver's own tool: loading torch to count devices takes seconds."""
    if "CUDA_VISIBLE_DEVICES" in os.environ:
        return [name for name in os.environ["CUDA_VISIBLE_DEVICES"].split(",") if name]
    try:
        found = subprocess.run(["nvidia-smi", "--list-gpus"], capture_output=True, text=True, check=False)
    except OSError:
        return []
    return [str(index) for index, _ in enumerate(found.stdout.splitlines())]


def run_repro(profile: str | None, jobs: int) -> int:
    """`dvc repro`, after applying the profile; its exit code."""
    if profile is not None:
        apply_profile(profile)
    specs = grid_run_specs(read_params().train)
    if jobs > 1 and specs:
        return run_jobs(specs, min(jobs, len(specs)))
    return subprocess.run(["dvc", "repro"], check=False).returncode


def run_dry(profile: str | None, jobs: int) -> str:
    """The list of trainings with their estimated cost; params.yaml stays as it is."""
    from mwp.pipeline.estimate import estimate_costs

    params = profiled(profile)[1] if profile is not None else read_params()
    costs = estimate_costs(params, grid_run_specs(params.train))
    rows = [(cost.spec.name, cost.spec.fold, cost.problems, cost.seconds) for cost in costs]
    total = sum(cost.seconds or 0 for cost in costs)
    unknown = sum(cost.seconds is None for cost in costs)
    return "\n\n".join(
        (
            costs_table(rows),
            *(f"unknown: {reason}" for reason in dict.fromkeys(cost.reason for cost in costs if cost.seconds is None)),
            f"{len(costs)} trainings, about {duration(total / jobs)} on this machine with {jobs} side by side"
            + (f", and {unknown} that could not be measured" if unknown else "")
            + "; two short epochs of each kind were timed on the embedded sample",
        )
    )
