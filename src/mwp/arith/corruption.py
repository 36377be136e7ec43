"""Corrupted solutions, the negatives on which the discriminator is trained."""

from collections.abc import Sequence
from random import Random

from mwp.arith.expressions import OPERATORS


def corrupt(
    tokens: Sequence[str],
    leaves: Sequence[str],
    rate: float,
    rng: Random,
    operators: Sequence[str] = ("+", "-", "*", "/"),
) -> tuple[str, ...]:
    """Change each prefix token with probability `rate` (the paper's lambda), and one at least.

    An operator becomes another of `operators` and a leaf another of `leaves`, so the shape of the tree stays. Whether
    the value is wrong is for the caller to see.
    """
    replacements = [_others(token, operators if token in OPERATORS else leaves) for token in tokens]
    changeable = [position for position, others in enumerate(replacements) if others]
    if not changeable:
        raise ValueError(f"no token of {' '.join(tokens)!r} can be changed: no other leaf or operator is given")
    chosen = [position for position in changeable if rng.random() < rate] or [rng.choice(changeable)]
    corrupted = list(tokens)
    for position in chosen:
        corrupted[position] = rng.choice(replacements[position])
    return tuple(corrupted)


def _others(token: str, choices: Sequence[str]) -> list[str]:
    return [choice for choice in choices if choice != token]
