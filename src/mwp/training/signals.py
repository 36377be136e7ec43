"""Interrupts that wait until a state can be saved."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def postponed_signals() -> Iterator[list[int]]:
    """An interrupt is noted in the list and acted on where the state can be saved; a second one is obeyed at once."""
    caught: list[int] = []

    def note(number: int, _: Any) -> None:
        if caught:
            raise KeyboardInterrupt
        caught.append(number)

    old = {number: signal.signal(number, note) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield caught
    finally:
        for number, handler in old.items():
            signal.signal(number, handler)
