"""A solver's network: an encoder that reads problems and a decoder that writes solutions.

What a decoder can point at as an operand are the constants, then the numbers of the problem.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, Self

import torch
from torch import Tensor, nn

from mwp.data.problems import Problem
from mwp.data.vocabulary import CONSTANT_COUNT, Vocabulary
from mwp.solvers.batch import EncodedProblem, ProblemBatch
from mwp.solvers.config import SolverConfig


@dataclass(frozen=True)
class Encoding:
    """B problems after the encoder; H is the width that encoder and decoder share."""

    states: Tensor  # (B, T, H) token states
    token_mask: Tensor  # (B, T)
    problem: Tensor  # (B, H) problem vector
    numbers: Tensor  # (B, N, H) states at the numbers
    number_mask: Tensor  # (B, N)


class Encoder(Protocol):
    """`prepare` and `collate` run on the host; the call runs on the device.

    Made by `start(config, vocabulary)` for training, or by `restore(config, assets)` to load trained weights into:
    `assets` is all that it needs before its weights, its words for instance, in plain values.
    """

    width: int
    encoder_lr_scale: float  # its learning rate is this multiple of the decoder's

    @classmethod
    def start(cls, config: SolverConfig, vocabulary: Vocabulary) -> Self: ...

    @classmethod
    def restore(cls, config: SolverConfig, assets: Mapping[str, Any]) -> Self: ...

    @property
    def assets(self) -> dict[str, Any]: ...

    def prepare(self, problem: Problem) -> EncodedProblem: ...

    def collate(self, problems: Sequence[Any]) -> ProblemBatch: ...

    def __call__(self, batch: Any) -> Encoding: ...


@dataclass(frozen=True)
class Beams:
    """The K most probable solutions of each of B problems, best first; -inf where there are fewer."""

    symbols: Tensor  # (B, K, L) symbol ids in the decoder's own order
    lengths: Tensor  # (B, K)
    log_probs: Tensor  # (B, K)


class Decoder(Protocol):
    """`plan` runs in the loader, on the CPU, and holds all index structures; the rest runs on the device."""

    def plan(self, solutions: Sequence[Sequence[int]], problem_index: Sequence[int]) -> Any: ...

    def log_prob(self, encoding: Encoding, plan: Any) -> Tensor: ...

    def beams(self, encoding: Encoding, k: int) -> Beams: ...

    def read(self, symbols: Sequence[int]) -> tuple[str, ...]:
        """The prefix tokens of one hypothesis."""
        ...


class EncoderDecoder(nn.Module):
    def __init__(self, encoder: nn.Module, decoder: nn.Module) -> None:
        super().__init__()
        self.encoder: Any = encoder
        self.decoder: Any = decoder

    def encode(self, problems: ProblemBatch) -> Encoding:
        encoding: Encoding = self.encoder(problems)
        return encoding

    def forward(self, problems: ProblemBatch, plan: Any) -> tuple[Tensor, Tensor]:
        """(S,) log-probability of each planned solution, every problem encoded once; (B, H) mean token states."""
        encoding = self.encode(problems)
        return self.decoder.log_prob(encoding, plan), mean_state(encoding)

    def log_prob(self, problems: ProblemBatch, plan: Any) -> Tensor:
        return self(problems, plan)[0]  # type: ignore[no-any-return]

    def solve(self, problems: ProblemBatch, k: int) -> Beams:
        beams: Beams = self.decoder.beams(self.encode(problems), k)
        return beams


def mean_state(encoding: Encoding) -> Tensor:
    mask = encoding.token_mask[..., None]
    return (encoding.states * mask).sum(dim=1) / mask.sum(dim=1)


def read_beams(decoder: Decoder, beams: Beams) -> list[list[tuple[tuple[str, ...], float]]]:
    """For each problem its (solution in prefix, log-probability) pairs, best first, no solution twice."""
    symbols, lengths, log_probs = beams.symbols.tolist(), beams.lengths.tolist(), beams.log_probs.tolist()
    found: list[dict[tuple[str, ...], float]] = [{} for _ in symbols]
    for row, solutions in enumerate(found):
        for beam, log_prob in enumerate(log_probs[row]):
            if log_prob > -float("inf"):
                solutions.setdefault(decoder.read(symbols[row][beam][: lengths[row][beam]]), log_prob)
    return [list(solutions.items()) for solutions in found]


def leaf_vectors(constants: Tensor, encoding: Encoding) -> Tensor:
    """(B, C + N, H) from the learned constants (C, H)."""
    return torch.cat((constants.expand(len(encoding.numbers), -1, -1), encoding.numbers), dim=1)


def leaf_mask(encoding: Encoding) -> Tensor:
    """(B, C + N): which leaves a problem has."""
    constants = encoding.number_mask.new_ones(len(encoding.numbers), CONSTANT_COUNT)
    return torch.cat((constants, encoding.number_mask), dim=1)


def make_encoding(states: Tensor, problem: Tensor, batch: ProblemBatch) -> Encoding:
    positions = batch.number_positions[..., None].expand(-1, -1, states.shape[-1])
    return Encoding(
        states=states,
        token_mask=batch.token_mask,
        problem=problem,
        numbers=states.gather(1, positions),
        number_mask=batch.number_mask,
    )
