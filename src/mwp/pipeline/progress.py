"""Progress of anything over a second: a bar on a terminal, else one line at the end of a step."""

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from rich.console import Console
from rich.progress import DownloadColumn, Progress, TaskID, track

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


class TrainingProgress:
    """A bar an epoch on a terminal; else a line: loss, accuracy on the validation split, buffer, problems/s."""

    def __init__(self, epochs: int) -> None:
        self.epochs = epochs
        self.console = Console(stderr=True)
        self.bar: Progress | None = None
        self.task: TaskID | None = None
        self.problems = 0
        self.started = time.perf_counter()

    def epoch_started(self, epoch: int, steps: int) -> None:
        self.problems, self.started = 0, time.perf_counter()
        if self.console.is_terminal:
            self.bar = Progress(console=self.console, transient=True)
            self.task = self.bar.add_task(f"epoch {epoch + 1} of {self.epochs}", total=steps)
            self.bar.start()

    def step_done(self, problems: int) -> None:
        self.problems += problems
        if self.bar is not None and self.task is not None:
            self.bar.update(self.task, advance=1)

    def epoch_done(self, epoch: int, metrics: Mapping[str, float]) -> float:
        """With the number of problems trained on a second."""
        speed = self.problems / max(time.perf_counter() - self.started, 1e-9)
        if self.bar is not None:
            self.bar.stop()
        accuracy = metrics.get("valid_accuracy")
        self.console.print(
            f"epoch {epoch + 1} of {self.epochs}: loss {metrics['loss']:.3f}, "
            f"valid {'none' if accuracy is None else f'{accuracy:.1%}'}, buffer {metrics['buffer_size']:,.0f} "
            f"({metrics['new_solutions']:,.0f} new), {speed:,.0f} problems/s",
            highlight=False,
            soft_wrap=True,
        )
        return speed
