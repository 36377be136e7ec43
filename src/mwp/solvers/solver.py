"""A solver: an encoder that reads problems and a decoder that writes solutions."""

from typing import Any

from torch import Tensor, nn

from mwp.solvers.interfaces import Beams, Decoder, Encoding
from mwp.solvers.problem_batch import ProblemBatch


class Solver(nn.Module):
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
