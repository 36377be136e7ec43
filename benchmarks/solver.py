"""The decoders, a batch at a time, against plain ones that go step by step, in one run: ratios, not times.

    python -m benchmarks.solver [--json]

Both have the same weights and see the same problems of the embedded sample, one solution each, batch 64.
"""

import argparse
import json
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from benchmarks.encoders import problems_per_second
from mwp.data.cleaning import clean
from mwp.data.folds import make_folds
from mwp.data.readers import read_problems
from mwp.data.vocabulary import Vocabulary, symbol_ids
from mwp.solvers.base import EncoderDecoder
from mwp.solvers.batch import EncodedProblem, ProblemBatch, collate_problems, encode_problem
from mwp.solvers.config import SolverConfig
from mwp.solvers.gru import GruEncoder
from mwp.solvers.registry import BACKBONES
from tests.solvers.decoders import KINDS
from tests.solvers.plain_parts import one_problem
from tests.solvers.plain_sequence import beginnings

BATCH = 64
EMBEDDING = 128
REPEATS = 3
BUFFER = 5
# The plain twin of DNS lists all texts that there are within the limit, hence the smaller one.
MAX_OPERATORS = {"gts": 8, "dns": 5, "s_aligned": 8}
# The wide twins take longest, and one of them shows what width does.
WIDTHS = {"gts": (128, 512), "dns": (128,), "s_aligned": (128,)}


def batches(count: int) -> tuple[Vocabulary, list[tuple[ProblemBatch, list[list[int]]]]]:
    """The words, and batches of like length as in training."""
    problems = clean(read_problems(Path("data/sample/math23k.json")).problems).kept
    words = Vocabulary.build(make_folds(problems, "full", "paper", 5, 0.1, 1)[:1])
    pairs: list[tuple[EncodedProblem, list[int]]] = [
        (encode_problem(problem, words), symbol_ids(problem.gold[0])) for problem in problems
    ]
    pairs.sort(key=lambda pair: -len(pair[0].tokens))
    frozen_prefix = [pairs[start : start + BATCH] for start in range(0, len(pairs) - BATCH, BATCH)]
    chosen = random.Random(1).sample(frozen_prefix, count)
    return words, [(collate_problems([p for p, _ in batch]), [s for _, s in batch]) for batch in chosen]


@dataclass(frozen=True)
class Contest:
    """A solver and its decoder's plain twin."""

    solver: EncoderDecoder
    twin: Any


def make_contest(kind: str, words: Vocabulary, hidden: int) -> Contest:
    torch.manual_seed(1)
    config = SolverConfig(
        embedding=EMBEDDING, hidden=hidden, dropout=0.5, max_operators=MAX_OPERATORS[kind], min_count=1
    )
    decoder = KINDS[kind].decoder(hidden, config.dropout, config.max_operators)
    return Contest(EncoderDecoder(GruEncoder(config, words), decoder), KINDS[kind].plain)


def fast_loss(contest: Contest, batch: ProblemBatch, solutions: list[list[int]], copies: int = 1) -> torch.Tensor:
    problem_index = [row for row in range(len(solutions)) for _ in range(copies)]
    plan = contest.solver.decoder.plan([solutions[row] for row in problem_index], problem_index)
    return -contest.solver.log_prob(batch, plan).mean()


def plain_loss(contest: Contest, batch: ProblemBatch, solutions: list[list[int]]) -> torch.Tensor:
    encoding = contest.solver.encode(batch)
    ones = [one_problem(encoding, row) for row in range(len(batch))]
    scores = [
        contest.twin.log_prob(contest.solver.decoder, one, solution)
        for one, solution in zip(ones, solutions, strict=True)
    ]
    return -torch.stack(scores).mean()


def training_time(contest: Contest, loss: Callable[..., torch.Tensor], work: list[Any], **options: Any) -> float:
    optimizer = torch.optim.Adam(contest.solver.parameters())
    started = time.perf_counter()
    for batch, solutions in work:
        optimizer.zero_grad()
        loss(contest, batch, solutions, **options).backward()
        optimizer.step()
    return time.perf_counter() - started


class _Counter(TorchDispatchMode):
    count = 0

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self.count += 1
        return func(*args, **(kwargs or {}))


def operations(
    contest: Contest, loss: Callable[..., torch.Tensor], batch: ProblemBatch, solutions: list[list[int]]
) -> int:
    with _Counter() as counter:
        loss(contest, batch, solutions).backward()
    return counter.count


def warm_up(contest: Contest, work: list[Any], rounds: int = 20) -> None:
    """An untrained solver answers with single leaves; a few steps make its beams as long as real solutions."""
    optimizer = torch.optim.Adam(contest.solver.parameters(), 3e-3)
    for batch, solutions in work * rounds:
        optimizer.zero_grad()
        fast_loss(contest, batch, solutions).backward()
        optimizer.step()


def beam_ratio(contest: Contest, batch: ProblemBatch) -> float:
    """How many times faster the beams of a batch are than the plain twin's, in evaluation mode."""
    solver = contest.solver.eval()
    with torch.inference_mode():
        started = time.perf_counter()
        solver.solve(batch, 5)
        between = time.perf_counter()
        encoding = solver.encode(batch)
        for row in range(len(batch)):
            contest.twin.beams(solver.decoder, one_problem(encoding, row), 5)
        ended = time.perf_counter()
    solver.train()
    return (ended - between) / (between - started)


def measure() -> dict[str, float]:
    words, work = batches(REPEATS)
    beginnings(MAX_OPERATORS["dns"])
    result: dict[str, float] = {}
    for kind in KINDS:
        result |= measure_decoder(kind, words, work)
    result |= measure_backbones()
    return {name: round(value, 2) for name, value in result.items()}


def measure_decoder(kind: str, words: Vocabulary, work: list[Any]) -> dict[str, float]:
    """The figures of GTS have no name in theirs."""
    name = "" if kind == "gts" else f"_{kind}"
    result: dict[str, float] = {}
    for hidden in WIDTHS[kind]:
        contest = make_contest(kind, words, hidden)
        training_time(contest, fast_loss, work[:1])
        fast, slow = training_time(contest, fast_loss, work), training_time(contest, plain_loss, work)
        result[f"train_ratio{name}_h{hidden}"] = slow / fast
        result[f"train_problems_per_second{name}_h{hidden}"] = BATCH * len(work) / fast
    contest = make_contest(kind, words, 128)
    plain, ours = operations(contest, plain_loss, *work[0]), operations(contest, fast_loss, *work[0])
    result[f"operations_ratio{name}"] = plain / ours
    warm_up(contest, work)
    result[f"beam_ratio{name}"] = beam_ratio(contest, work[0][0])
    one, five = training_time(contest, fast_loss, work), training_time(contest, fast_loss, work, copies=BUFFER)
    result[f"buffer5_cost{name}"] = five / one
    return result


def measure_backbones() -> dict[str, float]:
    """What a problem costs in training with each backbone, against GTS; MWP-BERT with two fresh layers."""
    problems = clean(read_problems(Path("data/sample/math23k.json")).problems).kept
    config = SolverConfig(embedding=EMBEDDING, hidden=128, dropout=0.5, max_operators=8, min_count=1)
    speeds = {name: problems_per_second(name, config, problems, BATCH) for name in BACKBONES}
    return {f"train_cost_{name.replace('-', '_')}": speeds["gts"] / speed for name, speed in speeds.items()}


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
