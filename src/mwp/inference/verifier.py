"""The verifier: how likely each hypothesis is right, a softmax over features computed with the numbers put in."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import torch
from torch import Tensor

from mwp.data.problems import Problem
from mwp.inference.predictions import Hypothesis
from mwp.inference.verifier_features import NAMES, features

# The strength of the Gaussian prior that holds the weights near the start, in problems.
PRIOR_STRENGTH = 0.1
MAX_ITERATIONS = 200


@dataclass(frozen=True)
class Verifier:
    """A weight for each feature; a softmax over the hypotheses of a problem."""

    weights: tuple[float, ...]

    @classmethod
    def start(cls) -> Self:
        """The solver's own order: by probability alone."""
        return cls((1.0, *[0.0] * (len(NAMES) - 1)))

    @property
    def named(self) -> dict[str, float]:
        return dict(zip(NAMES, self.weights, strict=True))

    def shares(self, problem: Problem, hypotheses: Sequence[Hypothesis]) -> list[float]:
        """How likely each hypothesis is right, if one of them is; they add up to 1."""
        if not hypotheses:
            return []
        return _scores(_rows(problem, hypotheses), torch.tensor(self.weights)).softmax(dim=0).tolist()


@dataclass(frozen=True)
class Example:
    """A problem's hypotheses, and which of them give the answer."""

    problem: Problem
    hypotheses: Sequence[Hypothesis]
    right: Sequence[bool]


def fit_verifier(examples: Sequence[Example]) -> Verifier:
    """The weights under which the right hypotheses have most of the share; with few examples near the start."""
    informative = [example for example in examples if any(example.right) and not all(example.right)]
    if not informative:
        return Verifier.start()
    rows = [_rows(example.problem, example.hypotheses) for example in informative]
    padded = torch.nn.utils.rnn.pad_sequence(rows, batch_first=True).double()
    there = torch.nn.utils.rnn.pad_sequence([torch.ones(len(some)) for some in rows], batch_first=True).bool()
    right = torch.nn.utils.rnn.pad_sequence([torch.tensor(example.right) for example in informative], batch_first=True)
    start = torch.tensor(Verifier.start().weights, dtype=torch.float64)
    weights = start.clone().requires_grad_()
    optimizer = torch.optim.LBFGS([weights], max_iter=MAX_ITERATIONS, line_search_fn="strong_wolfe")

    def loss() -> Tensor:
        optimizer.zero_grad()
        scores = _scores(padded, weights)
        every, good = (scores.masked_fill(~mask, -torch.inf).logsumexp(dim=1) for mask in (there, right))
        total = (every - good).sum() + PRIOR_STRENGTH * (weights - start).square().sum()
        total.backward()  # type: ignore[no-untyped-call]
        return total

    optimizer.step(loss)  # type: ignore[no-untyped-call]
    return Verifier(tuple(weights.tolist()))


def _scores(rows: Tensor, weights: Tensor) -> Tensor:
    return rows @ weights.to(rows.dtype)


def _rows(problem: Problem, hypotheses: Sequence[Hypothesis]) -> Tensor:
    """(hypotheses, features)"""
    return torch.tensor([features(problem, hypothesis) for hypothesis in hypotheses])
