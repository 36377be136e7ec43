"""Solve many problems, and weigh many solutions, in evaluation mode."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import torch

from mwp.solvers.problem_batch import EncodedProblem, on_device
from mwp.solvers.solver import Solver, mean_state, read_beams
from mwp.solvers.symbols import symbol_ids
from mwp.training.batches import sorted_batches
from mwp.training.discriminator import Discriminator
from mwp.training.examples import pad
from mwp.training.traits import Candidate

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


def candidates_of(
    solver: Solver,
    discriminator: Discriminator | None,
    keys: Sequence[str],
    encoded: Mapping[str, EncodedProblem],
    k: int,
    size: int,
) -> dict[str, list[Candidate]]:
    """The beams of each problem, best first, with the discriminator's score where there is one."""
    found = dict(solve_all(solver, keys, encoded, k, size))
    solutions = {key: [solution for solution, _ in beams] for key, beams in found.items()}
    fits = dict(fitness_of(solver, discriminator, solutions, encoded, size)) if discriminator else {}
    return {
        key: [
            Candidate(solution, log_prob, fits[key][place] if key in fits else None)
            for place, (solution, log_prob) in enumerate(beams)
        ]
        for key, beams in found.items()
    }


@dataclass(frozen=True)
class Likelihoods:
    """A batch of problems with their solutions, one after the other."""

    keys: Sequence[str]
    owners: Sequence[int]  # the place of each solution's problem among the keys
    log_probs: torch.Tensor  # (S,) on the CPU
    states: torch.Tensor  # (P, H) mean token states


def likelihoods(
    solver: Solver,
    solutions: Mapping[str, Sequence[tuple[str, ...]]],
    encoded: Mapping[str, EncodedProblem],
    size: int,
) -> Iterator[Likelihoods]:
    """How probable the solver holds each solution, for problems that have any."""
    device = next(solver.parameters()).device
    for batch in sorted_batches([key for key, some in solutions.items() if some], encoded, size):
        owners = [row for row, key in enumerate(batch) for _ in solutions[key]]
        plan = solver.decoder.plan([symbol_ids(s) for key in batch for s in solutions[key]], owners)
        problems = solver.encoder.collate([encoded[key] for key in batch])
        with evaluating(solver):
            log_probs, states = solver(on_device(problems, device), on_device(plan, device))
        yield Likelihoods(batch, owners, log_probs.cpu(), states)


def fitness_of(
    solver: Solver,
    discriminator: Discriminator,
    solutions: Mapping[str, Sequence[tuple[str, ...]]],
    encoded: Mapping[str, EncodedProblem],
    size: int,
) -> Iterator[tuple[str, list[float]]]:
    """(key, the discriminator's score t of each solution) for problems that have any."""
    device = next(solver.parameters()).device
    for batch in sorted_batches([key for key, some in solutions.items() if some], encoded, size):
        problems = solver.encoder.collate([encoded[key] for key in batch])
        with evaluating(solver):
            states = mean_state(solver.encode(on_device(problems, device)))
        owners = [row for row, key in enumerate(batch) for _ in solutions[key]]
        scores = fitness(discriminator, states, [some for key in batch for some in solutions[key]], owners)
        found = iter(scores.tolist())
        for key in batch:
            yield key, [next(found) for _ in solutions[key]]


def fitness(
    discriminator: Discriminator, states: torch.Tensor, solutions: Sequence[tuple[str, ...]], owners: Sequence[int]
) -> torch.Tensor:
    """t (S,) of the solutions, each for the problem whose mean token state (P, H) is at its owner's index."""
    padded, device = pad([symbol_ids(solution) for solution in solutions]), states.device
    owner = torch.tensor(owners, dtype=torch.long, device=device)
    return discriminator.scores(states.float(), padded.tokens.to(device), padded.lengths.to(device), owner).cpu()
