from collections import defaultdict
from fractions import Fraction
from itertools import combinations, product

import pytest
import sympy
from hypothesis import given

from mwp.arith.equality import exponent_quantities, fingerprint, same_function
from mwp.arith.expressions import ONE, Constant, Operation, Quantity
from mwp.arith.notation import from_prefix, parse

from .strategies import expressions, few, many


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("25+20-(40-10)", "25+20-40+10"),
        ("N1+N2-(N0-N3)", "N1+N2-N0+N3"),
        ("N1+N2-(N0-N3)", "N3+N1+N2-N0"),
        ("N0*(N1+N2)", "N0*N1+N0*N2"),
        ("N0/(1-N1)-N0", "N0*N1/(1-N1)"),
        ("N0-N0", "0"),
        ("N0/N0", "1"),
        ("N0*25%", "N0/4"),
        ("1/3+1/6", "0.5"),
        ("N0^2", "N0*N0"),
        ("N0^(0-2)", "1/(N0*N0)"),
        ("(N0+N1)^2", "N0^2+2*N0*N1+N1^2"),
        ("N0^(N1+1)", "N0*N0^N1"),
        ("(N0^N1)^N2", "N0^(N1*N2)"),
        ("N1*N0^(N1-N1+2)", "N1*N0*N0"),
        ("N0^(0-N1)", "1/N0^N1"),
    ],
)
def test_equal_functions_are_recognised(left, right):
    assert same_function(parse(left), parse(right))
    assert same_function(parse(right), parse(left))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("25+20-(40-10)", "25-11"),
        ("N1+N2-(N0-N3)", "N1-N3"),
        ("N0", "N1"),
        ("N1", "1"),
        ("N0-N1", "N1-N0"),
        ("N0*3.14", "N0*3.141"),
        ("N0", "N0+0.000000000001"),
        ("N0^N1", "N1^N0"),
        ("2^N0", "N0^2"),
        ("N0^N1", "N0^N2"),
        ("N0^(N1+N2)", "N0^(N1*N2)"),
        ("N0^N1", "N0*N1"),
        ("N0^N1", "N0^2"),
        ("N0^2", "N0^3"),
    ],
)
def test_different_functions_are_told_apart(left, right):
    assert not same_function(parse(left), parse(right))


def test_the_spurious_solution_of_the_paper_has_the_right_value_and_another_function():
    assert same_function(parse("25+20-(40-10)"), parse("25-10"))
    assert not same_function(parse("N1+N2-(N0-N3)"), parse("N1-N3"))


@pytest.mark.parametrize(
    "text", ["1/0", "1/(N0-N0)", "N1+N0/(N1*N2-N2*N1)", "0^0", "(N0-N0)^(0-1)", "N0^0.5", "2^9^9^9"]
)
def test_what_has_no_value_has_no_fingerprint_and_equals_nothing(text):
    assert fingerprint(parse(text)) is None
    assert not same_function(parse(text), parse(text))
    assert not same_function(parse(text), parse("1"))
    assert not same_function(parse("1"), parse(text))


def test_a_value_at_some_assignments_suffices():
    root = parse("N0^(N1/2)")
    values = fingerprint(root)
    assert None in values
    assert set(values) != {None}
    assert same_function(root, root)


@pytest.mark.parametrize("prime", [2**61 - 1, 2**89 - 1, 2**107 - 1])
def test_no_constant_hides_behind_a_prime(prime):
    hidden = Constant(Fraction(prime))
    inverse = Constant(Fraction(1, prime))
    assert not same_function(Operation("+", Quantity(0), hidden), Quantity(0))
    assert same_function(Operation("+", Quantity(0), hidden), Operation("+", hidden, Quantity(0)))
    assert same_function(Operation("*", Quantity(0), inverse), Operation("*", inverse, Quantity(0)))
    assert not same_function(Operation("*", Quantity(0), inverse), Quantity(0))


