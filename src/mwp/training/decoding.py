"""Solve many problems, and weigh many solutions, in evaluation mode."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import torch

from mwp.solvers.problem_batch import EncodedProblem, on_device
from mwp.solvers.solver import Solver, read_beams
from mwp.solvers.symbols import symbol_ids
from mwp.training.batches import sorted_batches

Solutions = list[tuple[tuple[str, ...], float]]


@contextmanager
def evaluating(solver: torch.nn.Module) -> Iterator[None]:
    """No dropout, no gradients; back to what it was at the end."""
    training = solver.training
    solver.eval()
    try:
        with torch.inference_mode():
            yield
    finally:
        solver.train(training)


def solve_all(
    solver: Solver, keys: Sequence[str], encoded: Mapping[str, EncodedProblem], k: int, size: int
) -> Iterator[tuple[str, Solutions]]:
    """(key, beams best first), batch by batch, longest problems first."""
    device = next(solver.parameters()).device
    for batch in sorted_batches(keys, encoded, size):
        with evaluating(solver):
            beams = solver.solve(on_device(solver.encoder.collate([encoded[key] for key in batch]), device), k)
        yield from zip(batch, read_beams(solver.decoder, beams), strict=True)


def log_probs_of(
    solver: Solver,
    solutions: Mapping[str, Sequence[tuple[str, ...]]],
    encoded: Mapping[str, EncodedProblem],
    size: int,
) -> Iterator[tuple[str, list[float], torch.Tensor]]:
    """(key, log-probability of each solution, mean token state) for problems that have any."""
    device = next(solver.parameters()).device
    for batch in sorted_batches([key for key, some in solutions.items() if some], encoded, size):
        owners = [row for row, key in enumerate(batch) for _ in solutions[key]]
        plan = solver.decoder.plan([symbol_ids(s) for key in batch for s in solutions[key]], owners)
        problems = solver.encoder.collate([encoded[key] for key in batch])
        with evaluating(solver):
            log_probs, states = solver(on_device(problems, device), on_device(plan, device))
        found = iter(log_probs.tolist())
        for row, key in enumerate(batch):
            yield key, [next(found) for _ in solutions[key]], states[row]
