from fractions import Fraction

import pytest

from mwp.arith.notation import InfixError, to_prefix
from mwp.arith.numerals import NumeralError
from mwp.data.text import MAX_READINGS, find_numbers, map_equation, unknown_constants

TREES = "小朋友们每隔2米种一棵树，一共种了11棵"


def readings(text: str, equation: str) -> list[str]:
    return [" ".join(to_prefix(reading)) for reading in map_equation(equation, find_numbers(text))]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        (TREES, ["2", "11"]),
        ("看了全书的(1/6)，第3天看了150%", ["1/6", "3", "3/2"]),
        ("长3(1/2)米，宽((2)/(3))米，高8((1)/(3))米", ["7/2", "2/3", "25/3"]),
        ("28.4千克是1.4倍", ["142/5", "7/5"]),
        ("5（1）班", ["5", "1"]),
        ("一打铅笔", []),
    ],
)
def test_numerals_are_found_from_left_to_right(text: str, values: list[str]) -> None:
    numbers = find_numbers(text)
    assert [number.value for number in numbers] == [Fraction(value) for value in values]
    assert [text[number.start : number.end] for number in numbers] == [number.spelling for number in numbers]


def test_a_literal_of_the_text_is_its_number_and_any_other_a_constant() -> None:
    assert readings(TREES, "(11-1)*2") == ["* - N1 1 N0"]


def test_a_literal_is_known_by_its_value_not_its_spelling() -> None:
    assert readings("打八折即80%，原价50元", "50*0.8") == ["* N1 N0"]


def test_a_number_that_stands_twice_gives_two_readings() -> None:
    assert readings("5只鸡和5只鸭，卖了2只", "5+5-2") == [
        "- + N0 N0 N2",
        "- + N0 N1 N2",
        "- + N1 N0 N2",
        "- + N1 N1 N2",
    ]


def test_readings_end_at_a_limit() -> None:
    assert len(readings("5和5", "+".join("5" * 7))) == MAX_READINGS


def test_a_bracketed_fraction_is_one_number_only_where_the_text_has_it() -> None:
    assert readings("第一天看了(1/6)，第二天看了24页", "24/(1-(1/6))") == ["/ N1 - 1 N0"]
    assert readings("2小时行80千米，行240千米要几小时", "240/(80/2)") == ["/ N2 / N1 N0"]


def test_what_cannot_be_read_raises() -> None:
    with pytest.raises(NumeralError, match=r"^a numeral of more than 30 digits: 123412341234\.\.\.$"):
        find_numbers("1234" * 8)
    with pytest.raises(InfixError, match="expected a closing bracket, found 'end'"):
        map_equation("(11-1", find_numbers(TREES))


def test_only_one_and_pi_are_known_constants() -> None:
    (reading,) = map_equation("3.14*(2*11)^3+1/100", find_numbers(TREES))
    assert unknown_constants(reading) == [3, 100]
