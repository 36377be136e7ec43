"""The encoder of GTS: embedding and a 2-layer bidirectional GRU whose directions are summed."""

from torch import Tensor, nn

from mwp.solvers.interfaces import Encoding
from mwp.solvers.problem_batch import ProblemBatch
from mwp.solvers.recurrence import BiGru

LAYERS = 2


class GruEncoder(nn.Module):
    def __init__(self, words: int, embedding: int, hidden: int, dropout: float) -> None:
        super().__init__()
        self.embedding = nn.Embedding(words, embedding, padding_idx=0)
        self.dropout = nn.Dropout(dropout)
        self.gru = BiGru(embedding, hidden, LAYERS, dropout)

    def forward(self, batch: ProblemBatch) -> Encoding:
        both, last = self.gru(self.dropout(self.embedding(batch.tokens)), batch.lengths)
        forward, backward = both.chunk(2, dim=-1)
        # The true last forward state and the first backward state of the upper layer.
        return make_encoding(forward + backward, last[0] + last[1], batch)


def make_encoding(states: Tensor, problem: Tensor, batch: ProblemBatch) -> Encoding:
    places = batch.number_places[..., None].expand(-1, -1, states.shape[-1])
    return Encoding(
        states=states,
        token_mask=batch.token_mask,
        problem=problem,
        numbers=states.gather(1, places),
        number_mask=batch.number_mask,
    )
