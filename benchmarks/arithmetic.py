"""A training step of GTS in bf16 and in float32, with our dropout and with torch's own, in one run: ratios, not times.

    OMP_NUM_THREADS=1 python -m benchmarks.arithmetic [--hidden 256]

On the embedded sample, batch 64, one solution each. The four take turns batch by batch, so that whatever else the
machine does hits all of them.
"""

import argparse
import time
from collections.abc import Callable
from functools import partial

import torch
from torch import nn

from benchmarks.solver import EMBEDDING, batches
from mwp.data.vocabulary import Vocabulary
from mwp.solvers.base import EncoderDecoder
from mwp.solvers.batch import ProblemBatch
from mwp.solvers.config import SolverConfig
from mwp.solvers.layers import Dropout, replace_dropouts
from mwp.solvers.registry import start_solver

BATCHES, ROUNDS = 8, 4

Step = Callable[[ProblemBatch, list[list[int]]], None]


def make_solver(words: Vocabulary, hidden: int, dropout: type[nn.Dropout]) -> EncoderDecoder:
    torch.manual_seed(1)
    config = SolverConfig(embedding=EMBEDDING, hidden=hidden, dropout=0.3, max_operators=8, min_count=1)
    solver = start_solver("gts", config, words)
    replace_dropouts(solver, dropout)
    return solver


def step(solver: EncoderDecoder, narrow: bool, problems: ProblemBatch, solutions: list[list[int]]) -> None:
    plan = solver.decoder.plan(solutions, range(len(solutions)))
    solver.zero_grad()
    with torch.autocast("cpu", torch.bfloat16, enabled=narrow):
        loss = -solver.log_prob(problems, plan).mean()
    loss.backward()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0] if __doc__ else None)
    parser.add_argument("--hidden", type=int, default=256)
    given = parser.parse_args()
    words, chosen = batches(BATCHES)
    steps: dict[str, Step] = {
        f"{'bf16' if narrow else 'float32'}, {problem_index} dropout": partial(
            step, make_solver(words, given.hidden, dropout), narrow
        )
        for narrow in (False, True)
        for problem_index, dropout in (("torch's", nn.Dropout), ("our", Dropout))
    }
    seconds = dict.fromkeys(steps, 0.0)
    for turn in range(ROUNDS + 1):
        for problems, solutions in chosen:
            for name, take in steps.items():
                started = time.perf_counter()
                take(problems, solutions)
                if turn:  # the first round warms up
                    seconds[name] += time.perf_counter() - started
    slowest = max(seconds.values())
    count = ROUNDS * sum(len(solutions) for _, solutions in chosen)
    for name, spent in seconds.items():
        print(f"{name}: {count / spent:.0f} problems/s, {slowest / spent:.2f} times the slowest")


if __name__ == "__main__":
    main()
