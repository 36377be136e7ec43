"""The ranked strategy: best first, distinct as functions, never without a label that Algorithm 1 would find."""

from hypothesis import given, settings

from mwp.arith.equality import same_function
from mwp.arith.expressions import evaluate
from mwp.arith.notation import parse, to_infix
from mwp.wda.features import NAMES
from mwp.wda.labels import Label
from mwp.wda.prior import weights
from mwp.wda.registry import make_strategy
from mwp.wda.tasks import Task, task_of
from tests.wda.problems import problem, task, tasks

EXAM = task("有40名学生参加语文和数学考试，25人语文及格，20人数学及格，10人都不及格，两门都及格的有多少人？", "15")


def ranked(one: Task, max_candidates: int = 5, max_tries: int = 50_000, max_expressions: int = 1_000_000) -> Label:
    return make_strategy(
        "ranked", max_tries=max_tries, max_expressions=max_expressions, max_candidates=max_candidates
    ).search(one)


def test_the_sound_solution_of_the_papers_table_1_is_among_the_first_five() -> None:
    gold = parse("N1+N2-(N0-N3)")
    assert any(same_function(candidate.expression, gold) for candidate in ranked(EXAM).candidates)


def test_candidates_are_distinct_functions_with_falling_scores() -> None:
    label = ranked(EXAM)
    found = [candidate.expression for candidate in label.candidates]
    assert len(found) == 5
    assert not any(same_function(a, b) for i, a in enumerate(found) for b in found[:i])
    scores = [candidate.score for candidate in label.candidates]
    assert scores == sorted(scores, reverse=True)
    assert all(score <= 0 for score in scores)


def test_rivals_are_counted_whatever_is_kept() -> None:
    assert ranked(EXAM, max_candidates=1).alternatives == ranked(EXAM, max_candidates=5).alternatives >= 5
    assert len(ranked(EXAM, max_candidates=1).candidates) == 1


@given(one=tasks(most=4))
@settings(max_examples=50, deadline=None)
def test_whatever_algorithm_1_finds_ranked_finds_too(one: Task) -> None:
    found = make_strategy("published", max_tries=2_000, max_expressions=1, max_candidates=1).search(one).candidates
    assert ranked(one, max_tries=2_000).candidates or not found


@given(one=tasks(most=4))
@settings(max_examples=50, deadline=None)
def test_every_candidate_leads_to_the_answer(one: Task) -> None:
    from fractions import Fraction

    numbers = [Fraction(value).limit_denominator(10**6) for value in one.values.tolist()]
    for candidate in ranked(one).candidates:
        value = evaluate(candidate.expression, numbers)
        assert value is not None
        assert abs(float(value) - one.answer) <= 2e-9 * max(1, abs(one.answer))


def test_algorithm_1_has_its_turn_where_the_space_holds_nothing() -> None:
    label = ranked(task("边长7米，2次，面积加上边长", "50"), max_expressions=1)
    assert [to_infix(candidate.expression) for candidate in label.candidates]


def test_what_cannot_be_reached_has_no_candidate() -> None:
    label = ranked(task("有7个苹果", "123.456"), max_tries=500)
    assert (label.candidates, label.alternatives) == ((), 0)


def test_a_text_without_numbers_has_no_candidate() -> None:
    assert ranked(task_of(problem("共有多少个苹果？", "3")), max_tries=500).candidates == ()


def test_the_stored_weights_are_those_of_known_features() -> None:
    assert weights().shape == (len(NAMES),)
    assert abs(weights()).max() > 1
