"""LBF, the weakly supervised baseline: fix what the solver writes until it gives the answer, and learn from that."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from random import Random

from mwp.data.problems import Problem
from mwp.errors import BadInput
from mwp.solvers.gts import GtsDecoder
from mwp.solvers.interfaces import Encoding
from mwp.solvers.problem_batch import EncodedProblem, on_device
from mwp.solvers.solver import Solver, read_beams
from mwp.training.batches import sorted_batches
from mwp.training.buffer import Solution
from mwp.training.decoding import evaluating
from mwp.training.drafts import make_drafts, tables_of
from mwp.training.walk import walk_all

# Greedy decodes of 2n-1, 2n+1 and 2n+3 symbols for a problem with n numbers, until one can be fixed.
LENGTHS = (-1, 1, 3)


def fix_all(
    solver: Solver,
    problems: Mapping[str, Problem],
    encoded: Mapping[str, EncodedProblem],
    size: int,
    rounds: int,
    seed: str,
) -> Iterator[tuple[str, Solution]]:
    """(key, solution that gives the answer) for the problems where one is found.

    What a problem gets depends on the seed and the problem, not on the batch that it comes in.
    """
    if not isinstance(solver.decoder, GtsDecoder):
        raise BadInput("variant lbf fixes trees node by node: choose a backbone with a tree decoder, such as gts")
    for batch in sorted_batches(list(problems), encoded, size):
        yield from _fix_batch(solver, {key: problems[key] for key in batch}, encoded, rounds, seed)


def _fix_batch(
    solver: Solver, problems: Mapping[str, Problem], encoded: Mapping[str, EncodedProblem], rounds: int, seed: str
) -> Iterator[tuple[str, Solution]]:
    device = next(solver.parameters()).device
    rngs = {key: Random(f"{seed}/{key}") for key in problems}
    left = list(problems)
    for extra in LENGTHS:
        if not left:
            return
        with evaluating(solver):
            encoding = solver.encode(on_device(solver.encoder.collate([encoded[key] for key in left]), device))
            greedy = _greedy(solver.decoder, encoding, extra)
            tables = partial(tables_of, solver.decoder, encoding)
            drafts = make_drafts([problems[key] for key in left], greedy, tables)
            fixes = walk_all(drafts, tables, [rngs[key] for key in left], rounds)
        found = dict(zip(left, fixes, strict=True))
        yield from ((key, fix.solution) for key, fix in found.items() if fix is not None)
        left = [key for key, fix in found.items() if fix is None]


def _greedy(decoder: GtsDecoder, encoding: Encoding, extra: int) -> Sequence[Solution]:
    longest = 2 * decoder.max_operators + 1
    lengths = (2 * encoding.number_mask.sum(dim=1) + extra).clamp(1, longest)
    return [found[0][0] for found in read_beams(decoder, decoder.beams(encoding, 1, lengths))]
