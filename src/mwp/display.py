"""What a person is shown: small tables as text and in notebooks, and a bar for what takes long."""

import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from importlib.util import find_spec
from typing import TypeVar

from rich.console import Console
from rich.progress import Progress, TaskID, track

T = TypeVar("T")


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """First column to the left, figures to the right, cells padded so that it reads well as plain text."""
    widths = [max(len(row[column]) for row in (header, *rows)) for column in range(len(header))]
    rule = [f"{'-' * widths[0]}", *(f"{'-' * (width - 1)}:" for width in widths[1:])]
    lines = [_line(header, widths), f"| {' | '.join(rule)} |", *(_line(row, widths) for row in rows)]
    return "\n".join(lines)


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = [
        cells[0].ljust(widths[0]),
        *(cell.rjust(width) for cell, width in zip(cells[1:], widths[1:], strict=True)),
    ]
    return f"| {' | '.join(padded)} |"


def html_table(header: Sequence[str], rows: Sequence[Sequence[str]], caption: str = "") -> str:
    """For notebooks; whatever the cells hold is shown as text."""
    head = "".join(f"<th>{escape(cell)}</th>" for cell in header)
    body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    above = f"<p>{escape(caption)}</p>" if caption else ""
    return f"{above}<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def shows_bars() -> bool:
    """On a terminal, and in a notebook that has the widgets which a bar is made of."""
    console = Console(stderr=True)
    return find_spec("ipywidgets") is not None if console.is_jupyter else console.is_terminal


def with_bar(items: Iterable[T], total: int, what: str) -> Iterator[T]:
    """Pass the items on, under a bar that goes away at the end; silent where none can be shown."""
    if not shows_bars():
        yield from items
        return
    sys.stdout.flush()
    yield from track(items, description=what, total=total, console=Console(stderr=True), transient=True)


class TrainingProgress:
    """A bar an epoch where one can be shown, and a line: loss, accuracy on the validation split, buffer, problems/s."""

    def __init__(self, epochs: int) -> None:
        self.epochs = epochs
        self.console = Console(stderr=True)
        self.bar: Progress | None = None
        self.task: TaskID | None = None
        self.problems = 0
        self.started = time.perf_counter()

    def epoch_started(self, epoch: int, steps: int) -> None:
        self.problems, self.started = 0, time.perf_counter()
        if shows_bars():
            self.bar = Progress(console=self.console, transient=True)
            self.task = self.bar.add_task(f"epoch {epoch + 1} of {self.epochs}", total=steps)
            self.bar.start()

    def step_done(self, problems: int) -> None:
        self.problems += problems
        if self.bar is not None and self.task is not None:
            self.bar.update(self.task, advance=1)

    def epoch_done(self, epoch: int, metrics: Mapping[str, float]) -> float:
        """Problems trained on a second."""
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
