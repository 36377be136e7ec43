"""Breakdowns of several folds as one."""

from mwp.evaluation.outcomes import score_problems
from mwp.evaluation.scores import break_down, pool
from tests.evaluation.toys import APPLES, EXAM, METRES, PREDICTIONS, PROBLEMS, named, predict

TWIN = named("pears", "有8个苹果和9个梨，共有多少个？", "17", "8+9")


def test_pooled_parts_are_the_breakdown_of_the_whole() -> None:
    parts = [
        score_problems(PREDICTIONS[:1], [EXAM]),
        score_problems([PREDICTIONS[1], predict(APPLES, "N0+N1")], [METRES, APPLES]),
    ]
    whole = break_down([outcome for part in parts for outcome in part])
    assert pool([break_down(part) for part in parts]) == whole


def test_a_problem_keeps_the_twins_of_its_own_training_part() -> None:
    outcomes = score_problems(PREDICTIONS, PROBLEMS)
    with_twin, without = break_down(outcomes[2:], [TWIN]), break_down(outcomes[:2], [TWIN])
    assert [(group.name, group.problems) for group in pool([with_twin, without]).twins] == [("with", 1), ("without", 2)]
