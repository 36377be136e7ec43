"""Tells every situation, keeps what came out fit, and writes the two raw files."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from mwp.data.files import write_text
from tools.sample import formats, full, weak
from tools.sample.exercises import exercise
from tools.sample.habits import with_habits
from tools.sample.problem import Problem, StoryError, solve
from tools.sample.story import Situation

SEED = 23
FULL_PROBLEMS = 1600
WEAK_PROBLEMS = 546
EXERCISES = 66
MATH23K = "math23k.json"
WEAK12K = "weak12k.json"

TRIES_PER_PROBLEM = 400
REPEATED_NUMBERS_KEPT = 0.1
TWINS_KEPT = 0.2


@dataclass(frozen=True)
class SampleCounts:
    """`full` counts the word problems with equations; the sums that the clean stage drops come on top."""

    full: int
    weak: int
    with_equation_in_text: int
    situations: int


def write_sample(folder: Path, seed: int = SEED) -> SampleCounts:
    """Write math23k.json and weak12k.json; the same seed gives the same bytes."""
    supervised = list(tell_all(full.SITUATIONS, FULL_PROBLEMS, seed))
    answer_only = list(tell_all(weak.SITUATIONS, WEAK_PROBLEMS, seed))
    exercises = tell_many(Situation("exercises", exercise), EXERCISES, Random(f"{seed} exercises"))
    write_text(folder / MATH23K, formats.math23k(shuffled([*supervised, *exercises], Random(f"{seed} full"))))
    write_text(folder / WEAK12K, formats.weak12k(shuffled(answer_only, Random(f"{seed} weak"))))
    situations = len(full.SITUATIONS) + len(weak.SITUATIONS)
    return SampleCounts(len(supervised), len(answer_only), len(exercises), situations)


def tell_all(situations: Sequence[Situation], total: int, seed: int) -> Iterator[Problem]:
    """Equal shares of the total; each situation has a stream of its own, so that editing one leaves the others be."""
    share, extra = divmod(total, len(situations))
    for index, situation in enumerate(situations):
        yield from tell_many(situation, share + (index < extra), Random(f"{seed} {situation.name}"))


def tell_many(situation: Situation, count: int, rng: Random) -> list[Problem]:
    """Different problems of one situation, told until enough are fit; few repeat a number or differ in numbers only."""
    problems: dict[str, Problem] = {}
    skeletons: set[str] = set()
    for _ in range(count * TRIES_PER_PROBLEM):
        if len(problems) == count:
            return list(problems.values())
        problem = solve(with_habits(situation.tell(rng), rng))
        if problem is None or (problem.repeats_a_number and rng.random() >= REPEATED_NUMBERS_KEPT):
            continue
        if problem.skeleton in skeletons and rng.random() >= TWINS_KEPT:
            continue
        skeletons.add(problem.skeleton)
        problems.setdefault(problem.text.rstrip("．？"), problem)
    raise StoryError(f"only {len(problems)} of {count} fit problems of the situation {situation.name!r}")


def shuffled(problems: Sequence[Problem], rng: Random) -> list[Problem]:
    return rng.sample(problems, len(problems))
