"""Answers for people: steps, spellings, and hypotheses that are the same."""

import math
from fractions import Fraction

import pytest
from hypothesis import given

from mwp.arith.expressions import Expression, evaluate
from mwp.arith.notation import parse
from mwp.inference.answers import solved_problem, steps, written
from mwp.inference.predictions import merge
from mwp.report.terminal import answer_text
from tests.arith.strategies import expressions, many
from tests.evaluation.toys import APPLES, EXAM, METRES, predict


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("25", "25"),
        ("7/2", "3.5"),
        ("-1/5", "-0.2"),
        ("5/3", "5/3"),
        ("1/1048576", "1/1048576"),
        ("-2/7", "-2/7"),
        ("123456789012345678901234567890", "≈ 1.23457e+29"),
    ],
)
def test_a_rational_is_written_as_people_write_it(value: str, text: str) -> None:
    assert written(Fraction(value)) == text


def test_a_number_beyond_floats_is_written_by_its_size() -> None:
    assert written(Fraction(10**400)) == "≈ 10^400"
    assert written(Fraction(-(10**400))) == "≈ -10^400"
    assert written(Fraction(1, 10**400)) == "≈ 0"


def test_steps_come_in_the_order_of_working_them_out() -> None:
    found = steps(parse("(N0+N1)*N2-N0/N1"), [Fraction(7), Fraction(2), Fraction("0.5")])
    assert [(one.left, one.operator, one.right, one.result) for one in found] == [
        ("7", "+", "2", "9"),
        ("9", "*", "0.5", "4.5"),
        ("7", "/", "2", "3.5"),
        ("4.5", "-", "3.5", "1"),
    ]


def test_steps_end_where_there_is_no_result() -> None:
    found = steps(parse("1+N0/(N1-N1)"), [Fraction(7), Fraction(2)])
    assert [(one.left, one.operator, one.right, one.result) for one in found] == [
        ("2", "-", "2", "0"),
        ("7", "/", "0", None),
    ]


@many
@given(expressions())
def test_the_last_step_gives_the_value(expression: Expression) -> None:
    values = [Fraction(n, 3) for n in range(1, 40)]
    value, found = evaluate(expression, values), steps(expression, values)
    if found and value is not None:
        assert found[-1].result == written(value)


def test_an_answer_as_text_tells_everything() -> None:
    answer = solved_problem(EXAM, merge(predict(EXAM, "N1+N2-N0+N3", "N3+N1+N2-N0", "N0/(N1-N1)").hypotheses))
    assert answer_text(answer) == (
        "N0 = 40, N1 = 25, N2 = 20, N3 = 10\n"
        "1. N1+N2-N0+N3 = 15; also N3+N1+N2-N0  (probability 136.8%)\n"
        "   25 + 20 = 45\n"
        "   45 - 40 = 5\n"
        "   5 + 10 = 15\n"
        "2. N0/(N1-N1) = no value  (probability 13.5%)\n"
        "   25 - 25 = 0\n"
        "   40 ÷ 0 = no value\n"
        "answer: 15"
    )
    assert answer.answers[0].probability == pytest.approx(1 + math.exp(-1))


def test_a_fraction_comes_with_its_size() -> None:
    assert answer_text(solved_problem(METRES, merge(predict(METRES, "N0/N1").hypotheses))).endswith(
        "answer: 2/3 (≈ 0.6667)"
    )


def test_a_problem_without_any_hypothesis_has_no_answer() -> None:
    assert answer_text(solved_problem(APPLES, [])) == "N0 = 3, N1 = 4\nanswer: none"
