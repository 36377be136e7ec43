"""The solution discriminator (Eq. 4): whether a solution fits a problem, independent of the solver's own score."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits

from mwp.arith.notation import Solution
from mwp.data.vocabulary import FIRST_NUMBER
from mwp.solvers.base import EncoderDecoder, mean_state
from mwp.solvers.batch import EncodedProblem, SolutionBatch, on_device
from mwp.solvers.decoding import evaluating, sorted_batches

PAD = 0
MAX_NUMBERS = 32
# The pad comes first, so a symbol's row is its id + 1; N31 and the numbers after it share the last row.
ROWS = 1 + FIRST_NUMBER + MAX_NUMBERS


class Discriminator(nn.Module):
    """t = sigmoid(z_w X z_s + b): z_w the mean token state of a problem, z_s that of a solution's prefix tokens.

    The two directions of the solution's GRU are apart, so that the backward one can read each solution reversed in
    place: padding always comes last and nothing needs to be packed on the host.
    """

    def __init__(self, problem_width: int, hidden: int, embedding: int = 128) -> None:
        super().__init__()
        self.embedding = nn.Embedding(ROWS, embedding, padding_idx=PAD)
        self.ahead = nn.GRU(embedding, hidden, batch_first=True)
        self.back = nn.GRU(embedding, hidden, batch_first=True)
        self.fit = nn.Linear(problem_width, 2 * hidden, bias=False)  # X
        self.bias = nn.Parameter(torch.zeros(()))

    def forward(self, problems: Tensor, tokens: Tensor, lengths: Tensor, problem_index: Tensor) -> Tensor:
        """Logits (S,) for solutions `tokens` (S, T) of the problems z_w (P, H_w) at index `problem_index` (S,).

        No gradient reaches the solver's encoder.
        """
        expected: Tensor = self.fit(problems.detach()[problem_index])  # (S, 2 H_d)
        logits: Tensor = (expected * self.read(tokens, lengths)).sum(-1) + self.bias
        return logits

    def read(self, tokens: Tensor, lengths: Tensor) -> Tensor:
        """z_s (S, 2 H_d): the mean state over the true tokens, both directions side by side."""
        positions = torch.arange(tokens.shape[1], device=tokens.device)
        true = positions < lengths[:, None]  # (S, T)
        mirror = torch.where(true, lengths[:, None] - 1 - positions, positions)
        ahead, _ = self.ahead(self.embedding(tokens))
        back, _ = self.back(self.embedding(tokens.gather(1, mirror)))
        states = torch.cat([ahead, back], -1).masked_fill(~true[:, :, None], 0)
        return states.sum(1) / lengths[:, None]

    @torch.no_grad()
    def scores(self, problems: Tensor, tokens: Tensor, lengths: Tensor, problem_index: Tensor) -> Tensor:
        """t (S,), the qualification score that enters the weights."""
        was_training = self.training
        self.eval()
        logits = self(problems, tokens, lengths, problem_index)
        self.train(was_training)
        return torch.sigmoid(logits)


def discriminator_loss(logits: Tensor, targets: Tensor) -> Tensor:
    """Eq. 4, as a mean over the examples."""
    return binary_cross_entropy_with_logits(logits, targets.to(logits.dtype))


def auc(scores: Sequence[float], targets: Sequence[int]) -> float | None:
    """The area under the ROC curve: how often a right solution scores above a wrong one; None with only one kind."""
    _, rank = np.unique(np.asarray(scores, np.float64), return_inverse=True)
    is_right = np.asarray(targets, bool)
    right = np.bincount(rank[is_right], minlength=len(rank))
    wrong = np.bincount(rank[~is_right], minlength=len(rank))
    pairs = int(right.sum()) * int(wrong.sum())
    wrong_below = np.cumsum(wrong) - wrong
    return int((right * (2 * wrong_below + wrong)).sum()) / (2 * pairs) if pairs else None


@dataclass(frozen=True)
class Padded:
    """Rows of the discriminator's embedding (B, T), PAD after the end, and the true lengths (B,)."""

    tokens: Tensor
    lengths: Tensor


def pad(symbols: Sequence[Sequence[int]]) -> Padded:
    longest = max(map(len, symbols), default=0)
    rows = [[min(symbol + 1, ROWS - 1) for symbol in solution] for solution in symbols]
    padded = [row + [PAD] * (longest - len(row)) for row in rows]
    return Padded(
        tokens=torch.tensor(padded, dtype=torch.long).reshape(len(symbols), longest),
        lengths=torch.tensor([len(row) for row in rows], dtype=torch.long),
    )


def qualifications_by_problem(
    network: EncoderDecoder,
    discriminator: Discriminator,
    solutions: Mapping[str, Sequence[Solution]],
    encoded: Mapping[str, EncodedProblem],
    batch_size: int,
) -> dict[str, list[float]]:
    """The discriminator's score t of each solution, by key, for problems that have any."""
    device = next(network.parameters()).device
    found: dict[str, list[float]] = {}
    for keys in sorted_batches([key for key, some in solutions.items() if some], encoded, batch_size):
        problems = network.encoder.collate([encoded[key] for key in keys])
        with evaluating(network):
            states = mean_state(network.encode(on_device(problems, device)))
        batch = SolutionBatch.of(keys, solutions)
        found |= batch.split(qualifications(discriminator, states, batch).tolist())
    return found


def qualifications(discriminator: Discriminator, states: Tensor, batch: SolutionBatch) -> Tensor:
    """t (S,) of the solutions, each for its problem, whose mean token state is a row of `states` (P, H)."""
    padded, device = pad(batch.symbols), states.device
    index = torch.tensor(batch.problem_index, dtype=torch.long, device=device)
    return discriminator.scores(states.float(), padded.tokens.to(device), padded.lengths.to(device), index).cpu()
