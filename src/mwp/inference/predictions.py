"""What a solver predicts: hypotheses for each problem, best first, one JSON line a problem.

Hypotheses that are equal modulo the laws of arithmetic are merged: they are one answer, and their probabilities add up.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from pydantic import Field, FiniteFloat

from mwp.arith.equality import Fingerprint, exponent_quantities, fingerprint
from mwp.arith.expressions import Expression, evaluate
from mwp.arith.notation import from_prefix
from mwp.data.files import read_records
from mwp.data.problems import Problem, Rational, Record
from mwp.errors import BadInput


class Hypothesis(Record):
    """A solution as prefix tokens with its exact value; None where it has no value, as 1/(N0-N0).

    `qualification` is the discriminator's score t, None where the system has no discriminator. `verified` is the
    verifier's: how likely this hypothesis is right if one of the problem's is, once the numbers are put in.
    """

    solution: tuple[str, ...]
    log_prob: FiniteFloat
    value: Rational | None = None
    qualification: FiniteFloat | None = Field(None, validation_alias="fitness")
    verified: FiniteFloat | None = Field(None, validation_alias="plausibility")

    @property
    def expression(self) -> Expression:
        return from_prefix(self.solution)

    def rounded(self, decimals: int) -> Self:
        """For files: its scores with so many decimals."""
        scores = {"log_prob": self.log_prob, "qualification": self.qualification, "verified": self.verified}
        return self.model_copy(
            update={name: None if score is None else round(score, decimals) for name, score in scores.items()}
        )


class Prediction(Record):
    """The hypotheses of one problem in the solver's order, which need not be that of their log-probabilities."""

    id: str
    hypotheses: tuple[Hypothesis, ...] = Field(validation_alias="beams")


def make_hypothesis(
    solution: Sequence[str], log_prob: float, problem: Problem, qualification: float | None = None
) -> Hypothesis:
    value = evaluate(from_prefix(solution), problem.values)
    return Hypothesis(solution=tuple(solution), log_prob=log_prob, value=value, qualification=qualification)


def read_predictions(path: Path) -> list[Prediction]:
    predictions = read_records(path, Prediction)
    if not predictions:
        raise BadInput(f"{path} is empty; expected one prediction a line")
    return predictions


@dataclass(frozen=True)
class MergedHypothesis:
    """Hypotheses that are the same function of the N_i, most probable first; `log_prob` is that of any of them."""

    members: tuple[Hypothesis, ...]
    log_prob: float

    @property
    def best(self) -> Hypothesis:
        return self.members[0]

    @property
    def probability(self) -> float:
        return math.exp(self.log_prob)

    @property
    def verified(self) -> float | None:
        """The probability that one of them is right; None without a verifier."""
        known = [one.verified for one in self.members if one.verified is not None]
        return sum(known) if len(known) == len(self.members) else None


def merge(hypotheses: Sequence[Hypothesis]) -> list[MergedHypothesis]:
    """The most probable group first, ties in the given order; a hypothesis that has no value anywhere stays alone."""
    expressions = [one.expression for one in hypotheses]
    exponents = frozenset[int]().union(*map(exponent_quantities, expressions))
    groups: dict[Fingerprint | int, list[Hypothesis]] = {}
    for index, (one, expression) in enumerate(zip(hypotheses, expressions, strict=True)):
        key = fingerprint(expression, exponents)
        groups.setdefault(index if key is None else key, []).append(one)
    return sorted(map(_merged, groups.values()), key=lambda group: -group.log_prob)


def by_verified(groups: Sequence[MergedHypothesis]) -> list[MergedHypothesis]:
    """Those that the verifier believes most first; unchanged where not all are verified."""
    if any(group.verified is None for group in groups):
        return list(groups)
    return sorted(groups, key=lambda group: -(group.verified or 0.0))


def _merged(hypotheses: Sequence[Hypothesis]) -> MergedHypothesis:
    members = tuple(sorted(hypotheses, key=lambda one: -one.log_prob))
    top = members[0].log_prob
    # Relative to the best member, so that improbable hypotheses do not all round to zero.
    return MergedHypothesis(members, top + math.log(sum(math.exp(one.log_prob - top) for one in members)))
