"""The verifier: which hypotheses to believe, by features of them once the numbers are put in.

A solver reads every number as the same word and is blind to their values, kinds and units.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Self

import torch
from torch import Tensor

from mwp.arith.expressions import Constant, Expression, Quantity, apply, operator_count
from mwp.arith.notation import from_prefix
from mwp.arith.numerals import decimal_places
from mwp.data.problems import Problem
from mwp.data.units import COUNTED, Piece, asked_unit, asks_for_share, is_part, scaled, unit_behind
from mwp.inference.predictions import Hypothesis

NAMES = (
    "log-probability",
    "log-qualification",
    "no value",
    "not above zero",
    "not whole, but things are counted",
    "above 1, but a share is asked for",
    "below 1, but no share is asked for",
    "not whole, but all numbers are",
    "endless decimal, but no share is asked for",
    "steps not above zero",
    "steps not whole, but all numbers are",
    "larger than the largest number",
    "smaller than the smallest number",
    "one of the numbers",
    "numbers unused",
    "numbers used again",
    "ones",
    "operators",
    "unlike units added",
    "parts added to amounts",
    "another unit than asked for",
)
# How strongly the weights are held where they start, in problems.
PRIOR_STRENGTH = 0.1
MAX_ITERATIONS = 200
MIN_QUALIFICATION = 1e-4
MAGNITUDES = 4.0  # powers of ten beyond which larger is not worse


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


def features(problem: Problem, hypothesis: Hypothesis) -> list[float]:
    """One number for each of NAMES, all finite."""
    seen: Counter[str] = Counter()
    expression = from_prefix(hypothesis.solution)
    whole = _walk(expression, problem, seen)
    qualification = 1.0 if hypothesis.qualification is None else max(hypothesis.qualification, MIN_QUALIFICATION)
    asked = asked_unit(problem.text)
    used = Counter(token for token in hypothesis.solution if token.startswith("N"))
    return [
        hypothesis.log_prob,
        math.log(qualification),
        *_value_features(problem, whole.value),
        *_step_features(problem, seen, whole.value),
        *_size_features(problem, whole.value),
        float(len(problem.numbers) - len(used)),
        float(used.total() - len(used)),
        float(hypothesis.solution.count("1")),
        float(operator_count(expression)),
        float(seen["unlike"]),
        float(seen["mixed"]),
        float(bool(asked and whole.unit) and asked != whole.unit),
    ]


def _value_features(problem: Problem, value: Fraction | None) -> list[float]:
    if value is None:
        return [1.0, *[0.0] * 6]
    share, is_whole = asks_for_share(problem.text), value.denominator == 1
    return [
        0.0,
        float(value <= 0),
        float(not is_whole and not share and asked_unit(problem.text) in COUNTED),
        float(share and value > 1),
        float(not share and 0 < value < 1),
        float(not is_whole and _are_whole(problem)),
        float(not share and decimal_places(value) is None),
    ]


def _step_features(problem: Problem, seen: Counter[str], value: Fraction | None) -> list[float]:
    """Without the last step, whose result is the value; a number that stands alone is no step."""
    last_not_positive = value is not None and value <= 0
    last_not_whole = value is not None and value.denominator != 1
    return [
        max(float(seen["not positive"] - last_not_positive), 0.0),
        max(float(seen["not whole"] - last_not_whole), 0.0) if _are_whole(problem) else 0.0,
    ]


def _size_features(problem: Problem, value: Fraction | None) -> list[float]:
    positive = [number for number in problem.values if number > 0]
    if value is None or value <= 0 or not positive:
        return [0.0, 0.0, 0.0]
    size = _log10(value)
    return [
        min(max(size - _log10(max(positive)), 0.0), MAGNITUDES),
        min(max(_log10(min(positive)) - size, 0.0), MAGNITUDES),
        float(value in positive),
    ]


def _are_whole(problem: Problem) -> bool:
    return all(value.denominator == 1 for value in problem.values)


def _log10(value: Fraction) -> float:
    """Of numbers that no float can hold, too."""
    return math.log10(value.numerator) - math.log10(value.denominator)


def _walk(expression: Expression, problem: Problem, seen: Counter[str]) -> Piece:
    """Counts in `seen` what its operations do."""
    if isinstance(expression, Constant):
        return Piece(expression.value)
    if isinstance(expression, Quantity):
        if expression.index >= len(problem.numbers):
            return Piece(None)
        number = problem.numbers[expression.index]
        part = is_part(number)
        return Piece(number.value, "" if part else unit_behind(problem.text, number), part)
    left, right = _walk(expression.left, problem, seen), _walk(expression.right, problem, seen)
    known = left.value is not None and right.value is not None
    value = apply(expression.operator, left.value, right.value) if known else None  # type: ignore[arg-type]
    if value is not None:
        seen["not positive"] += value <= 0
        seen["not whole"] += value.denominator != 1
    if expression.operator in "+-":
        seen["unlike"] += bool(left.unit and right.unit) and left.unit != right.unit
        seen["mixed"] += left.part is not None and right.part is not None and left.part != right.part
        return Piece(value, left.unit or right.unit, right.part if left.part is None else left.part)
    return Piece(value, *scaled(expression.operator, left, right))
