"""What an encoder gives, and what a decoder does with it; a Solver is one of each."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from torch import Tensor

from mwp.solvers.problem_batch import ProblemBatch


@dataclass(frozen=True)
class Encoding:
    """B problems after the encoder; H is the width that encoder and decoder share."""

    states: Tensor  # (B, T, H) token states
    token_mask: Tensor  # (B, T)
    problem: Tensor  # (B, H) problem vector
    numbers: Tensor  # (B, N, H) states at the numbers
    number_mask: Tensor  # (B, N)


class Encoder(Protocol):
    def __call__(self, batch: ProblemBatch) -> Encoding: ...


@dataclass(frozen=True)
class Beams:
    """The K most probable solutions of each of B problems, best first; -inf where there are fewer."""

    symbols: Tensor  # (B, K, L) symbol ids in the decoder's own order
    lengths: Tensor  # (B, K)
    log_probs: Tensor  # (B, K)


class Decoder(Protocol):
    """`plan` runs in the loader, on the CPU, and holds all index structures; the rest runs on the device."""

    def plan(self, solutions: Sequence[Sequence[int]], owners: Sequence[int]) -> Any: ...

    def log_prob(self, encoding: Encoding, plan: Any) -> Tensor: ...

    def beams(self, encoding: Encoding, k: int) -> Beams: ...
