import re
from contextlib import suppress
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mwp.arith.expressions import ONE, Constant, Operation, Quantity, evaluate, leaves, nodes
from mwp.arith.notation import InfixError, from_prefix, parse, to_infix

from .strategies import decimals, expressions, many, thirds

HALF = Constant(Fraction(1, 2))


def tree(prefix):
    return from_prefix(prefix.split())


@pytest.mark.parametrize(
    ("text", "prefix"),
    [
        ("N0", "N0"),
        ("(N0)", "N0"),
        ("N0+N1*N2", "+ N0 * N1 N2"),
        ("(N0+N1)*N2", "* + N0 N1 N2"),
        ("N0-N1-N2", "- - N0 N1 N2"),
        ("N0-(N1-N2)", "- N0 - N1 N2"),
        ("N0/N1/N2", "/ / N0 N1 N2"),
        ("N0^N1^N2", "^ N0 ^ N1 N2"),
        ("(N0^N1)^N2", "^ ^ N0 N1 N2"),
        ("N0*N1^2", "* N0 ^ N1 2"),
        ("[N0+{N1-1}]*2", "* + N0 - N1 1 2"),
        ("（N0＋N1）×N2÷N3", "/ * + N0 N1 N2 N3"),
        ("N0－N1−25％", "- - N0 N1 0.25"),
        ("N0:N1：N2", "/ / N0 N1 N2"),
        ("3.14*(20/2)**2", "* 3.14 ^ / 20 2 2"),
        (" 1 + 12 \n", "+ 1 12"),
        ("3(1/2)*2", "* 3.5 2"),
        ("8((1)/(2))", "8.5"),
        ("N0*(1/6)", "* N0 / 1 6"),
        ("N0*((1)/(6))", "* N0 / 1 6"),
    ],
)
def test_an_equation_is_read_as_its_tree(text, prefix):
    assert parse(text) == tree(prefix)


def test_a_bracketed_fraction_of_the_text_is_one_number():
    assert parse("N0*(1/2)", fractions=[Fraction(1, 2)]) == Operation("*", Quantity(0), HALF)
    assert parse("N0*((1)/(2))", fractions=[Fraction(1, 2)]) == Operation("*", Quantity(0), HALF)
    assert parse("(2/4)", fractions=[Fraction(1, 2)]) == HALF


def test_any_other_bracketed_fraction_is_a_division():
    assert parse("(1/2)", fractions=[Fraction(1, 3)]) == tree("/ 1 2")
    assert parse("(1/0)") == tree("/ 1 0")
    assert parse(f"({'1' * 20}/{'2' * 20})") == tree(f"/ {'1' * 20} {'2' * 20}")


def test_the_equation_of_the_papers_example_has_its_value():
    assert evaluate(parse("25+20-(40-10)")) == 15


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected a number or a bracket, found 'end'"),
        (" ", "expected a number or a bracket, found 'end'"),
        ("N0+", "expected a number or a bracket, found 'end'"),
        ("-5", "expected a number or a bracket, found '-'"),
        ("()", "expected a number or a bracket, found ')'"),
        ("N0 N1", "unexpected 'N1' after a complete expression"),
        ("N0)", "unexpected ')' after a complete expression"),
        ("(N0", "expected a closing bracket, found 'end'"),
        ("80千米/小时", "unexpected '千' in '80千米/小时'"),
        ("N", "unexpected 'N' in 'N'"),
        ("N12345", "unexpected 'N' in 'N12345'"),
        ("2(1/0)", "a fraction with denominator 0: 2(1/0)"),
        ("1" * 40, "a numeral of more than 30 digits: 111111111111..."),
        ("(" * 101 + "1" + ")" * 101, "brackets nested more than 100 deep"),
        ("(" * 9999, "more than 400 tokens"),
        ("1^" * 9999 + "1", "more than 400 tokens"),
    ],
)
def test_the_error_says_what_stands_where(text, message):
    with pytest.raises(InfixError) as error:
        parse(text)
    assert str(error.value) == message


@pytest.mark.parametrize("text", ["N" + "1" * 5000, "1" * 5000, f"({'1' * 5000}/2)", f"1({'1' * 5000}/2)"])
def test_endless_digits_are_an_error_of_this_module(text):
    with pytest.raises(InfixError):
        parse(text, fractions=[Fraction(1, 2)])


@pytest.mark.parametrize(
    "text",
    ["1^" * 199 + "1", "1+" * 199 + "1", "(" * 100 + "1" + ")" * 100, "1-(" * 99 + "1" + ")" * 99, "((1))+" * 66 + "1"],
)
def test_the_largest_texts_are_read_and_printed_again(text):
    assert parse(to_infix(parse(text))) == parse(text)


@many
@given(st.text() | st.text("N0123456789()[]+-*/^.% （）×÷"), st.sets(thirds))
def test_no_text_breaks_the_parser(text, fractions):
    with suppress(InfixError):
        parse(text, fractions)


@many
@given(expressions(max_leaves=20))
def test_what_is_printed_is_parsed_again(expression):
    assert parse(to_infix(expression)) == expression


@many
@given(expressions(constants=decimals | thirds, max_leaves=20))
def test_fractions_without_end_are_parsed_again_if_named(expression):
    fractions = {leaf.value for leaf in leaves(expression) if isinstance(leaf, Constant)}
    divisions = [node for node in nodes(expression) if isinstance(node, Operation) and node.operator == "/"]
    assume(not any(evaluate(node) in fractions for node in divisions))
    assert parse(to_infix(expression), fractions) == expression


def without_one_bracket(text):
    """All texts with one pair of brackets fewer."""
    opened = []
    for position, character in enumerate(text):
        if character == "(":
            opened.append(position)
        elif character == ")":
            start = opened.pop()
            yield text[:start] + text[start + 1 : position] + text[position + 1 :]


def parsed(text):
    try:
        return parse(text)
    except InfixError:
        return None


@many
@given(expressions())
def test_no_printed_bracket_is_needless(expression):
    assert all(parsed(text) != expression for text in without_one_bracket(to_infix(expression)))


def test_quantities_are_printed_by_their_names():
    assert to_infix(tree("* - N1 1 N0"), names=["2", "(1/6)"]) == "((1/6)-1)*2"


def test_a_quantity_without_a_name_keeps_its_own():
    assert to_infix(tree("+ N0 N1"), names=["7"]) == "7+N1"


def test_leaves_are_printed_bare():
    assert [to_infix(leaf) for leaf in (Quantity(3), ONE, HALF, Constant(Fraction(5, 3)))] == [
        "N3",
        "1",
        "0.5",
        "1(2/3)",
    ]


@many
@given(expressions())
def test_spaces_mean_nothing(expression):
    assert parse(re.sub(r"([-+*/^()])", r" \1 ", to_infix(expression))) == expression
