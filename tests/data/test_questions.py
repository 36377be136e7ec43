"""Problems as people type them."""

from fractions import Fraction

import pytest

from mwp.data.problems import Problem
from mwp.data.readers import read_question
from mwp.errors import BadInput


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("每盒12支笔，3盒共有多少支？", ["12", "3"]),
        (" 全长的１／３，又修了２０％ ", ["1/3", "1/5"]),
        ("看了1/3，还剩(2/3)和2(1/2)", ["1/3", "2/3", "5/2"]),
        ("2021/3/4那天有5个", ["2021", "3", "4", "5"]),
        ("每小时80千米/小时", ["80"]),
    ],
)
def test_the_numbers_are_those_of_a_data_set(text: str, values: list[str]) -> None:
    problem = read_question(text)
    assert list(problem.values) == [Fraction(value) for value in values]
    assert problem.tokens.count("NUM") == len(values)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", "expected a problem, found an empty text; write one such as: 一本书有120页，小明每天看15页，几天看完？"),
        (
            " \u3000\n",
            "expected a problem, found an empty text; write one such as: 一本书有120页，小明每天看15页，几天看完？",
        ),
        (
            "Tom has 3 apples and 5 pears. How many?",
            "expected a problem in Chinese, found 'Tom has 3 apples and 5 pears. ...'; "
            "write one such as: 一本书有120页，小明每天看15页，几天看完？",
        ),
        (
            "三个人\n有几只手？",
            "expected numbers in digits, such as 25, 3.5, 20% or 1/3, found none in '三个人 有几只手？'",
        ),
        ("有(1/0)个", "cannot read a number of the text: a fraction with denominator 0: (1/0); correct it"),
        (
            "有" + "9" * 40,
            "cannot read a number of the text: a numeral of more than 30 digits: 999999999999...; correct it",
        ),
        ("3" + "个" * 2000, "expected at most 2,000 characters, found 2,001; shorten the text"),
    ],
)
def test_what_is_no_problem_is_one_clear_line(text: str, error: str) -> None:
    with pytest.raises(BadInput) as refused:
        read_question(text)
    assert str(refused.value) == error


def test_nobody_knows_its_answer() -> None:
    problem = read_question("有3个")
    assert (problem.answer, problem.answer_spelling, problem.gold) == (None, "", ())
    with pytest.raises(BadInput, match="problem 'question' has no answer; give problems with answers"):
        _ = problem.known_answer


def test_a_typed_problem_may_bring_its_answer_and_equation() -> None:
    problem = Problem.from_text("小明有5个苹果，吃了2个，还剩几个？", "3个", "x=5-2", id="a")
    assert (problem.id, problem.answer, problem.answer_spelling) == ("a", 3, "3个")
    assert problem.gold == (("-", "N0", "N1"),)
    assert Problem.from_text("有3个和1/2个").answer is None


@pytest.mark.parametrize(
    ("answer", "equation", "error"),
    [
        (
            "many",
            None,
            "expected a number such as 25, 3.5, 20% or 1/3, found 'many': answer is not a number; correct it",
        ),
        (
            None,
            "5-",
            "expected an equation such as 56*2-9, found '5-: expected a number or a bracket, found 'end'': "
            "equation cannot be read; correct it",
        ),
    ],
)
def test_what_is_no_answer_or_equation_is_one_clear_line(answer: str, equation: str, error: str) -> None:
    with pytest.raises(BadInput) as refused:
        Problem.from_text("有5个，少了2个，还剩几个？", answer, equation)
    assert str(refused.value) == error.replace(
        "'5-: expected a number or a bracket, found 'end''", '''"5-: expected a number or a bracket, found 'end'"'''
    )


def test_a_record_with_an_answer_keeps_its_bytes_and_one_without_comes_back() -> None:
    asked = read_question("有3个")
    assert Problem.model_validate_json(asked.model_dump_json()) == asked
    known = Problem.from_text("有3个", "7/2")
    assert known.model_dump_json().endswith('"answer":"7/2","answer_spelling":"7/2","gold":[]}')
