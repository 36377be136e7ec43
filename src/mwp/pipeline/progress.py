"""Progress of anything over a second: a bar on a terminal, else one line at the end of a step."""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from rich.console import Console
from rich.progress import DownloadColumn, Progress, TaskID, track

from mwp.display import TrainingProgress as TrainingProgress

T = TypeVar("T")


def with_progress(specs: Iterable[T], total: int, what: str) -> Iterator[T]:
    """Pass the specs on, showing how many of `total` have come."""
    console = Console(stderr=True)
    if console.is_terminal:
        yield from track(specs, description=what, total=total, console=console)
        return
    count = 0
    for spec in specs:
        yield spec
        count += 1
    print(f"{what}: {count:,} of {total:,}", file=sys.stderr)


def progress_for(what: str) -> Callable[[Sequence[Any]], Iterator[Any]]:
    """A wrapper for readers that take one: `progress_for("reading")(records)`."""

    def wrap(specs: Sequence[Any]) -> Iterator[Any]:
        return with_progress(specs, len(specs), what)

    return wrap


@contextmanager
def transfers() -> Iterator[Callable[[str, int, int], None]]:
    """Progress of downloads by file name: bytes that have come of bytes expected (0 if unknown)."""
    console = Console(stderr=True)
    tasks: dict[str, TaskID] = {}
    with Progress(
        *Progress.get_default_columns(), DownloadColumn(), console=console, disable=not console.is_terminal
    ) as bar:

        def show(name: str, done: int, total: int) -> None:
            if name not in tasks:
                tasks[name] = bar.add_task(name, total=total or None)
            bar.update(tasks[name], completed=done)

        yield show
