"""Problems a second of training, forward and backward, with each encoder and the GTS decoder.

    OMP_NUM_THREADS=1 python -m benchmarks.encoders [--batch 32] [--hidden 512] [--source FOLDER --frozen 0 2 4]

On the embedded sample, one solution each, batches of like length. `--source` adds MWP-BERT with that encoder.
"""

import argparse
import random
import time
from pathlib import Path
from typing import Any

import torch

from mwp.data.cleaning import clean
from mwp.data.folds import make_folds
from mwp.data.problems import Problem
from mwp.data.readers import read_problems
from mwp.data.vocabulary import Vocabulary, symbol_ids
from mwp.solvers.config import BertConfig, SolverConfig
from mwp.solvers.registry import start_solver

REPEATS = 8


def problems_per_second(name: str, config: SolverConfig, problems: list[Problem], size: int) -> float:
    torch.manual_seed(1)
    words = Vocabulary.build(make_folds(problems, "full", "paper", 5, 0.1, 1)[:1])
    solver: Any = start_solver(name, config, words)
    pairs = [(solver.encoder.prepare(problem), symbol_ids(problem.gold[0])) for problem in problems]
    pairs.sort(key=lambda pair: -len(pair[0].tokens))
    frozen_prefix = [pairs[start : start + size] for start in range(0, len(pairs) - size, size)]
    chosen = random.Random(1).sample(frozen_prefix, min(REPEATS, len(frozen_prefix)))
    for pairs_of_batch in chosen:  # frozen layers read a problem once in a training
        step(solver, pairs_of_batch)
    started = time.perf_counter()
    for pairs_of_batch in chosen:
        step(solver, pairs_of_batch)
    return size * len(chosen) / (time.perf_counter() - started)


def step(solver: Any, pairs: list[tuple[Any, list[int]]]) -> None:
    batch = solver.encoder.collate([problem for problem, _ in pairs])
    plan = solver.decoder.plan([solution for _, solution in pairs], range(len(pairs)))
    solver.zero_grad()
    (-solver.log_prob(batch, plan).mean()).backward()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0] if __doc__ else None)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--hidden", type=int, default=512)
    parser.add_argument("--source")
    parser.add_argument("--frozen", type=int, nargs="+", default=[0])
    given = parser.parse_args()
    problems = clean(read_problems(Path("data/sample/math23k.json")).problems).kept
    config = SolverConfig(embedding=128, hidden=given.hidden, dropout=0.5, max_operators=8, min_count=1)
    rows = [("gts", "gts", config), ("graph2tree", "graph2tree", config)]
    for frozen in given.frozen if given.source else []:
        bert = config.model_copy(update={"bert": BertConfig(source=given.source, freeze_layers=frozen)})
        rows.append((f"mwp-bert, {frozen} layers frozen", "mwp-bert", bert))
    for title, name, shape in rows:
        print(f"{title}: {problems_per_second(name, shape, problems, given.batch):.0f} problems/s")


if __name__ == "__main__":
    main()
