"""The exceptions whose message is for users, and what they say of an argument."""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Any


class BadInput(Exception):
    """One line: what was expected, what came, where, and what to do. The command line prints it and exits with 2."""

    @property
    def lines(self) -> tuple[str, ...]:
        return (" ".join(str(self).split()),)


class Mistakes(BadInput):
    """Several mistakes in one file, a line each."""

    def __init__(self, mistakes: Iterable[str]) -> None:
        self.mistakes = tuple(" ".join(mistake.split()) for mistake in mistakes)
        super().__init__("\n".join(self.mistakes))

    @property
    def lines(self) -> tuple[str, ...]:
        return self.mistakes


class BadSetting(BadInput):
    """A setting that does not exist or a value that it cannot have."""

    def __init__(self, message: str, details: Sequence[Any] = ()) -> None:
        super().__init__(message)
        self._details = list(details)

    def errors(self) -> list[Any]:
        """As a `ValidationError` of pydantic has them."""
        return self._details


def check_choice(name: str, value: object, known: Sequence[str]) -> None:
    """Refuse a value that is none of those known, and name the nearest."""
    if value in known:
        return
    near = get_close_matches(str(value), known, 1)
    hint = f"; did you mean {near[0]}?" if near else ""
    raise BadSetting(f"{name}: expected {' or '.join((', '.join(known[:-1]), known[-1]))}, found {value!r}{hint}")


def check_count(name: str, value: object, least: int = 1, reason: str = "") -> None:
    """Refuse what is no whole number of at least so much."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise BadInput(f"{name}: expected {least:,} or more{reason}, found {value!r}")
