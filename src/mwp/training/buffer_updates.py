"""Step 2 of Algorithm 2: what enters the buffer; and, with Step 3, what an epoch begins with."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import ClassVar, Protocol

from mwp.arith.notation import Solution
from mwp.data.problems import Problem
from mwp.data.soundness import gives_answer
from mwp.solvers.base import EncoderDecoder
from mwp.solvers.batch import EncodedProblem
from mwp.solvers.decoding import solve_all
from mwp.training.buffer import SolutionBuffer, Source
from mwp.training.config import TrainConfig
from mwp.training.corpus import Corpus
from mwp.training.discriminator import Discriminator
from mwp.training.learner import Learner
from mwp.training.weights import Records, Weighing

Autocast = Callable[[], AbstractContextManager[None]]


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
class BufferWork:
    """Steps 2 and 3 for all problems of a training, of which each process has its share."""

    config: TrainConfig
    corpus: Corpus
    encoded: Mapping[str, EncodedProblem]
    learner: Learner

    def fill(self, update: BufferUpdate, buffer: SolutionBuffer, epoch: int) -> int:
        """What an update finds enters, in the order of the problems; how much of it is new."""
        learner, keys = self.learner, [key for key in self.corpus.train if not update.passes_over(key, buffer)]
        problems = {key: self.corpus.problems[key] for key in learner.processes.shard(keys)}
        found = list(update.find(learner.solver, problems, self.encoded, epoch, learner.accelerator.autocast))
        order = {key: index for index, key in enumerate(self.corpus.train)}
        found = sorted(learner.processes.gathered(found), key=lambda pair: order[pair[0]])
        return sum(buffer.add(key, solution, update.source, epoch) for key, solution in found)

    def weigh(self, buffer: SolutionBuffer, epoch: int, discriminator: Discriminator | None) -> Records:
        """A record for each solution, by key; the discriminator has its say in the second stage only."""
        weighing, keys, processes = Weighing(self.config, buffer), self.corpus.train, self.learner.processes
        if weighing.is_uniform:
            return weighing.uniform(keys, epoch)
        share = weighing.by_quality(processes.shard(keys), epoch, self.learner.solver, discriminator, self.encoded)
        return {**{key: [] for key in keys}, **dict(processes.gathered(list(share.items())))}
