"""The exception whose message is for users."""

from collections.abc import Iterable


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
