"""Buffer purity."""

import pytest

from mwp.arith.expressions import Expression
from mwp.data.problems import Problem
from mwp.evaluation.soundness import is_sound
from mwp.training.buffer import Buffer
from mwp.training.purity import Judge, Purity, purity
from tests.data.toys import toy

PENS = toy("每盒12支笔，3盒共有多少支？", "36", "12*3")
TREES = toy("每隔2米种一棵树，一共种了11棵，长多少米？", "20", "(11-1)*2")
UNKNOWN = toy("有9个", "81")
PROBLEMS = {"full/1": PENS, "full/2": TREES, "weak/1": UNKNOWN}
WEIGHTS = {"full/1": [0.7, 0.3], "full/2": [0.2, 0.3, 0.5], "weak/1": [1.0]}


def filled() -> Buffer:
    """Sound, sound; sound, spurious, spurious; and one that nobody can judge."""
    buffer = Buffer(PROBLEMS)
    solutions = {
        "full/1": ["* N0 N1", "* N1 N0"],
        "full/2": ["- * N0 N1 N0", "+ N1 - N1 N0", "* N0 + N0 N1"],
        "weak/1": ["* N0 N0"],
    }
    for key, texts in solutions.items():
        for text in texts:
            buffer.add(key, tuple(text.split()), "wda", 0)
    return buffer


def test_purity_by_hand() -> None:
    measured = purity(filled(), WEIGHTS, Judge(PROBLEMS, is_sound))
    assert (measured.judged, measured.sound, measured.share) == (5, 3, 0.6)
    assert measured.sound_weight == pytest.approx((0.7 + 0.3 + 0.2) / 3)
    assert measured.spurious_weight == pytest.approx(0.4)


def test_where_nothing_is_known_nothing_is_measured() -> None:
    assert purity(Buffer(PROBLEMS), {}, Judge(PROBLEMS, is_sound)) == Purity(0, 0, None, None)
    only_unknown = Buffer(["weak/1"])
    only_unknown.add("weak/1", ("N0",), "wda", 0)
    measured = purity(only_unknown, {"weak/1": [1.0]}, Judge(PROBLEMS, is_sound))
    assert (measured.judged, measured.share) == (0, None)


def test_soundness_is_worked_out_once_a_problem_and_solution() -> None:
    asked: list[Expression] = []

    def counting(solution: Expression, problem: Problem) -> bool:
        asked.append(solution)
        return is_sound(solution, problem)

    judge, buffer = Judge(PROBLEMS, counting), filled()
    first = purity(buffer, WEIGHTS, judge)
    assert purity(buffer, WEIGHTS, judge) == first
    assert len(asked) == 5
    buffer.add("full/1", ("*", "N0", "N0"), "beam", 5)
    assert purity(buffer, {**WEIGHTS, "full/1": [0.5, 0.3, 0.2]}, judge).judged == 6
    assert len(asked) == 6


def test_the_same_solution_may_be_sound_for_one_problem_and_not_for_another() -> None:
    judge = Judge(PROBLEMS, is_sound)
    assert judge.is_sound("full/1", ("*", "N0", "N1"))
    assert not judge.is_sound("full/2", ("*", "N0", "N1"))


def test_weights_that_are_not_one_a_solution_are_an_error() -> None:
    with pytest.raises(ValueError, match="zip"):
        purity(filled(), {**WEIGHTS, "full/1": [1.0]}, Judge(PROBLEMS, is_sound))
