import operator
from fractions import Fraction

import pytest
from hypothesis import given

from mwp.arith.expressions import apply, evaluate, operations
from mwp.arith.notation import from_prefix, parse, to_infix, to_prefix
from mwp.arith.numerals import parse_numeral

from .strategies import many, numbers, with_small_powers


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("7", 7),
        ("2+3*4", 14),
        ("(2+3)*4", 20),
        ("7-5-1", 1),
        ("1/3+1/6", Fraction(1, 2)),
        ("0.1+0.2", Fraction(3, 10)),
        ("2^10", 1024),
        ("2^3^2", 512),
        ("2^(0-2)", Fraction(1, 4)),
        ("0^2", 0),
        ("5^0", 1),
        ("25+20-(40-10)", 15),
        ("840/6/70+630", 632),
    ],
)
def test_a_value_is_exact(text, value):
    assert evaluate(parse(text)) == value


def test_quantities_stand_for_the_numbers_of_the_problem():
    assert evaluate(parse("N0+N1-(N2-N3)"), [Fraction(25), Fraction(20), Fraction(40), Fraction(10)]) == 15


@pytest.mark.parametrize("text", ["1/0", "1/(2-2)", "0/0", "0^0", "0^(0-1)", "4^0.5", "1+1/0", "1/0*0", "2^(1/0)"])
def test_what_has_no_value_is_none(text):
    assert evaluate(parse(text)) is None


def test_a_quantity_without_a_number_has_no_value():
    assert evaluate(parse("N0+N1"), [Fraction(1)]) is None


@pytest.mark.parametrize("text", ["9^9^9^9", "2^(0-9^9^9)", "(9^999)^9", "0.1^9^9", "9^9^9-9^9^9", "9^1000*9^1000"])
def test_huge_powers_give_up_at_once(text):
    assert evaluate(parse(text)) is None


def test_the_deepest_tree_has_a_value():
    assert evaluate(from_prefix(["+"] * 199 + ["1"] * 200)) == 200


def test_one_operator_is_applied_to_two_values():
    three, two = Fraction(3), Fraction(2)
    assert [apply(operator, three, two) for operator in ("+", "-", "*", "/", "^")] == [5, 1, 6, Fraction(3, 2), 9]
    assert apply("/", three, Fraction(0)) is None


def test_operations_come_in_working_order():
    steps = [to_infix(step) for step in operations(parse("(N0+N1)*N2-N3/N4"))]
    assert steps == ["N0+N1", "(N0+N1)*N2", "N3/N4", "(N0+N1)*N2-N3/N4"]


def test_a_leaf_has_no_operations():
    assert operations(parse("N0")) == []


def by_stack(expression, values):
    """The slow plain twin: Python's own fractions on a stack machine."""
    python = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "^": operator.pow}
    stack = []
    for token in reversed(to_prefix(expression)):
        if token in python:
            stack.append(python[token](stack.pop(), stack.pop()))
        else:
            stack.append(values[int(token[1:])] if token[0] == "N" else parse_numeral(token))
    return stack.pop()


@many
@given(with_small_powers(), numbers)
def test_values_agree_with_a_stack_machine(expression, values):
    try:
        expected = by_stack(expression, values)
    except ZeroDivisionError:
        expected = None
    assert evaluate(expression, values) == expected
