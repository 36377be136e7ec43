from contextlib import suppress
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mwp.arith.numerals import NUMERAL, NumeralError, decimal_places, parse_numeral, print_numeral

from .strategies import many

finite_decimals = st.builds(
    lambda digits, positions: Fraction(digits, 10**positions), st.integers(-(10**15), 10**15), st.integers(0, 12)
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12", Fraction(12)),
        ("007", Fraction(7)),
        ("3.5", Fraction(7, 2)),
        ("25%", Fraction(1, 4)),
        ("150%", Fraction(3, 2)),
        ("12.5%", Fraction(1, 8)),
        ("(1/6)", Fraction(1, 6)),
        ("(4/6)", Fraction(2, 3)),
        ("((2)/(3))", Fraction(2, 3)),
        ("3(1/2)", Fraction(7, 2)),
        ("8((1)/(3))", Fraction(25, 3)),
        ("-5", Fraction(-5)),
        ("-3(1/2)", Fraction(-7, 2)),
        ("-25%", Fraction(-1, 4)),
        (" 12\n", Fraction(12)),
        ("9" * 30, Fraction(10**30 - 1)),
    ],
)
def test_every_spelling_is_read_exactly(text, value):
    assert parse_numeral(text) == value


@pytest.mark.parametrize(
    "text",
    ["", " ", "-", "--5", "- 5", "+5", "1.", ".5", "1e3", "1/2", "(1/2", "((1)/2)", "(1/2)%", "N0", "nan", "五", "²"],
)
def test_anything_else_is_refused(text):
    with pytest.raises(NumeralError):
        parse_numeral(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("80千米", "not a number: '80千米'"),
        ("", "not a number: ''"),
        ("x" * 50, f"not a number: '{'x' * 40}'"),
        ("2(1/0)", "a fraction with denominator 0: 2(1/0)"),
        ("1234567890" * 4, "a numeral of more than 30 digits: 123456789012..."),
    ],
)
def test_the_error_names_the_text(text, message):
    with pytest.raises(NumeralError) as error:
        parse_numeral(text)
    assert str(error.value) == message


@many
@given(st.text() | st.text("0123456789()/.%-"))
def test_no_text_breaks_the_reader(text):
    with suppress(NumeralError):
        parse_numeral(text)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(0), "0"),
        (Fraction(40), "40"),
        (Fraction(-40), "-40"),
        (Fraction("3.14"), "3.14"),
        (Fraction(1, 40), "0.025"),
        (Fraction(-1, 2), "-0.5"),
        (Fraction(2, 3), "(2/3)"),
        (Fraction(5, 3), "1(2/3)"),
        (Fraction(-5, 3), "-1(2/3)"),
    ],
)
def test_a_value_is_printed_shortest(value, text):
    assert print_numeral(value) == text


@many
@given(finite_decimals | st.fractions(-(10**6), 10**6, max_denominator=10**6))
def test_what_is_printed_is_read_again(value):
    assert parse_numeral(print_numeral(value)) == value


@many
@given(finite_decimals)
def test_decimal_places_are_the_fewest_that_suffice(value):
    assert decimal_places(value) == next(
        positions for positions in range(13) if (value * 10**positions).denominator == 1
    )


@pytest.mark.parametrize("value", [Fraction(1, 3), Fraction(1, 6), Fraction(22, 7), Fraction(1, 30)])
def test_a_repeating_decimal_has_no_number_of_places(value):
    assert decimal_places(value) is None


def test_a_fraction_in_a_text_is_one_numeral():
    text = "看了(1/6)，又看了24页，是150%，长3(1/2)米，宽2.50米"
    assert NUMERAL.findall(text) == ["(1/6)", "24", "150%", "3(1/2)", "2.50"]
