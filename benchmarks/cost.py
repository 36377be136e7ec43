"""What an epoch of D-GTS costs by the number of problems and of solutions; what the paper's grid would cost on a GPU.

    python -m benchmarks.cost [--gpu-tflops 19.5] [--used 0.05] [--json FILE]

Uses the problems, folds and values of params.yaml: run the stages before training first. One thread. Times are of whole
epochs of training on a tenth, a third and all problems of fold 0 with their ground truth, and on a tenth of them with
1, 2, 3 and 5 solutions each, made by the laws of arithmetic. Operations are counted in a step with the paper's widths
(profiles/paper.yaml), those of its pre-trained encoder in one of the same shape that starts from nothing; a GPU of so
many TFLOPS is taken to reach the share `used` of its peak.
"""

import argparse
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import torch
from torch.utils.flop_counter import FlopCounterMode

from mwp.arith.laws import variants
from mwp.arith.prefix import from_prefix, to_prefix
from mwp.data.files import write_text
from mwp.report.kept_costs import Costs, EpochCost, GridCost, epochs_table, grid_table
from mwp.solvers.config import BertConfig
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
# The shape of hfl/chinese-bert-wwm-ext, which reads characters, as one that starts from nothing does.
ENCODER = {"hidden": 768, "bert": BertConfig(layers=12, heads=12)}


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


def by_problems(item: Item, folder: Path) -> list[EpochCost]:
    run = open_run(item, folder)
    keys = [key for key in run.corpus.train if run.buffer.entries(key)]
    parts = [keys[: round(share * len(keys))] for share in SHARES]
    return [EpochCost(problems=len(part), solutions=1.0, seconds=epoch_seconds(run, part)) for part in parts]


def by_solutions(item: Item, folder: Path) -> list[EpochCost]:
    found = []
    for count in SOLUTIONS:
        run = open_run(item, folder)
        keys = [key for key in run.corpus.train if run.buffer.entries(key)]
        part = keys[: round(SHARES[0] * len(keys))]
        mean = multiply(run, part, count)
        found.append(EpochCost(problems=len(part), solutions=round(mean, 2), seconds=epoch_seconds(run, part)))
    return found


def operations(item: Item, folder: Path) -> tuple[float, float]:
    """Floating point operations a problem: of a step, and of a beam search."""
    run = open_run(item, folder)
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


def paper_grid(folder: Path, problems: int, speed: float) -> list[GridCost]:
    """A row a kind of training of profiles/paper.yaml, at `speed` operations a second."""
    _, params = profiled("paper")
    kinds: dict[str, list[Item]] = {}
    for item in grid_items(params.train):
        kinds.setdefault(f"{item.system.backbone}, {item.system.variant}", []).append(item)
    return [_kind_cost(kind, items, folder, problems, speed) for kind, items in kinds.items()]


def _kind_cost(kind: str, items: Sequence[Item], folder: Path, problems: int, speed: float) -> GridCost:
    """Settings and ablations count alike: they differ in data and weights, hardly in operations."""
    first = items[0]
    config = first.config
    if config.variant == "lbf":
        config = config.model_copy(update={"variant": "diversified"})
    if config.solver.bert.source:
        config = config.model_copy(update={"solver": config.solver.model_copy(update=ENCODER)})
    full = Item(first.name, first.system.model_copy(update={"setting": "full"}), config, first.start, 0)
    step, search = operations(full, folder)
    epochs, fills = first.config.optimiser.epochs, updates(first.config)
    each = problems * (epochs * step + fills * search)
    return GridCost(
        kind=kind,
        trainings=len(items),
        epochs=epochs,
        updates=fills,
        step=step,
        search=search,
        hours=len(items) * each / speed / 3600,
    )


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
        problems, solutions = by_problems(item, folder), by_solutions(item, folder)
        grid = paper_grid(folder, problems[-1].problems, given.gpu_tflops * 1e12 * given.used)
    costs = Costs(
        by_problems=tuple(problems),
        by_solutions=tuple(solutions),
        tflops=given.gpu_tflops,
        used=given.used,
        grid=tuple(grid),
    )
    print(f"By problems\n\n{epochs_table(problems)}\n\nBy solutions\n\n{epochs_table(solutions)}\n")
    print(f"The paper's grid: {costs.hours:.0f} hours\n\n{grid_table(grid)}")
    if given.json:
        write_text(given.json, costs.model_dump_json(indent=1) + "\n")


if __name__ == "__main__":
    main()
