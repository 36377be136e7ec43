"""The encoder of GTS: embedding and a 2-layer bidirectional GRU whose directions are summed."""

from collections.abc import Mapping, Sequence
from typing import Any, Self

from torch import nn

from mwp.data.problems import Problem
from mwp.data.vocabulary import PAD, Vocabulary
from mwp.solvers.base import Encoding, make_encoding
from mwp.solvers.batch import EncodedProblem, ProblemBatch, collate_problems, encode_problem
from mwp.solvers.config import SolverConfig
from mwp.solvers.layers import BiGru, Dropout

LAYERS = 2


class GruEncoder(nn.Module):
    encoder_lr_scale = 1.0

    def __init__(self, config: SolverConfig, vocabulary: Vocabulary) -> None:
        super().__init__()
        self.vocabulary = vocabulary
        self.width = config.hidden
        self.embedding = nn.Embedding(len(vocabulary), config.embedding, padding_idx=PAD)
        self.dropout = Dropout(config.dropout)
        self.gru = BiGru(config.embedding, config.hidden, LAYERS, config.dropout)

    @classmethod
    def start(cls, config: SolverConfig, vocabulary: Vocabulary) -> Self:
        return cls(config, vocabulary)

    @classmethod
    def restore(cls, config: SolverConfig, assets: Mapping[str, Any]) -> Self:
        return cls(config, Vocabulary(tokens=tuple(assets["words"])))

    @property
    def assets(self) -> dict[str, Any]:
        return {"words": list(self.vocabulary.tokens)}

    def prepare(self, problem: Problem) -> EncodedProblem:
        return encode_problem(problem, self.vocabulary)

    def collate(self, problems: Sequence[EncodedProblem]) -> ProblemBatch:
        return collate_problems(problems)

    def forward(self, batch: ProblemBatch) -> Encoding:
        both, last = self.gru(self.dropout(self.embedding(batch.tokens)), batch.lengths)
        forward, backward = both.chunk(2, dim=-1)
        # The true last forward state and the first backward state of the upper layer.
        return make_encoding(forward + backward, last[0] + last[1], batch)
