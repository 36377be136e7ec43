"""The encoder of GTS: embedding and a 2-layer bidirectional GRU whose directions are summed."""

from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from mwp.solvers.interfaces import Encoding
from mwp.solvers.problem_batch import ProblemBatch

LAYERS = 2


class GruEncoder(nn.Module):
    def __init__(self, words: int, embedding: int, hidden: int, dropout: float) -> None:
        super().__init__()
        self.embedding = nn.Embedding(words, embedding, padding_idx=0)
        self.dropout = nn.Dropout(dropout)
        self.gru = nn.GRU(embedding, hidden, LAYERS, dropout=dropout, bidirectional=True, batch_first=True)

    def forward(self, batch: ProblemBatch) -> Encoding:
        embedded = self.dropout(self.embedding(batch.tokens))
        packed = pack_padded_sequence(embedded, batch.lengths, batch_first=True)
        outputs, last = self.gru(packed)
        both, _ = pad_packed_sequence(outputs, batch_first=True, total_length=batch.tokens.shape[1])
        forward, backward = both.chunk(2, dim=-1)
        states = forward + backward
        # The true last forward state and the first backward state of the upper layer.
        return make_encoding(states, last[-2] + last[-1], batch)


def make_encoding(states: Tensor, problem: Tensor, batch: ProblemBatch) -> Encoding:
    places = batch.number_places[..., None].expand(-1, -1, states.shape[-1])
    return Encoding(
        states=states,
        token_mask=batch.token_mask,
        problem=problem,
        numbers=states.gather(1, places),
        number_mask=batch.number_mask,
    )
