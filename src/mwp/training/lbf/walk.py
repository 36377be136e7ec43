"""LBF: fix the solver's hypotheses until they give the answer, and learn from the fixed ones.

Where no single change fixes a draft, a random walk among trees of its shape goes on until one does.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import exp
from random import Random
from typing import ClassVar

from mwp.arith.notation import Solution
from mwp.data.problems import Problem
from mwp.errors import BadInput
from mwp.solvers.base import EncoderDecoder, Encoding, read_beams
from mwp.solvers.batch import EncodedProblem, on_device
from mwp.solvers.decoding import evaluating, sorted_batches
from mwp.solvers.gts import GtsDecoder
from mwp.training.buffer import SolutionBuffer, Source
from mwp.training.buffer_updates import Autocast
from mwp.training.config import TrainConfig
from mwp.training.lbf.drafts import Draft, LogProbs, LogProbsOf, log_probs_of, make_drafts, same_kind
from mwp.training.lbf.one_fix import Fix, one_fix

# Greedy decodes of 2n-1, 2n+1 and 2n+3 symbols for a problem with n numbers, until one can be fixed.
LENGTHS = (-1, 1, 3)


def walk_all(
    drafts: Sequence[Draft], symbol_log_probs: LogProbsOf, rngs: Sequence[Random], rounds: int
) -> list[Fix | None]:
    """For each draft its own fix, else that of the first tree of its walk which has one.

    The change of a fix is counted from that tree. The result for a draft depends on its own generator alone.
    """
    fixes = [one_fix(draft) for draft in drafts]
    positions = list(drafts)
    for _ in range(rounds):
        unsolved = [index for index, fix in enumerate(fixes) if fix is None]
        steps = {index: resampled(positions[index], rngs[index]) for index in unsolved}
        moves = {index: tokens for index, tokens in steps.items() if tokens != positions[index].tokens}
        for index, proposal in _scored(positions, moves, symbol_log_probs).items():
            if _accepted(positions[index], proposal, rngs[index]):
                positions[index] = proposal
                fixes[index] = one_fix(proposal)
    return fixes


def _scored(positions: Sequence[Draft], moves: dict[int, Solution], symbol_log_probs: LogProbsOf) -> dict[int, Draft]:
    """The moves of all problems as drafts, by one call of the model."""
    if not moves:
        return {}
    scored = zip(moves.items(), symbol_log_probs(list(moves.values()), list(moves)), strict=True)
    return {
        index: replace(positions[index], tokens=tokens, symbol_log_probs=found) for (index, tokens), found in scored
    }


def resampled(draft: Draft, rng: Random) -> Solution:
    """|N(0, 1)| of the tokens, one at least, drawn again from the model; operators stay operators, leaves leaves."""
    count = min(max(1, round(abs(rng.gauss(0, 1)))), len(draft.tokens))
    tokens = list(draft.tokens)
    for position in rng.sample(range(len(tokens)), count):
        tokens[position] = _drawn(
            same_kind(tokens[position], draft.symbol_log_probs[position]), draft.symbol_log_probs[position], rng
        )
    return tuple(tokens)


def _drawn(symbols: Sequence[str], symbol_log_probs: LogProbs, rng: Random) -> str:
    # Relative to the greatest, so that the probabilities of symbols that are all improbable do not vanish together.
    top = max(symbol_log_probs[symbol] for symbol in symbols)
    return rng.choices(symbols, [exp(symbol_log_probs[symbol] - top) for symbol in symbols])[0]


def _accepted(old: Draft, new: Draft, rng: Random) -> bool:
    """The rule of Metropolis: always if the new tree is at least as probable, else as often as the ratio says."""
    return rng.random() < exp(min(0.0, new.log_prob - old.log_prob))


def fix_all(
    solver: EncoderDecoder,
    problems: Mapping[str, Problem],
    encoded: Mapping[str, EncodedProblem],
    size: int,
    rounds: int,
    seed: str,
) -> Iterator[tuple[str, Solution]]:
    """(key, solution that gives the answer) for the problems where one is found.

    The result for a problem depends on the seed and the problem, not on its batch.
    """
    if not isinstance(solver.decoder, GtsDecoder):
        raise BadInput("variant lbf fixes trees node by node: choose a backbone with a tree decoder, such as gts")
    for batch in sorted_batches(list(problems), encoded, size):
        yield from _fix_batch(solver, {key: problems[key] for key in batch}, encoded, rounds, seed)


def _fix_batch(
    solver: EncoderDecoder,
    problems: Mapping[str, Problem],
    encoded: Mapping[str, EncodedProblem],
    rounds: int,
    seed: str,
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
            symbol_log_probs = partial(log_probs_of, solver.decoder, encoding)
            drafts = make_drafts([problems[key] for key in left], greedy, symbol_log_probs)
            fixes = walk_all(drafts, symbol_log_probs, [rngs[key] for key in left], rounds)
        found = dict(zip(left, fixes, strict=True))
        yield from ((key, fix.solution) for key, fix in found.items() if fix is not None)
        left = [key for key, fix in found.items() if fix is None]


def _greedy(decoder: GtsDecoder, encoding: Encoding, extra: int) -> Sequence[Solution]:
    longest = 2 * decoder.max_operators + 1
    lengths = (2 * encoding.number_mask.sum(dim=1) + extra).clamp(1, longest)
    return [found[0][0] for found in read_beams(decoder, decoder.beams(encoding, 1, lengths))]


class LbfUpdate:
    """The buffer's update of variant lbf; due from the start, for the buffer may be empty."""

    source: ClassVar[Source] = "lbf"

    def __init__(self, config: TrainConfig) -> None:
        self.config = config

    def is_due(self, epoch: int) -> bool:
        return epoch % self.config.lbf.update_every == 0

    def passes_over(self, key: str, buffer: SolutionBuffer) -> bool:
        return False

    def find(
        self,
        network: EncoderDecoder,
        problems: Mapping[str, Problem],
        encoded: Mapping[str, EncodedProblem],
        epoch: int,
        autocast: Autocast,
    ) -> Iterator[tuple[str, Solution]]:
        """In float32, whatever the precision of the training."""
        seed = f"{self.config.seed}/lbf/{epoch}"
        return fix_all(network, problems, encoded, self.config.optimizer.batch_size, self.config.lbf.rounds, seed)
