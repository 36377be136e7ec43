"""How pure a buffer is: the share of its solutions that are sound, and whether the weights prefer these."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from mwp.arith.expressions import Expression
from mwp.arith.prefix import from_prefix
from mwp.data.problems import Problem
from mwp.training.buffer import Buffer, Solution


@dataclass(frozen=True)
class Purity:
    """Over the solutions of problems with a ground truth; a figure is None where there is nothing to count."""

    judged: int
    sound: int
    sound_weight: float | None
    spurious_weight: float | None

    @property
    def share(self) -> float | None:
        return self.sound / self.judged if self.judged else None


@dataclass(frozen=True)
class Judge:
    """Soundness by problem key and solution, worked out once in a run; `sound` compares with the ground truth."""

    problems: Mapping[str, Problem]
    sound: Callable[[Expression, Problem], bool]
    _known: dict[tuple[str, Solution], bool] = field(default_factory=dict, init=False)

    def can_judge(self, key: str) -> bool:
        return bool(self.problems[key].gold)

    def is_sound(self, key: str, solution: Solution) -> bool:
        known = self._known.get((key, solution))
        if known is None:
            known = self.sound(from_prefix(solution), self.problems[key])
            self._known[key, solution] = known
        return known


def purity(buffer: Buffer, weights: Mapping[str, Sequence[float]], judge: Judge) -> Purity:
    """`weights` by key, one for each entry of the buffer in its order."""
    by_soundness: dict[bool, list[float]] = {True: [], False: []}
    for key in filter(judge.can_judge, buffer.sizes):
        for entry, weight in zip(buffer.entries(key), weights.get(key, ()), strict=True):
            by_soundness[judge.is_sound(key, entry.solution)].append(float(weight))
    sound, spurious = by_soundness[True], by_soundness[False]
    return Purity(len(sound) + len(spurious), len(sound), _mean(sound), _mean(spurious))


def _mean(values: list[float]) -> float | None:
    return sum(values) / len(values) if values else None
