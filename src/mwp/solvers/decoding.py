"""Decode many problems, and score many solutions, in evaluation mode."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import torch

from mwp.arith.notation import Solution
from mwp.solvers.base import EncoderDecoder, read_beams
from mwp.solvers.batch import EncodedProblem, SolutionBatch, on_device

Solutions = list[tuple[Solution, float]]


@contextmanager
def evaluating(solver: torch.nn.Module) -> Iterator[None]:
    """No dropout, no gradients; the mode is restored at the end."""
    training = solver.training
    solver.eval()
    try:
        with torch.inference_mode():
            yield
    finally:
        solver.train(training)


def solve_all(
    solver: EncoderDecoder, keys: Sequence[str], encoded: Mapping[str, EncodedProblem], k: int, size: int
) -> Iterator[tuple[str, Solutions]]:
    """(key, hypotheses best first), batch by batch, longest problems first."""
    device = next(solver.parameters()).device
    for batch in sorted_batches(keys, encoded, size):
        with evaluating(solver):
            beams = solver.solve(on_device(solver.encoder.collate([encoded[key] for key in batch]), device), k)
        yield from zip(batch, read_beams(solver.decoder, beams), strict=True)


@dataclass(frozen=True)
class Likelihoods:
    """The log-probability of each solution of a batch."""

    batch: SolutionBatch
    log_probs: torch.Tensor  # (S,) on the CPU
    states: torch.Tensor  # (P, H) mean token states


def likelihoods(
    network: EncoderDecoder,
    solutions: Mapping[str, Sequence[Solution]],
    encoded: Mapping[str, EncodedProblem],
    batch_size: int,
) -> Iterator[Likelihoods]:
    """For problems that have any solution, batch by batch."""
    device = next(network.parameters()).device
    for keys in sorted_batches([key for key, some in solutions.items() if some], encoded, batch_size):
        batch = SolutionBatch.of(keys, solutions)
        plan = network.decoder.plan(batch.symbols, batch.problem_index)
        problems = network.encoder.collate([encoded[key] for key in keys])
        with evaluating(network):
            log_probs, states = network(on_device(problems, device), on_device(plan, device))
        yield Likelihoods(batch, log_probs.cpu(), states)


def sorted_batches(keys: Sequence[str], encoded: Mapping[str, EncodedProblem], size: int) -> list[list[str]]:
    """Longest first, within and across batches."""
    order = sorted(keys, key=lambda key: -len(encoded[key].tokens))
    return [order[start : start + size] for start in range(0, len(order), size)]
