"""Beams that are equal modulo the laws of arithmetic, merged: they are one answer, and their probabilities add up."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from mwp.arith.equality import Fingerprint, exponent_quantities, fingerprint
from mwp.evaluation.predictions import Beam


@dataclass(frozen=True)
class Merged:
    """Beams that are the same function of the quantities, most probable first; `log_prob` is that of any of them."""

    members: tuple[Beam, ...]
    log_prob: float

    @property
    def best(self) -> Beam:
        return self.members[0]

    @property
    def probability(self) -> float:
        return math.exp(self.log_prob)

    @property
    def plausibility(self) -> float | None:
        """That one of them is right; None where nobody knows."""
        known = [beam.plausibility for beam in self.members if beam.plausibility is not None]
        return sum(known) if len(known) == len(self.members) else None


def merge(beams: Sequence[Beam]) -> list[Merged]:
    """The most probable group first, ties in the order of the beams; a beam that has no value anywhere stays alone."""
    expressions = [beam.expression for beam in beams]
    exponents = frozenset[int]().union(*map(exponent_quantities, expressions))
    groups: dict[Fingerprint | int, list[Beam]] = {}
    for place, (beam, expression) in enumerate(zip(beams, expressions, strict=True)):
        key = fingerprint(expression, exponents)
        groups.setdefault(place if key is None else key, []).append(beam)
    return sorted(map(_merged, groups.values()), key=lambda group: -group.log_prob)


def by_plausibility(groups: Sequence[Merged]) -> list[Merged]:
    """The most plausible first; as they are where that is not known of all."""
    if any(group.plausibility is None for group in groups):
        return list(groups)
    return sorted(groups, key=lambda group: -(group.plausibility or 0.0))


def _merged(beams: Sequence[Beam]) -> Merged:
    members = tuple(sorted(beams, key=lambda beam: -beam.log_prob))
    top = members[0].log_prob
    # Relative to the best member, so that improbable beams do not all round to zero.
    return Merged(members, top + math.log(sum(math.exp(beam.log_prob - top) for beam in members)))
