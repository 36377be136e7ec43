"""The kernels of Algorithm 1 against their plain twins."""

import pytest
from hypothesis import given, settings

from mwp.arith.notation import to_infix, to_prefix
from mwp.data.cleaning import Cleaning
from mwp.data.problems import Problem
from mwp.wda.registry import make_strategy
from mwp.wda.tasks import Task, task_of
from tests.wda import plain
from tests.wda.problems import task, tasks

TWINS = {"paper": plain.paper_order, "published": plain.published_order}
TRIES = 1_000


def label(strategy: str, one: Task, max_tries: int = 50_000) -> str | None:
    candidates = (
        make_strategy(strategy, max_tries=max_tries, max_expressions=1, max_candidates=1).search(one).candidates
    )
    return to_infix(candidates[0].expression) if candidates else None


def assert_same_label(strategy: str, one: Task, max_tries: int) -> None:
    found = make_strategy(strategy, max_tries=max_tries, max_expressions=1, max_candidates=1).search(one).candidates
    expected = TWINS[strategy](one, max_tries)
    assert [candidate.solution for candidate in found] == ([] if expected is None else [to_prefix(expected)])


@pytest.mark.parametrize("strategy", TWINS)
@given(one=tasks(most=4))
@settings(max_examples=60, deadline=None)
def test_kernel_equals_its_twin_on_random_tasks(strategy: str, one: Task) -> None:
    assert_same_label(strategy, one, TRIES)


@pytest.mark.parametrize("strategy", TWINS)
def test_kernel_equals_its_twin_on_every_problem_of_the_sample(strategy: str, sample_problems: list[Problem]) -> None:
    for one in sample_problems:
        assert_same_label(strategy, task_of(one), TRIES)


@pytest.mark.parametrize("strategy", TWINS)
def test_kernel_equals_its_twin_on_a_slice_of_math23k(strategy: str, d_math23k: Cleaning) -> None:
    for one in d_math23k.kept[::150]:
        assert_same_label(strategy, task_of(one), 50_000)


def test_the_first_hit_on_the_papers_table_1_is_spurious() -> None:
    exam = task("有40名学生参加语文和数学考试，25人语文及格，20人数学及格，10人都不及格，两门都及格的有多少人？", "15")
    assert label("paper", exam) == "N0-N1"


def test_a_quantity_less_itself_or_over_itself_is_never_tried() -> None:
    assert label("paper", task("有5个苹果", "0"), 20) is None


def test_constants_alone_are_no_solution() -> None:
    assert label("paper", task("有7个苹果", "2")) != "1+1"


def test_pi_needs_a_multiplication() -> None:
    assert label("paper", task("半径是5米，还有多少米", "8.14")) != "N0+3.14"
    assert label("paper", task("直径是5米，周长是多少米", "15.7")) == "N0*3.14"


def test_powers_are_squares_and_cubes_only() -> None:
    assert label("paper", task("棱长5米，3次", "125")) == "N0^N1"
    assert label("paper", task("边长2米，5次", "32"), 30) != "N0^N1"


def test_an_answer_that_stands_in_the_text_is_found_last() -> None:
    assert label("published", task("有37个苹果", "37"), 3) == "N0"


def test_an_answer_cut_at_twelve_digits_is_met_by_the_fraction() -> None:
    assert label("paper", task("把2米平均分成3段，每段长多少米", "0.666666666667")) == "N0/N1"


def test_the_tries_are_counted_and_bounded() -> None:
    lost = task("有7个苹果和9个梨", "123.456")
    assert make_strategy("paper", max_tries=777, max_expressions=1, max_candidates=1).search(lost).tries == 777


def test_a_zero_in_the_text_breaks_no_division() -> None:
    assert label("published", task("有0个苹果，5个梨，3个桃", "8")) == "N1+N2"