def test_exponent_quantities_are_those_in_exponents_only():
    assert exponent_quantities(parse("N0^(N1+N2)*N3^2-(N4/2^N5)^N1")) == {1, 2, 5}
    assert exponent_quantities(parse("N0+N1")) == frozenset()


def test_fingerprints_of_powers_are_compared_with_common_exponents():
    left, right = parse("N1*N0^(N1-N1+2)"), parse("N1*N0*N0")
    assert fingerprint(left) != fingerprint(right)
    assert fingerprint(left, frozenset({1})) == fingerprint(right, frozenset({1}))


def test_no_two_quantities_take_the_same_values():
    for exponents in (frozenset(), frozenset(range(100))):
        assert len({fingerprint(Quantity(index), exponents) for index in range(100)}) == 100


def test_quantities_in_exponents_are_small_integers():
    values = [value for index in range(100) for value in fingerprint(Quantity(index), frozenset(range(100)))]
    assert set(values) == set(range(2, 8))


def test_small_exponents_are_told_apart():
    exponents = "N1, N2, N3, N1+N2, N1+N3, N1*N2, N1*N3, N1-N2, 2*N1, N1+1, N1^2, N2^N1, N1^N2, 2, 3"
    powers = [parse(f"N0^({exponent})") for exponent in exponents.split(", ")]
    assert not any(same_function(left, right) for left, right in combinations(powers, 2))


def test_a_fingerprint_is_the_same_on_every_machine():
    expected = (122072407745022173, 507831722934334336999813048, 5233379637837400086844444899007)
    assert fingerprint(parse("N0+1")) == expected


def test_the_deepest_tree_has_a_fingerprint():
    assert fingerprint(from_prefix(["+"] * 199 + ["1"] * 200)) == (200, 200, 200)


@many
@given(expressions())
def test_no_expression_breaks_the_fingerprint(expression):
    values = fingerprint(expression)
    assert values is None or hash(values) == hash(fingerprint(expression))


# The slow plain twin: sympy's own algebra.
def in_sympy(expression):
    """The reduced rational function; None if a divisor is 0 whatever the quantities are."""
    if isinstance(expression, Quantity):
        return sympy.Symbol(f"N{expression.index}")
    if isinstance(expression, Constant):
        return sympy.Rational(expression.value.numerator, expression.value.denominator)
    left, right = in_sympy(expression.left), in_sympy(expression.right)
    if left is None or right is None or (expression.operator == "/" and right == 0):
        return None
    parts = {"+": left + right, "-": left - right, "*": left * right}
    return sympy.cancel(left / right if expression.operator == "/" else parts[expression.operator])


def classes(trees, key):
    groups = defaultdict(set)
    for tree in trees:
        groups[key(tree)].add(tree)
    return {frozenset(group) for group in groups.values()}


def test_fingerprints_sort_all_trees_of_up_to_three_leaves_as_sympy_does():
    leaves = [Quantity(0), Quantity(1), ONE]
    pairs = [Operation(operator, left, right) for operator, left, right in product("+-*/", leaves, leaves)]
    triples = [Operation(operator, pair, leaf) for operator, pair, leaf in product("+-*/", pairs, leaves)]
    triples += [Operation(operator, leaf, pair) for operator, pair, leaf in product("+-*/", pairs, leaves)]
    trees = leaves + pairs + triples
    assert classes(trees, fingerprint) == classes(trees, in_sympy)


@few
@given(*[expressions(operators=("+", "-", "*", "/"), max_leaves=4)] * 3)
def test_equality_agrees_with_sympy(left, right, factor):
    distributed = Operation("+", Operation("*", left, factor), Operation("*", right, factor))
    bracketed = Operation("*", Operation("+", left, right), factor)
    for one, other in [(left, right), (bracketed, distributed), (bracketed, left)]:
        difference = in_sympy(Operation("-", one, other))
        assert same_function(one, other) == (difference is not None and sympy.simplify(difference) == 0)
