"""Which of a solver's solutions to believe, by what shows once the numbers are put in (traits)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import torch
from torch import Tensor

from mwp.data.problems import Problem
from mwp.training.traits import NAMES, Candidate, traits

# How strongly the weights are held where they start, in problems.
PULL = 0.1
ROUNDS = 200


@dataclass(frozen=True)
class Plausibility:
    """A weight for each trait; a softmax over the candidates of a problem."""

    weights: tuple[float, ...]

    @classmethod
    def start(cls) -> Self:
        """As the solver has it: by probability alone."""
        return cls((1.0, *[0.0] * (len(NAMES) - 1)))

    @property
    def named(self) -> dict[str, float]:
        return dict(zip(NAMES, self.weights, strict=True))

    def shares(self, problem: Problem, candidates: Sequence[Candidate]) -> list[float]:
        """How likely each candidate is right, if one of them is; they add up to 1."""
        if not candidates:
            return []
        return _scores(_rows(problem, candidates), torch.tensor(self.weights)).softmax(dim=0).tolist()


@dataclass(frozen=True)
class Example:
    """A problem's candidates, and which of them give the answer."""

    problem: Problem
    candidates: Sequence[Candidate]
    right: Sequence[bool]


def fit_plausibility(examples: Sequence[Example]) -> Plausibility:
    """The weights under which the right candidates have most of the share; with few examples near the start."""
    telling = [example for example in examples if any(example.right) and not all(example.right)]
    if not telling:
        return Plausibility.start()
    rows = [_rows(example.problem, example.candidates) for example in telling]
    padded = torch.nn.utils.rnn.pad_sequence(rows, batch_first=True).double()
    there = torch.nn.utils.rnn.pad_sequence([torch.ones(len(some)) for some in rows], batch_first=True).bool()
    right = torch.nn.utils.rnn.pad_sequence([torch.tensor(example.right) for example in telling], batch_first=True)
    start = torch.tensor(Plausibility.start().weights, dtype=torch.float64)
    weights = start.clone().requires_grad_()
    optimiser = torch.optim.LBFGS([weights], max_iter=ROUNDS, line_search_fn="strong_wolfe")

    def loss() -> Tensor:
        optimiser.zero_grad()
        scores = _scores(padded, weights)
        every, good = (scores.masked_fill(~mask, -torch.inf).logsumexp(dim=1) for mask in (there, right))
        total = (every - good).sum() + PULL * (weights - start).square().sum()
        total.backward()  # type: ignore[no-untyped-call]
        return total

    optimiser.step(loss)  # type: ignore[no-untyped-call]
    return Plausibility(tuple(weights.tolist()))


def _scores(rows: Tensor, weights: Tensor) -> Tensor:
    return rows @ weights.to(rows.dtype)


def _rows(problem: Problem, candidates: Sequence[Candidate]) -> Tensor:
    """(candidates, traits)"""
    return torch.tensor([traits(problem, candidate) for candidate in candidates])
