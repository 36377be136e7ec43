"""Steps 2 and 3 of Algorithm 2: which solutions enter the buffer, and their weights from then on."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import ClassVar, Protocol

from mwp.arith.notation import Solution
from mwp.data.problems import Problem
from mwp.data.soundness import gives_answer
from mwp.solvers.base import EncoderDecoder
from mwp.solvers.batch import EncodedProblem
from mwp.solvers.decoding import likelihoods, solve_all
from mwp.training.buffer import SolutionBuffer, Source, WeightRecord
from mwp.training.config import TrainConfig
from mwp.training.discriminator import Discriminator
from mwp.training.weights import starting, uniform, weigh, weight_records

Autocast = Callable[[], AbstractContextManager[None]]
Records = dict[str, list[WeightRecord]]


class BufferUpdate(Protocol):
    """How a variant fills the buffer. `source` is recorded with each solution; a full buffer may be skipped."""

    source: ClassVar[Source]

    def __init__(self, config: TrainConfig) -> None: ...

    def is_due(self, epoch: int) -> bool: ...

    def passes_over(self, key: str, buffer: SolutionBuffer) -> bool: ...

    def find(
        self,
        network: EncoderDecoder,
        problems: Mapping[str, Problem],
        encoded: Mapping[str, EncodedProblem],
        epoch: int,
        autocast: Autocast,
    ) -> Iterator[tuple[str, Solution]]:
        """(key, solution that gives the answer); the trainer enters what is new."""
        ...


class BeamUpdate:
    """Step 2: the hypotheses of beam search for a training problem whose value is right."""

    source: ClassVar[Source] = "beam"

    def __init__(self, config: TrainConfig) -> None:
        self.config = config

    def is_due(self, epoch: int) -> bool:
        """Not before the first epoch: beam search needs a network that has learned something."""
        return epoch > 0 and epoch % self.config.diversity.update_every == 0

    def passes_over(self, key: str, buffer: SolutionBuffer) -> bool:
        return buffer.is_full(key)

    def find(
        self,
        network: EncoderDecoder,
        problems: Mapping[str, Problem],
        encoded: Mapping[str, EncodedProblem],
        epoch: int,
        autocast: Autocast,
    ) -> Iterator[tuple[str, Solution]]:
        beam_size, batch_size = self.config.diversity.beam_size, 2 * self.config.optimizer.batch_size
        with autocast():
            found = list(solve_all(network, list(problems), encoded, beam_size, batch_size))
        for key, hypotheses in found:
            for solution, _ in hypotheses:
                if gives_answer(solution, problems[key]):
                    yield key, solution


@dataclass(frozen=True)
class Weighing:
    """Step 3, for some problems' buffers: uniform weights, or by Eq. 3 and, in the second stage, the discriminator."""

    config: TrainConfig
    buffer: SolutionBuffer

    @property
    def is_uniform(self) -> bool:
        return self.config.variant == "lbf" or self.config.diversity.weighting == "uniform"

    def start(self, keys: Sequence[str], epoch: int) -> Records:
        """Before the first epoch: by the search's scores where there are some."""
        scores = {key: [entry.score for entry in self.buffer.entries(key)] for key in keys}
        start = {key: uniform(len(some)) if self.is_uniform else starting(some) for key, some in scores.items()}
        return {key: weight_records(epoch, weights) for key, weights in start.items()}

    def uniform(self, keys: Sequence[str], epoch: int) -> Records:
        return {key: weight_records(epoch, uniform(len(self.buffer.entries(key)))) for key in keys}

    def by_quality(
        self,
        keys: Sequence[str],
        epoch: int,
        network: EncoderDecoder,
        discriminator: Discriminator | None,
        encoded: Mapping[str, EncodedProblem],
    ) -> Records:
        """For problems that have any solution."""
        solutions = {key: [entry.solution for entry in self.buffer.entries(key)] for key in keys}
        found: Records = {}
        for batch in likelihoods(network, solutions, encoded, 2 * self.config.optimizer.batch_size):
            found |= weigh(batch, self.buffer, epoch, discriminator, self.config.diversity.gold_weight)
        return found
