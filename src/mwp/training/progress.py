"""The state of a training, its callbacks, interrupts that wait for a checkpoint, and how sound its buffer is."""

import signal
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from mwp.data.soundness import SoundnessCache
from mwp.training.buffer import SolutionBuffer


class Callback:
    """Called as a training goes on; nothing it does changes the result. This one does nothing."""

    def epoch_started(self, epoch: int, steps: int) -> None: ...

    def step_done(self, problems: int) -> None: ...

    def epoch_done(self, epoch: int, metrics: Mapping[str, float]) -> None: ...

    def buffer_updated(self, epoch: int, buffer: SolutionBuffer) -> None: ...


@dataclass
class TrainingState:
    """The state of a training beside the learner's own: its position, history and best network."""

    epoch: int = 0
    step: int = 0
    loss: float = 0.0
    discriminator_scores: list[tuple[float, int]] = field(default_factory=list)
    history: list[dict[str, float]] = field(default_factory=list)
    weights: dict[str, list[float]] = field(default_factory=dict)
    new: int = 0
    best: dict[str, Any] | None = None
    best_accuracy: float = -1.0
    best_epoch: int = -1
    run_id: str = ""


@contextmanager
def postponed_signals() -> Iterator[list[int]]:
    """An interrupt is put into the list and handled where the state can be saved; a second one stops at once."""
    caught: list[int] = []

    def note(number: int, _: Any) -> None:
        if caught:
            raise KeyboardInterrupt
        caught.append(number)

    if threading.current_thread() is not threading.main_thread():  # where Python allows no handlers
        yield caught
        return
    old = {number: signal.signal(number, note) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield caught
    finally:
        for number, handler in old.items():
            signal.signal(number, handler)


@dataclass(frozen=True)
class Purity:
    """Over the solutions of problems with a ground truth; a figure is None where there is nothing to count."""

    checked: int
    sound: int
    sound_weight: float | None
    spurious_weight: float | None

    @property
    def share(self) -> float | None:
        return self.sound / self.checked if self.checked else None


def purity(buffer: SolutionBuffer, weights: Mapping[str, Sequence[float]], soundness: SoundnessCache) -> Purity:
    """`weights` by key, one for each entry of the buffer in its order."""
    by_soundness: dict[bool, list[float]] = {True: [], False: []}
    for key in filter(soundness.has_gold, buffer.sizes):
        for entry, weight in zip(buffer.entries(key), weights.get(key, ()), strict=True):
            by_soundness[soundness.is_sound(key, entry.solution)].append(float(weight))
    sound, spurious = by_soundness[True], by_soundness[False]
    return Purity(len(sound) + len(spurious), len(sound), _mean(sound), _mean(spurious))


def _mean(values: list[float]) -> float | None:
    return sum(values) / len(values) if values else None


@dataclass(frozen=True)
class Callbacks(Callback):
    """Several that watch one run, told in turn."""

    watchers: Sequence[Callback]

    def epoch_started(self, epoch: int, steps: int) -> None:
        for watcher in self.watchers:
            watcher.epoch_started(epoch, steps)

    def step_done(self, problems: int) -> None:
        for watcher in self.watchers:
            watcher.step_done(problems)

    def epoch_done(self, epoch: int, metrics: Mapping[str, float]) -> None:
        for watcher in self.watchers:
            watcher.epoch_done(epoch, metrics)

    def buffer_updated(self, epoch: int, buffer: SolutionBuffer) -> None:
        for watcher in self.watchers:
            watcher.buffer_updated(epoch, buffer)
