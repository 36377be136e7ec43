from collections import defaultdict
from itertools import permutations, product

import pytest
from hypothesis import given

from mwp.arith.equality import canonical, fingerprint
from mwp.arith.expressions import ONE, Operation, Quantity
from mwp.arith.notation import from_prefix, parse

from .strategies import expressions, many


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("N0+N1", "N1+N0"),
        ("25+20-(40-10)", "25+20-40+10"),
        ("25+20-(40-10)", "10+25+20-40"),
        ("N0-(N1-N2)", "N0-N1+N2"),
        ("N0-(N1+N2)", "N0-N2-N1"),
        ("N0/(N1/N2)", "N2*N0/N1"),
        ("N0/N1/N2", "N0/(N2*N1)"),
        ("N0*(N1+N2)/N3", "(N2+N1)/N3*N0"),
        ("(N0+N1)^(N2*2)", "(N1+N0)^(2*N2)"),
    ],
)
def test_solutions_equal_modulo_the_laws_share_a_form(left, right):
    assert canonical(parse(left)) == canonical(parse(right))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("25+20-(40-10)", "25-10"),
        ("N0-N1", "N1-N0"),
        ("N0^N1", "N1^N0"),
        ("(N0^N1)^N2", "N0^(N1^N2)"),
        ("N0*(N1+N2)", "N0*N1+N0*N2"),
        ("N0+N1-N1", "N0"),
        ("N0*N1/N1", "N0"),
        ("N0*1", "N0"),
        ("N0^2", "N0*N0"),
        ("(N0-N1)*(N2-N3)", "(N1-N0)*(N3-N2)"),
        ("N1", "1"),
        ("N0*157/50/2", "N0*3.14/2"),
        ("N0+1-0.5", "N0+0.5"),
    ],
)
def test_nothing_cancels_and_nothing_is_multiplied_out(left, right):
    assert canonical(parse(left)) != canonical(parse(right))


def test_the_form_lists_signed_terms_and_divisors():
    assert canonical(parse("N0-(N1-N2)")) == "(+N0+N2-N1)"
    assert canonical(parse("N2/(N1/3.14)*(N0+1)")) == "(*(+1+N0)*3.14*N2/N1)"
    assert canonical(parse("(N1+N0)^2")) == "((+N0+N1)^2)"


# The slow plain twin: the elementary laws, one step at a time and in both directions.
ASSOCIATIVITY = {
    ("+", "+"): ("+", "+"),  # (a+b)+c = a+(b+c)
    ("+", "-"): ("+", "-"),  # (a+b)-c = a+(b-c)
    ("-", "+"): ("-", "-"),  # (a-b)+c = a-(b-c)
    ("-", "-"): ("-", "+"),  # (a-b)-c = a-(b+c)
    ("*", "*"): ("*", "*"),
    ("*", "/"): ("*", "/"),
    ("/", "*"): ("/", "/"),
    ("/", "/"): ("/", "*"),
}


def one_law_away(node):
    """Trees by commutativity and by associativity from left to right; the way back is the other tree's step."""
    if not isinstance(node, Operation):
        return
    if node.operator in "+*":
        yield Operation(node.operator, node.right, node.left)
    if isinstance(node.left, Operation) and (node.left.operator, node.operator) in ASSOCIATIVITY:
        outer, inner = ASSOCIATIVITY[node.left.operator, node.operator]
        yield Operation(outer, node.left.left, Operation(inner, node.left.right, node.right))
    yield from (Operation(node.operator, left, node.right) for left in one_law_away(node.left))
    yield from (Operation(node.operator, node.left, right) for right in one_law_away(node.right))


def classes_by_laws(trees):
    neighbours = defaultdict(set)
    for tree in trees:
        for other in one_law_away(tree):
            neighbours[tree].add(other)
            neighbours[other].add(tree)
    unvisited = set(trees)
    while unvisited:
        found = pending = {unvisited.pop()}
        while pending:
            pending = {other for tree in pending for other in neighbours[tree]} - found
            found = found | pending
        unvisited -= found
        yield frozenset(found)


def classes_by_form(trees):
    by_form = defaultdict(set)
    for tree in trees:
        by_form[canonical(tree)].add(tree)
    return {frozenset(group) for group in by_form.values()}


def trees_over(leaves, operators):
    """Every tree with these leaves in this order."""
    if len(leaves) == 1:
        return list(leaves)
    return [
        Operation(operator, left, right)
        for split in range(1, len(leaves))
        for left in trees_over(leaves[:split], operators)
        for right in trees_over(leaves[split:], operators)
        for operator in operators
    ]


def assert_forms_are_classes(orders, operators):
    trees = [tree for leaves in orders for tree in trees_over(leaves, operators)]
    assert classes_by_form(trees) == set(classes_by_laws(trees))


N0, N1, N2 = Quantity(0), Quantity(1), Quantity(2)


def test_forms_are_the_classes_of_all_trees_of_up_to_three_leaves():
    for count in (1, 2, 3):
        assert_forms_are_classes(set(product([N0, N1, ONE], repeat=count)), "+-*/^")


@pytest.mark.parametrize("leaves", [(N0, N1, N2, ONE), (N0, N0, N1, ONE), (N0, N0, N1, N1)])
def test_forms_are_the_classes_of_all_trees_of_four_leaves(leaves):
    assert_forms_are_classes(set(permutations(leaves)), "+-*/")


@many
@given(expressions())
def test_one_law_never_changes_the_form(expression):
    assert {canonical(other) for other in one_law_away(expression)} <= {canonical(expression)}


@many
@given(expressions(operators=("+", "-", "*", "/")))
def test_one_law_never_changes_a_function_that_stays_defined(expression):
    defined = [tree for tree in (expression, *one_law_away(expression)) if fingerprint(tree)]
    assert len({fingerprint(tree) for tree in defined}) <= 1


def test_the_deepest_trees_have_a_form():
    assert canonical(from_prefix(["+", "1"] * 199 + ["1"])) == f"({'+1' * 200})"
    assert canonical(from_prefix(["^"] * 199 + ["N0"] * 200)).count("^") == 199
