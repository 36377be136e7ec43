"""Where a training run stands, and who watches it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mwp.training.buffer import Buffer


class Observer:
    """Whoever watches a run; nothing it does changes the result. This one looks away."""

    def epoch_started(self, epoch: int, steps: int) -> None: ...

    def step_done(self, problems: int) -> None: ...

    def epoch_done(self, epoch: int, metrics: Mapping[str, float]) -> None: ...

    def buffer_updated(self, epoch: int, buffer: Buffer) -> None: ...


@dataclass
class Progress:
    """Where a run stands, and all that it carries beside the learner's own state."""

    epoch: int = 0
    step: int = 0
    loss: float = 0.0
    judged: list[tuple[float, int]] = field(default_factory=list)
    history: list[dict[str, float]] = field(default_factory=list)
    weights: dict[str, list[float]] = field(default_factory=dict)
    new: int = 0
    best: dict[str, Any] | None = None
    best_accuracy: float = -1.0
    best_epoch: int = -1
    notes: dict[str, str] = field(default_factory=dict)
