"""`mwp repro`: the whole pipeline by DVC, cell after cell or several side by side, or only what it would cost."""

import subprocess

from mwp.report.costs import costs_table, duration
from mwp.stages.items import grid_items
from mwp.stages.jobs import run_jobs
from mwp.stages.params import read_params
from mwp.stages.profiles import apply_profile, profiled


def run_repro(profile: str | None, jobs: int) -> int:
    """`dvc repro`, after putting in the profile; its exit code."""
    if profile is not None:
        apply_profile(profile)
    items = grid_items(read_params().train)
    if jobs > 1 and items:
        return run_jobs(items, min(jobs, len(items)))
    return subprocess.run(["dvc", "repro"], check=False).returncode


def run_dry(profile: str | None, jobs: int) -> str:
    """The list of trainings with their estimated cost; params.yaml stays as it is."""
    from mwp.stages.costs import estimate_costs

    params = profiled(profile)[1] if profile is not None else read_params()
    costs = estimate_costs(params, grid_items(params.train))
    rows = [(cost.item.name, cost.item.fold, cost.problems, cost.seconds) for cost in costs]
    total = sum(cost.seconds or 0 for cost in costs)
    unknown = sum(cost.seconds is None for cost in costs)
    return "\n\n".join(
        (
            costs_table(rows),
            *(f"unknown: {why}" for why in dict.fromkeys(cost.why for cost in costs if cost.seconds is None)),
            f"{len(costs)} trainings, about {duration(total / jobs)} on this machine with {jobs} side by side"
            + (f", and {unknown} that could not be measured" if unknown else "")
            + "; two short epochs of each kind were timed on the embedded sample",
        )
    )
