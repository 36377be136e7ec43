from dataclasses import FrozenInstanceError
from fractions import Fraction

import pytest
from hypothesis import given

from mwp.arith.expressions import ONE, OPERATORS, PI, Constant, Operation, Quantity, leaves, nodes, operator_count

from .strategies import expressions, many

N0, N1 = Quantity(0), Quantity(1)
DIFFERENCE = Operation("-", N1, ONE)
PRODUCT = Operation("*", DIFFERENCE, N0)


def test_there_are_five_operators():
    assert "".join(OPERATORS) == "+-*/^"


def test_pi_is_exactly_3_14():
    assert PI.value == Fraction(314, 100)


def test_nodes_come_in_prefix_order():
    assert list(nodes(PRODUCT)) == [PRODUCT, DIFFERENCE, N1, ONE, N0]


def test_leaves_come_from_left_to_right():
    assert leaves(PRODUCT) == [N1, ONE, N0]


def test_a_leaf_is_its_own_only_node():
    assert list(nodes(N0)) == leaves(N0) == [N0]


def test_equal_trees_are_one_key():
    again = Operation("*", Operation("-", Quantity(1), Constant(Fraction(1))), Quantity(0))
    assert len({PRODUCT, again}) == 1


def test_a_quantity_is_not_the_constant_of_its_index():
    assert Quantity(1) != ONE


def test_a_tree_cannot_be_changed():
    with pytest.raises(FrozenInstanceError):
        PRODUCT.operator = "+"


@many
@given(expressions())
def test_a_tree_has_one_leaf_more_than_operators(expression):
    assert len(leaves(expression)) == operator_count(expression) + 1
