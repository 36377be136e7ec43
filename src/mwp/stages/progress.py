"""Progress of anything over a second: a bar on a terminal, else one line at the end of a step."""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from rich.console import Console
from rich.progress import DownloadColumn, Progress, TaskID, track

Item = TypeVar("Item")


def follow(items: Iterable[Item], total: int, what: str) -> Iterator[Item]:
    """Pass the items on, showing how many of `total` have come."""
    console = Console(stderr=True)
    if console.is_terminal:
        yield from track(items, description=what, total=total, console=console)
        return
    count = 0
    for item in items:
        yield item
        count += 1
    print(f"{what}: {count:,} of {total:,}", file=sys.stderr)


def following(what: str) -> Callable[[Sequence[Any]], Iterator[Any]]:
    """A wrapper for readers that take one: `following("reading")(records)`."""

    def wrap(items: Sequence[Any]) -> Iterator[Any]:
        return follow(items, len(items), what)

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
