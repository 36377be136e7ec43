"""The encoder of Graph2Tree: GTS's encoder, its token states mixed along two graphs of the problem's quantities.

In the graph "greater" a number sees the numbers that are not greater. In "attribute-between" each number, and the
question, see the words of their cell and are seen by them; equal words of cells see each other. The parser that found
the cells of the original was never released: here a cell is the words within two tokens.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from mwp.data.problems import NUMBER_TOKEN, Problem
from mwp.data.vocabulary import Vocabulary
from mwp.errors import BadInput
from mwp.solvers.base import Encoding, make_encoding
from mwp.solvers.batch import MAX_TOKENS, EncodedProblem, ProblemBatch, collate_problems
from mwp.solvers.config import SolverConfig
from mwp.solvers.gru import GruEncoder
from mwp.solvers.layers import Dropout

GRAPHS = 2
HEADS = 2  # of each graph
WINDOW = 2
QUESTION_WORDS = ("多少", "多长", "多重", "多大", "多远", "多高", "多久", "几", "什么", "哪")
Edges = list[tuple[int, int]]


@dataclass(frozen=True)
class GraphProblem(EncodedProblem):
    """Edges (E, 2) are a token and one that it sees; self-loops are implied."""

    greater: NDArray[np.int16]
    between: NDArray[np.int16]


@dataclass(frozen=True)
class GraphBatch(ProblemBatch):
    graphs: Tensor  # (B, G, T, T) each row adds up to 1


def greater_edges(positions: Sequence[int], values: Sequence[Fraction]) -> Edges:
    """Numbers behind the last token are out of reach."""
    known = list(zip(positions, values, strict=False))
    return [(a, b) for a, more in known for b, less in known if a != b and more >= less]


def between_edges(tokens: Sequence[str]) -> Edges:
    cells = {centre: _cell(tokens, centre) for centre in _centres(tokens)}
    edges = {(centre, word) for centre, cell in cells.items() for word in cell}
    words = sorted({word for cell in cells.values() for word in cell})
    edges |= {(a, b) for a, b in combinations(words, 2) if tokens[a] == tokens[b]}
    return sorted(edges | {(b, a) for a, b in edges})


def _centres(tokens: Sequence[str]) -> list[int]:
    """The numbers, and the last question word or, without one, the last word."""
    numbers = [position for position, token in enumerate(tokens) if token == NUMBER_TOKEN]
    words = [position for position, token in enumerate(tokens) if _is_word(token)]
    options = [position for position in words if any(word in tokens[position] for word in QUESTION_WORDS)]
    return numbers + (options or words)[-1:]


def _cell(tokens: Sequence[str], centre: int) -> list[int]:
    near = range(max(0, centre - WINDOW), min(len(tokens), centre + WINDOW + 1))
    return [position for position in near if position != centre and _is_word(tokens[position])]


def _is_word(token: str) -> bool:
    return token != NUMBER_TOKEN and any(character.isalnum() for character in token)


def _dense(problems: Sequence[GraphProblem]) -> Tensor:
    """(B, G, T, T) with self-loops, padding included, and rows that add up to 1."""
    size = len(problems[0].tokens)
    graphs = np.zeros((len(problems), GRAPHS, size, size), dtype=np.float32)
    graphs[:, :, range(size), range(size)] = 1
    for row, problem in enumerate(problems):
        for graph, edges in enumerate((problem.greater, problem.between)):
            graphs[row, graph, edges[:, 0], edges[:, 1]] = 1
    return torch.from_numpy(graphs / graphs.sum(axis=-1, keepdims=True))


class GraphConvolution(nn.Module):
    """Two layers of graph convolution, H to H to H/4, in two heads for each graph; then a feed-forward layer."""

    def __init__(self, hidden: int, dropout: float) -> None:
        super().__init__()
        part = hidden // (GRAPHS * HEADS)
        bound = hidden**-0.5
        self.first = nn.Parameter(torch.empty(GRAPHS, hidden, HEADS * hidden).uniform_(-bound, bound))
        self.first_bias = nn.Parameter(torch.zeros(GRAPHS, 1, HEADS * hidden))
        self.second = nn.Parameter(torch.empty(GRAPHS, HEADS, hidden, part).uniform_(-bound, bound))
        self.second_bias = nn.Parameter(torch.zeros(GRAPHS, 1, HEADS * part))
        self.dropout = Dropout(dropout)
        self.norm = nn.LayerNorm(hidden)
        self.feed = nn.Sequential(nn.Linear(hidden, hidden), nn.ReLU(), Dropout(dropout), nn.Linear(hidden, hidden))

    def forward(self, states: Tensor, graphs: Tensor) -> Tensor:
        """(B, T, H) and (B, G, T, T) to (B, T, H)."""
        # A(XW) = (AX)W: the graph is applied where the vectors are narrow, before the first layer and after the second.
        seen = torch.matmul(graphs, states[:, None])
        inner = torch.einsum("bgti,gio->bgto", seen, self.first) + self.first_bias
        inner = self.dropout(torch.relu(inner)).unflatten(-1, (HEADS, -1))  # (B, G, T, heads, H)
        narrow = torch.einsum("bgthi,ghio->bgtho", inner, self.second).flatten(-2)
        heads = torch.matmul(graphs, narrow) + self.second_bias  # (B, G, T, heads x H/4)
        states = states + self.norm(heads.transpose(1, 2).flatten(2))
        fed: Tensor = self.feed(states)
        return states + fed


class GraphEncoder(GruEncoder):
    def __init__(self, config: SolverConfig, vocabulary: Vocabulary) -> None:
        if config.hidden % (GRAPHS * HEADS):
            raise BadInput(f"solver.hidden: graph2tree needs a multiple of 4, one part a head; found {config.hidden}")
        super().__init__(config, vocabulary)
        self.convolution = GraphConvolution(config.hidden, config.dropout)

    def prepare(self, problem: Problem) -> GraphProblem:
        plain = super().prepare(problem)
        greater = greater_edges(plain.numbers, problem.values)
        between = between_edges(problem.tokens[:MAX_TOKENS])
        return GraphProblem(plain.tokens, plain.numbers, _array(greater), _array(between))

    def collate(self, problems: Sequence[GraphProblem]) -> GraphBatch:  # type: ignore[override]
        return GraphBatch(**vars(collate_problems(problems)), graphs=_dense(problems))

    def forward(self, batch: GraphBatch) -> Encoding:  # type: ignore[override]
        encoding = super().forward(batch)
        return make_encoding(self.convolution(encoding.states, batch.graphs), encoding.problem, batch)


def _array(edges: Edges) -> NDArray[np.int16]:
    return np.array(edges, dtype=np.int16).reshape(-1, 2)
