from contextlib import suppress
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mwp.arith.expressions import ONE, PI, Constant, Operation, Quantity
from mwp.arith.notation import PrefixError, from_prefix, leaf_token, parse, to_infix, to_prefix

from .strategies import decimals, expressions, many, thirds


def test_a_tree_is_written_operator_first():
    assert to_prefix(parse("(N1-1)*N0")) == ("*", "-", "N1", "1", "N0")


def test_tokens_are_read_as_their_tree():
    expected = Operation("*", Operation("-", Quantity(1), ONE), Quantity(0))
    assert from_prefix(["*", "-", "N1", "1", "N0"]) == expected


def test_a_leaf_is_a_whole_expression():
    assert from_prefix(["N7"]) == Quantity(7)
    assert from_prefix(["3.14"]) == PI
    assert from_prefix(["-5"]) == Constant(Fraction(-5))


def test_leaf_tokens_are_those_of_the_vocabulary():
    assert [leaf_token(leaf) for leaf in (Quantity(0), ONE, PI, Constant(Fraction(2, 3)))] == [
        "N0",
        "1",
        "3.14",
        "(2/3)",
    ]


@pytest.mark.parametrize(
    ("tokens", "message"),
    [
        ([], "expected one expression, found 0: "),
        (["N0", "N1"], "expected one expression, found 2: N0 N1"),
        (["+"], "an operator lacks its operands: +"),
        (["+", "N0"], "an operator lacks its operands: + N0"),
        (["N0", "+", "N1"], "an operator lacks its operands: N0 + N1"),
        (["+", "N0", "x"], "neither an operator, N0, N1, ... nor a number: 'x'"),
        (["N"], "neither an operator, N0, N1, ... nor a number: 'N'"),
        (["(1/0)"], "neither an operator, N0, N1, ... nor a number: '(1/0)'"),
        (["1" * 40], f"neither an operator, N0, N1, ... nor a number: '{'1' * 40}'"),
        (["N" + "1" * 5000], f"neither an operator, N0, N1, ... nor a number: 'N{'1' * 39}'"),
        (["+"] * 9999, "more than 400 tokens"),
    ],
)
def test_the_error_says_what_is_wrong(tokens, message):
    with pytest.raises(PrefixError) as error:
        from_prefix(tokens)
    assert str(error.value) == message


@pytest.mark.parametrize("tokens", [["+"] * 199 + ["1"] * 200, ["+", "1"] * 199 + ["1"]])
def test_the_deepest_trees_are_read_compared_and_printed(tokens):
    expression = from_prefix(tokens)
    assert expression == from_prefix(to_prefix(expression))
    assert hash(expression) == hash(from_prefix(tokens))
    assert to_infix(expression).count("1") == 200


@many
@given(st.lists(st.sampled_from(["+", "-", "*", "/", "^", "N0", "1", "(1/3)"]) | st.text(max_size=5)))
def test_no_tokens_break_the_reader(tokens):
    with suppress(PrefixError):
        from_prefix(tokens)


@many
@given(expressions(constants=decimals | thirds, max_leaves=20))
def test_what_is_written_is_read_again(expression):
    assert from_prefix(to_prefix(expression)) == expression
