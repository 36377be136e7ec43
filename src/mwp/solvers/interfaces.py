"""What an encoder gives, and what a decoder does with it; a Solver is one of each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, Self

from torch import Tensor

from mwp.data.problems import Problem
from mwp.data.vocabulary import Vocabulary
from mwp.solvers.config import SolverConfig
from mwp.solvers.problem_batch import EncodedProblem, ProblemBatch


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

    Made by `start(config, vocabulary)` for training, or by `restore(config, material)` to load trained weights into:
    `material` is all that it must know before its weights, its words for instance, in plain values.
    """

    width: int
    rate_factor: float  # its learning rate is so many times the solver's

    @classmethod
    def start(cls, config: SolverConfig, vocabulary: Vocabulary) -> Self: ...

    @classmethod
    def restore(cls, config: SolverConfig, material: Mapping[str, Any]) -> Self: ...

    @property
    def material(self) -> dict[str, Any]: ...

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

    def plan(self, solutions: Sequence[Sequence[int]], owners: Sequence[int]) -> Any: ...

    def log_prob(self, encoding: Encoding, plan: Any) -> Tensor: ...

    def beams(self, encoding: Encoding, k: int) -> Beams: ...

    def read(self, symbols: Sequence[int]) -> tuple[str, ...]:
        """The prefix tokens of one beam."""
        ...
