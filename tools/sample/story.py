"""What a situation gives: a story with its equation, told from seeded choices."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from random import Random
from typing import TypeVar

T = TypeVar("T")


class AnswerForm(Enum):
    """How the question wants its answer; a story whose value does not fit is told again."""

    COUNT = "count"  # whole things
    AMOUNT = "amount"  # a short decimal
    FRACTION = "fraction"
    PERCENT = "percent"


@dataclass(frozen=True)
class Story:
    """A text and the right-hand side of its equation, both with the same spelling of every number."""

    text: str
    equation: str
    form: AnswerForm = AnswerForm.COUNT


@dataclass(frozen=True)
class Situation:
    name: str
    tell: Callable[[Random], Story]


def situations(*tellers: Callable[[Random], Story]) -> tuple[Situation, ...]:
    """Situations named by their functions."""
    return tuple(Situation(teller.__name__.replace("_", " "), teller) for teller in tellers)


def pick(rng: Random, *options: T) -> T:
    return rng.choice(options)


def two(rng: Random, options: Sequence[T]) -> tuple[T, T]:
    """Two different ones, in any order."""
    first, second = rng.sample(options, 2)
    return first, second


def told(rng: Random, texts: Sequence[str], equations: Sequence[str], form: AnswerForm = AnswerForm.COUNT) -> Story:
    """One of several wordings with one of several equal equations."""
    return Story(pick(rng, *texts), pick(rng, *equations), form)
