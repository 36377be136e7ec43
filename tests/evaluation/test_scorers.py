"""The two scorers."""

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mwp.data.formats import read_objects
from mwp.evaluation.outcomes import SCORERS, exact, paper, reads_as_float
from mwp.evaluation.scores import Scores, pool, score
from mwp.report.terminal import scores_text
from tests.arith.strategies import many
from tests.evaluation.toys import PREDICTIONS, PROBLEMS, named


def test_exact_allows_a_thousandth_or_a_ten_thousandth_of_the_answer() -> None:
    small, large = named("1", "有3个", "2"), named("1", "有3个", "50000")
    assert exact(Fraction("2.001"), small)
    assert not exact(Fraction("2.0010001"), small)
    assert exact(Fraction(50_005), large)
    assert exact(Fraction(49_995), large)
    assert not exact(Fraction("50005.01"), large)


def test_no_value_is_never_right() -> None:
    assert not any(scorer(None, named("1", "有3个", "0")) for scorer in SCORERS.values())


@pytest.mark.parametrize("spelling", ["(1/2)", "((1)/(2))", "3(1/2)", "25%", "0.5%"])
def test_answers_that_float_cannot_read_are_right_under_exact_and_wrong_under_paper(spelling: str) -> None:
    problem = named("1", "有3个", spelling)
    assert exact(problem.answer, problem)
    assert not paper(problem.answer, problem)


@pytest.mark.parametrize("spelling", ["7", "240.0", "0.222222222222", "-410.0"])
def test_answers_that_float_can_read_are_scored_alike(spelling: str) -> None:
    problem = named("1", "有3个", spelling)
    assert exact(problem.answer, problem)
    assert paper(problem.answer, problem)


def test_a_cut_decimal_answer_matches_the_fraction_it_was_cut_from() -> None:
    assert paper(Fraction(2, 3), named("1", "有3个", "0.666666666667"))


@many
@given(st.fractions(-1000, 1000), st.sampled_from(["15", "0.5", "(1/2)", "50%", "250.0"]))
def test_whatever_is_right_under_paper_is_right_under_exact(value: Fraction, spelling: str) -> None:
    problem = named("1", "有3个", spelling)
    assert exact(value, problem) or not paper(value, problem)


@many
@given(st.fractions(-1000, 1000))
def test_where_float_reads_the_answer_paper_is_the_comparison_of_floats(value: Fraction) -> None:
    problem = named("1", "有3个", "250.5")
    distance = abs(float(value) - float(problem.answer_spelling))
    assert paper(value, problem) == (distance <= 1e-3 or distance <= 1e-4 * 250.5)


def test_float_cannot_read_about_an_eighth_of_the_answers_of_math23k(real_data: Path) -> None:
    answers = [record["ans"] for record in read_objects(real_data / "math23k.json")]
    assert (sum(not reads_as_float(answer) for answer in answers), len(answers)) == (2_681, 23_162)


def test_another_scorer_is_one_line_and_has_its_figures_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    saved = score(PREDICTIONS, PROBLEMS)
    monkeypatch.setitem(SCORERS, "whole", lambda value, problem: value is not None and value.denominator == 1)
    scores = score(PREDICTIONS, PROBLEMS)
    assert list(scores.top) == list(scores.merged) == ["exact", "paper", "whole"]
    assert [group.accuracy["whole"].value for group in scores.breakdown.operators] == [0.0, 1.0]
    assert scores == Scores.model_validate_json(scores.model_dump_json())
    shown = scores_text(scores)
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in shown.splitlines() if "|" in line]
    assert [row[1] for row in rows if row[0] == "whole"] == ["1", "3", "5"]
    assert ["accuracy by", "problems", "exact", "paper", "whole"] in rows
    # Scores that were saved before there was this scorer are pooled with new ones by what both have.
    assert list(pool([saved.breakdown, scores.breakdown]).operators[0].accuracy) == ["exact", "paper"]
