"""What an epoch of D-GTS costs by the number of problems and of solutions; what the paper's grid would cost on a GPU.

    python -m benchmarks.cost [--gpu-tflops 19.5] [--used 0.05] [--json FILE]

Uses the problems, folds and values of params.yaml: run the stages before training first. One thread. Times are of whole
epochs of training on a tenth, a third and all problems of fold 0 with their ground truth, and on a tenth of them with
1, 2, 3 and 5 solutions each, made by the laws of arithmetic. Operations are counted in a step with the paper's widths
(profiles/paper.yaml); a GPU of so many TFLOPS is taken to reach the share `used` of its peak.
"""

import argparse
import json
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from torch.utils.flop_counter import FlopCounterMode

from mwp.arith.laws import variants
from mwp.arith.prefix import from_prefix, to_prefix
from mwp.data.files import write_json
from mwp.errors import BadInput
from mwp.report.tables import table
from mwp.stages.costs import updates
from mwp.stages.items import Item, grid_items, make_item
from mwp.stages.params import read_params
from mwp.stages.profiles import profiled
from mwp.stages.train import make_run
from mwp.training.batches import training_batches
from mwp.training.decoding import solve_all
from mwp.training.loop import Run

SHARES = (0.1, 1 / 3, 1.0)
SOLUTIONS = (1, 2, 3, 5)
COUNTED = 3  # batches


@dataclass(frozen=True)
class Epoch:
    """`solutions` a problem on average: not every ground truth can be written in many ways."""

    problems: int
    solutions: float
    seconds: float


def open_run(item: Item, folder: Path) -> Run:
    run = make_run(item, folder)
    run._start_weights()
    return run


def epoch_seconds(run: Run, keys: Sequence[str]) -> float:
    config = run.config
    batches = training_batches(keys, run.encoded, config.optimiser.batch, config.seed, 0)
    started = time.perf_counter()
    for batch in batches:
        run._train_batch(batch, config.optimiser.rate)
    run._read_results()
    return time.perf_counter() - started


def multiply(run: Run, keys: Sequence[str], count: int) -> float:
    """Let these buffers hold up to `count` solutions each; how many they hold on average."""
    for key in keys:
        truth = run.buffer.entries(key)[0].solution
        for variant in variants(from_prefix(truth), count - 1):
            run.buffer.add(key, to_prefix(variant), "beam", 0)
        held = len(run.buffer.entries(key))
        run.progress.weights[key] = [1 / held] * held
    return sum(len(run.buffer.entries(key)) for key in keys) / len(keys)


def by_problems(item: Item, folder: Path) -> list[Epoch]:
    run = open_run(item, folder)
    keys = [key for key in run.corpus.train if run.buffer.entries(key)]
    parts = [keys[: round(share * len(keys))] for share in SHARES]
    return [Epoch(len(part), 1.0, epoch_seconds(run, part)) for part in parts]


def by_solutions(item: Item, folder: Path) -> list[Epoch]:
    found = []
    for count in SOLUTIONS:
        run = open_run(item, folder)
        keys = [key for key in run.corpus.train if run.buffer.entries(key)]
        part = keys[: round(SHARES[0] * len(keys))]
        mean = multiply(run, part, count)
        found.append(Epoch(len(part), round(mean, 2), epoch_seconds(run, part)))
    return found


def operations(item: Item, folder: Path) -> tuple[float, float] | None:
    """Floating point operations a problem: of a step, and of a beam search; None without its encoder."""
    try:
        run = open_run(item, folder)
    except BadInput:
        return None
    keys = [key for key in run.corpus.train if run.buffer.entries(key)]
    batches = training_batches(keys, run.encoded, run.config.optimiser.batch, run.config.seed, 0)[:COUNTED]
    problems = sum(map(len, batches))
    with FlopCounterMode(display=False) as step:
        for batch in batches:
            run._train_batch(batch, run.config.optimiser.rate)
    with FlopCounterMode(display=False) as search:
        for batch in batches:
            list(solve_all(run.learner.solver, batch, run.encoded, run.config.diversity.beam, len(batch)))
    return step.get_total_flops() / problems, search.get_total_flops() / problems


def paper_grid(folder: Path) -> list[dict[str, Any]]:
    """A row a kind of training of profiles/paper.yaml; those that differ in weights alone count alike."""
    _, params = profiled("paper")
    rows: dict[str, dict[str, Any]] = {}
    for item in grid_items(params.train):
        kind = f"{item.system.backbone}, {item.system.variant}"
        rows.setdefault(kind, {"kind": kind, "trainings": 0, "item": item})["trainings"] += 1
    for row in rows.values():
        item = row.pop("item")
        plain = Item(item.name, item.system.model_copy(update={"setting": "full"}), item.config, item.start, 0)
        row |= {"epochs": item.config.optimiser.epochs, "updates": updates(item.config)}
        row["operations"] = operations(plain, folder)
    return list(rows.values())


def hours(row: dict[str, Any], problems: int, tflops: float, used: float) -> float | None:
    if row["operations"] is None:
        return None
    step, search = row["operations"]
    each = problems * (row["epochs"] * step + row["updates"] * search)
    return float(row["trainings"] * each / (tflops * 1e12 * used) / 3600)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0] if __doc__ else None)
    parser.add_argument("--gpu-tflops", type=float, default=19.5, help="peak of the GPU; 19.5 is an A100 in float32")
    parser.add_argument("--used", type=float, default=0.05, help="the share of the peak that a small network reaches")
    parser.add_argument("--json", type=Path, help="write the figures there too")
    given = parser.parse_args()
    torch.set_num_threads(1)
    item = make_item(read_params().train, "full", "gts", "diversified", 0)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        problems, solutions, grid = by_problems(item, folder), by_solutions(item, folder), paper_grid(folder)
    for row in grid:
        row["hours"] = hours(row, problems[-1].problems, given.gpu_tflops, given.used)
    show(problems, solutions, grid)
    if given.json:
        epochs = {"problems": [asdict(one) for one in problems], "solutions": [asdict(one) for one in solutions]}
        write_json(given.json, {**epochs, "gpu_tflops": given.gpu_tflops, "used": given.used, "grid": grid})


def show(problems: Sequence[Epoch], solutions: Sequence[Epoch], grid: Sequence[dict[str, Any]]) -> None:
    for title, epochs in (("By problems", problems), ("By solutions", solutions)):
        rows = [
            (f"{one.problems:,}", f"{one.solutions:.2f}", f"{one.seconds:.0f}", f"{one.problems / one.seconds:.0f}")
            for one in epochs
        ]
        print(f"{title}\n\n{table(('problems', 'solutions each', 'seconds an epoch', 'problems/s'), rows)}\n")
    rows = [
        (
            row["kind"],
            str(row["trainings"]),
            str(row["epochs"]),
            *(f"{count / 1e6:,.0f}" for count in row["operations"] or ()),
            f"{row['hours']:.1f}" if row["hours"] is not None else "unknown",
        )
        for row in grid
        if row["operations"]
    ]
    header = ("kind", "trainings", "epochs", "million operations a step", "a search", "hours on the GPU")
    print(f"The paper's grid\n\n{table(header, rows)}\n")
    if unknown := [row["kind"] for row in grid if not row["operations"]]:
        print(f"unknown, for the encoder is not here: {', '.join(unknown)}")
    print(json.dumps({"hours of all": round(sum(row["hours"] or 0 for row in grid), 1)}))


if __name__ == "__main__":
    main()
