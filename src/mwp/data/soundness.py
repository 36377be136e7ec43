"""A solution is right if its value is the answer, and sound if it equals the ground truth as a function of the N_i."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from mwp.arith.equality import same_function
from mwp.arith.expressions import Expression, evaluate, matches_answer
from mwp.arith.notation import PrefixError, Solution, from_prefix
from mwp.data.problems import Problem


def gives_answer(solution: Solution, problem: Problem) -> bool:
    """Whether the exact value is the answer: what lets a solution into a buffer."""
    try:
        value = evaluate(_expression(solution), problem.values)
    except PrefixError:
        return False
    return matches_answer(value, problem.known_answer)


@lru_cache(maxsize=100_000)
def _expression(solution: Solution) -> Expression:
    """Cached, since problems share most of their solutions."""
    return from_prefix(solution)


def gold_gives_answer(problem: Problem) -> bool:
    """Whether the ground truth, in its first reading, evaluates to the answer."""
    return bool(problem.gold) and matches_answer(evaluate(problem.readings[0], problem.values), problem.known_answer)


def is_sound(solution: Expression, problem: Problem) -> bool:
    """Equal to any reading of the ground truth; a problem without one has no sound solution to compare with."""
    return any(same_function(solution, reading) for reading in problem.readings)


@dataclass(frozen=True)
class SoundnessCache:
    """Soundness by problem key and solution, computed once in a training."""

    problems: Mapping[str, Problem]
    _known: dict[tuple[str, Solution], bool] = field(default_factory=dict, init=False)

    def has_gold(self, key: str) -> bool:
        return bool(self.problems[key].gold)

    def is_sound(self, key: str, solution: Solution) -> bool:
        known = self._known.get((key, solution))
        if known is None:
            known = is_sound(from_prefix(solution), self.problems[key])
            self._known[key, solution] = known
        return known
