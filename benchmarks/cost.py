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

from mwp.arith.augmentation import variants
from mwp.arith.notation import from_prefix, to_prefix
from mwp.data.files import write_text
from mwp.pipeline.estimate import updates
from mwp.pipeline.grid import RunSpec, grid_run_specs, make_run_spec
from mwp.pipeline.params import read_params
from mwp.pipeline.profiles import profiled
from mwp.pipeline.train import make_run
from mwp.report.saved_runs import Costs, EpochCost, GridCost, epochs_table, grid_table
from mwp.solvers.config import BertConfig
from mwp.solvers.decoding import solve_all
from mwp.training.corpus import training_batches
from mwp.training.trainer import Trainer

SHARES = (0.1, 1 / 3, 1.0)
SOLUTIONS = (1, 2, 3, 5)
COUNTED = 3  # batches
# The shape of hfl/chinese-bert-wwm-ext, which reads characters, as one that starts from nothing does.
ENCODER = {"hidden": 768, "bert": BertConfig(layers=12, heads=12)}


def open_run(spec: RunSpec, folder: Path) -> Trainer:
    run = make_run(spec, folder)
    run.start()
    return run


def epoch_seconds(run: Trainer, keys: Sequence[str]) -> float:
    config = run.config
    batches = training_batches(keys, run.encoded, config.optimizer.batch_size, config.seed, 0)
    started = time.perf_counter()
    for batch in batches:
        run.train_step(run.micro_batch(batch), 0, config.optimizer.learning_rate)
    run.read_results()
    return time.perf_counter() - started


def multiply(run: Trainer, keys: Sequence[str], count: int) -> float:
    """Let these buffers hold up to `count` solutions each; how many they hold on average."""
    for key in keys:
        truth = run.buffer.entries(key)[0].solution
        for variant in variants(from_prefix(truth), count - 1):
            run.buffer.add(key, to_prefix(variant), "beam", 0)
        held = len(run.buffer.entries(key))
        run.state.weights[key] = [1 / held] * held
    return sum(len(run.buffer.entries(key)) for key in keys) / len(keys)


def by_problems(spec: RunSpec, folder: Path) -> list[EpochCost]:
    run = open_run(spec, folder)
    keys = [key for key in run.corpus.train if run.buffer.entries(key)]
    parts = [keys[: round(share * len(keys))] for share in SHARES]
    return [EpochCost(problems=len(part), solutions=1.0, seconds=epoch_seconds(run, part)) for part in parts]


def by_solutions(spec: RunSpec, folder: Path) -> list[EpochCost]:
    found = []
    for count in SOLUTIONS:
        run = open_run(spec, folder)
        keys = [key for key in run.corpus.train if run.buffer.entries(key)]
        part = keys[: round(SHARES[0] * len(keys))]
        mean = multiply(run, part, count)
        found.append(EpochCost(problems=len(part), solutions=round(mean, 2), seconds=epoch_seconds(run, part)))
    return found


def operations(spec: RunSpec, folder: Path) -> tuple[float, float]:
    """Floating point operations a problem: of a step, and of a beam search."""
    run = open_run(spec, folder)
    keys = [key for key in run.corpus.train if run.buffer.entries(key)]
    batches = training_batches(keys, run.encoded, run.config.optimizer.batch_size, run.config.seed, 0)[:COUNTED]
    problems = sum(map(len, batches))
    with FlopCounterMode(display=False) as step:
        for batch in batches:
            run.train_step(run.micro_batch(batch), 0, run.config.optimizer.learning_rate)
    with FlopCounterMode(display=False) as search:
        for batch in batches:
            list(solve_all(run.learner.solver, batch, run.encoded, run.config.diversity.beam_size, len(batch)))
    return step.get_total_flops() / problems, search.get_total_flops() / problems


def paper_grid(folder: Path, problems: int, speed: float) -> list[GridCost]:
    """A row a kind of training of profiles/paper.yaml, at `speed` operations a second."""
    _, params = profiled("paper")
    kinds: dict[str, list[RunSpec]] = {}
    for spec in grid_run_specs(params.train):
        kinds.setdefault(f"{spec.system.backbone}, {spec.system.variant}", []).append(spec)
    return [_kind_cost(kind, specs, folder, problems, speed) for kind, specs in kinds.items()]


def _kind_cost(kind: str, specs: Sequence[RunSpec], folder: Path, problems: int, speed: float) -> GridCost:
    """Settings and ablations count alike: they differ in data and weights, hardly in operations."""
    first = specs[0]
    config = first.config
    if config.variant == "lbf":
        config = config.model_copy(update={"variant": "diversified"})
    if config.solver.bert.source:
        config = config.model_copy(update={"solver": config.solver.model_copy(update=ENCODER)})
    full = RunSpec(first.name, first.system.model_copy(update={"setting": "full"}), config, first.seeding, 0)
    step, search = operations(full, folder)
    epochs, fills = first.config.optimizer.epochs, updates(first.config)
    each = problems * (epochs * step + fills * search)
    return GridCost(
        kind=kind,
        trainings=len(specs),
        epochs=epochs,
        updates=fills,
        step=step,
        search=search,
        hours=len(specs) * each / speed / 3600,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0] if __doc__ else None)
    parser.add_argument("--gpu-tflops", type=float, default=19.5, help="peak of the GPU; 19.5 is an A100 in float32")
    parser.add_argument("--used", type=float, default=0.05, help="the share of the peak that a small network reaches")
    parser.add_argument("--json", type=Path, help="write the figures there too")
    given = parser.parse_args()
    torch.set_num_threads(1)
    spec = make_run_spec(read_params().train, "full", "gts", "diversified", 0)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        problems, solutions = by_problems(spec, folder), by_solutions(spec, folder)
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
