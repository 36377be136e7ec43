"""Buffer purity."""

import pytest

from mwp.arith.expressions import Expression
from mwp.data.problems import Problem
from mwp.data.soundness import SoundnessCache, is_sound
from mwp.training.buffer import SolutionBuffer
from mwp.training.progress import Purity, purity
from tests.data.toys import toy

PENS = toy("每盒12支笔，3盒共有多少支？", "36", "12*3")
TREES = toy("每隔2米种一棵树，一共种了11棵，长多少米？", "20", "(11-1)*2")
UNKNOWN = toy("有9个", "81")
PROBLEMS = {"full/1": PENS, "full/2": TREES, "weak/1": UNKNOWN}
WEIGHTS = {"full/1": [0.7, 0.3], "full/2": [0.2, 0.3, 0.5], "weak/1": [1.0]}


def filled() -> SolutionBuffer:
    """Sound, sound; sound, spurious, spurious; and one that nobody can check."""
    buffer = SolutionBuffer(PROBLEMS)
    solutions = {
        "full/1": ["* N0 N1", "* N1 N0"],
        "full/2": ["- * N0 N1 N0", "+ N1 - N1 N0", "* N0 + N0 N1"],
        "weak/1": ["* N0 N0"],
    }
    for key, texts in solutions.items():
        for text in texts:
            buffer.add(key, tuple(text.split()), "search", 0)
    return buffer


def test_purity_by_hand() -> None:
    measured = purity(filled(), WEIGHTS, SoundnessCache(PROBLEMS))
    assert (measured.checked, measured.sound, measured.share) == (5, 3, 0.6)
    assert measured.sound_weight == pytest.approx((0.7 + 0.3 + 0.2) / 3)
    assert measured.spurious_weight == pytest.approx(0.4)


def test_where_nothing_is_known_nothing_is_measured() -> None:
    assert purity(SolutionBuffer(PROBLEMS), {}, SoundnessCache(PROBLEMS)) == Purity(0, 0, None, None)
    only_unknown = SolutionBuffer(["weak/1"])
    only_unknown.add("weak/1", ("N0",), "search", 0)
    measured = purity(only_unknown, {"weak/1": [1.0]}, SoundnessCache(PROBLEMS))
    assert (measured.checked, measured.share) == (0, None)


def test_soundness_is_worked_out_once_a_problem_and_solution(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Expression] = []

    def counted(solution: Expression, problem: Problem) -> bool:
        asked.append(solution)
        return is_sound(solution, problem)

    monkeypatch.setattr("mwp.data.soundness.is_sound", counted)
    soundness, buffer = SoundnessCache(PROBLEMS), filled()
    assert purity(buffer, WEIGHTS, soundness) == purity(buffer, WEIGHTS, soundness)
    assert len(asked) == 5
    buffer.add("full/1", ("*", "N0", "N0"), "beam", 5)
    assert purity(buffer, {**WEIGHTS, "full/1": [0.5, 0.3, 0.2]}, soundness).checked == 6
    assert len(asked) == 6


def test_the_same_solution_may_be_sound_for_one_problem_and_not_for_another() -> None:
    soundness = SoundnessCache(PROBLEMS)
    assert soundness.is_sound("full/1", ("*", "N0", "N1"))
    assert not soundness.is_sound("full/2", ("*", "N0", "N1"))


def test_weights_that_are_not_one_a_solution_are_an_error() -> None:
    with pytest.raises(ValueError, match="zip"):
        purity(filled(), {**WEIGHTS, "full/1": [1.0]}, SoundnessCache(PROBLEMS))
