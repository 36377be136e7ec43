"""The level-by-level GTS against the plain one that goes node by node, in one run: ratios, not times.

    python -m benchmarks.solver [--json]

Both have the same weights and see the same problems of the embedded sample, one solution each, batch 64.
"""

import argparse
import json
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from mwp.data.cleaning import clean
from mwp.data.folds import make_folds
from mwp.data.readers import read_problems
from mwp.data.vocabulary import Vocabulary
from mwp.solvers.gru import GruEncoder
from mwp.solvers.gts import GtsDecoder
from mwp.solvers.problem_batch import EncodedProblem, ProblemBatch, collate_problems, encode_problem
from mwp.solvers.solver import Solver
from mwp.solvers.symbols import symbol_ids
from tests.solvers import plain

BATCH = 64
EMBEDDING = 128
REPEATS = 3
BUFFER = 5


def batches(count: int) -> tuple[int, list[tuple[ProblemBatch, list[list[int]]]]]:
    """The number of words, and batches of like length as in training."""
    problems = clean(read_problems(Path("data/sample/math23k.json")).problems).kept
    words = Vocabulary.build(make_folds(problems, "full", "paper", 5, 0.1, 1)[:1])
    pairs: list[tuple[EncodedProblem, list[int]]] = [
        (encode_problem(problem, words), symbol_ids(problem.gold[0])) for problem in problems
    ]
    pairs.sort(key=lambda pair: -len(pair[0].tokens))
    cut = [pairs[start : start + BATCH] for start in range(0, len(pairs) - BATCH, BATCH)]
    chosen = random.Random(1).sample(cut, count)
    return len(words), [(collate_problems([p for p, _ in batch]), [s for _, s in batch]) for batch in chosen]


def make_solver(words: int, hidden: int) -> Solver:
    torch.manual_seed(1)
    return Solver(GruEncoder(words, EMBEDDING, hidden, 0.5), GtsDecoder(hidden, 0.5, 8))


def fast_loss(solver: Solver, batch: ProblemBatch, solutions: list[list[int]], copies: int = 1) -> torch.Tensor:
    owners = [row for row in range(len(solutions)) for _ in range(copies)]
    plan = solver.decoder.plan([solutions[row] for row in owners], owners)
    return -solver.log_prob(batch, plan).mean()


def plain_loss(solver: Solver, batch: ProblemBatch, solutions: list[list[int]]) -> torch.Tensor:
    encoding = solver.encode(batch)
    ones = [plain.one_problem(solver.decoder, encoding, row) for row in range(len(batch))]
    scores = [plain.log_prob(solver.decoder, one, solution) for one, solution in zip(ones, solutions, strict=True)]
    return -torch.stack(scores).mean()


def training_time(solver: Solver, loss: Callable[..., torch.Tensor], work: list[Any], **options: Any) -> float:
    optimiser = torch.optim.Adam(solver.parameters())
    started = time.perf_counter()
    for batch, solutions in work:
        optimiser.zero_grad()
        loss(solver, batch, solutions, **options).backward()
        optimiser.step()
    return time.perf_counter() - started


class _Counter(TorchDispatchMode):
    count = 0

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self.count += 1
        return func(*args, **(kwargs or {}))


def operations(
    solver: Solver, loss: Callable[..., torch.Tensor], batch: ProblemBatch, solutions: list[list[int]]
) -> int:
    with _Counter() as counter:
        loss(solver, batch, solutions).backward()
    return counter.count


def warm_up(solver: Solver, work: list[Any], rounds: int = 20) -> None:
    """An untrained solver answers with single leaves; a few steps make its beams as long as real solutions."""
    optimiser = torch.optim.Adam(solver.parameters(), 3e-3)
    for batch, solutions in work * rounds:
        optimiser.zero_grad()
        fast_loss(solver, batch, solutions).backward()
        optimiser.step()


def decoding_times(solver: Solver, work: list[Any]) -> tuple[float, float]:
    solver.eval()
    with torch.inference_mode():
        started = time.perf_counter()
        for batch, _ in work:
            solver.solve(batch, 5)
        between = time.perf_counter()
        for batch, _ in work:
            encoding = solver.encode(batch)
            for row in range(len(batch)):
                plain.beams(solver.decoder, plain.one_problem(solver.decoder, encoding, row), 5)
        ended = time.perf_counter()
    solver.train()
    return between - started, ended - between


def measure() -> dict[str, float]:
    words, work = batches(REPEATS)
    result: dict[str, float] = {}
    for hidden in (128, 512):
        solver = make_solver(words, hidden)
        training_time(solver, fast_loss, work[:1])
        fast, slow = training_time(solver, fast_loss, work), training_time(solver, plain_loss, work)
        result[f"train_ratio_h{hidden}"] = slow / fast
        result[f"train_problems_per_second_h{hidden}"] = BATCH * len(work) / fast
    solver = make_solver(words, 128)
    result["operations_ratio"] = operations(solver, plain_loss, *work[0]) / operations(solver, fast_loss, *work[0])
    warm_up(solver, work)
    fast, slow = decoding_times(solver, work[:1])
    result["beam_ratio"] = slow / fast
    one, five = training_time(solver, fast_loss, work), training_time(solver, fast_loss, work, copies=BUFFER)
    result["buffer5_cost"] = five / one
    return {name: round(value, 2) for name, value in result.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0] if __doc__ else None)
    parser.add_argument("--json", action="store_true")
    as_json = parser.parse_args().json
    result = measure()
    if as_json:
        print(json.dumps(result))
        return
    for name, value in result.items():
        print(f"{name}: {value}")


if __name__ == "__main__":
    main()
