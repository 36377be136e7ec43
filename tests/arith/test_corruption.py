from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mwp.arith.augmentation import corrupt
from mwp.arith.expressions import OPERATORS
from mwp.arith.notation import from_prefix, parse, to_prefix

from .strategies import expressions, many

TOKENS = to_prefix(parse("(N1-1)*N0"))
LEAVES = ("N0", "N1", "N2", "1", "3.14")


def changes(tokens, corrupted):
    return [position for position, token in enumerate(tokens) if corrupted[position] != token]


@many
@given(
    expressions(),
    st.lists(st.sampled_from(LEAVES), min_size=2, unique=True),
    st.floats(0, 1),
    st.randoms(use_true_random=False),
)
def test_a_corrupted_solution_is_complete_and_never_the_original(expression, leaves, rate, rng):
    corrupted = corrupt(to_prefix(expression), leaves, rate, rng, OPERATORS)
    assert to_prefix(from_prefix(corrupted)) == corrupted
    assert from_prefix(corrupted) != expression


@many
@given(expressions(), st.randoms(use_true_random=False))
def test_an_operator_stays_an_operator_and_a_leaf_a_leaf(expression, rng):
    tokens = to_prefix(expression)
    corrupted = corrupt(tokens, LEAVES, 0.5, rng)
    assert [token in OPERATORS for token in corrupted] == [token in OPERATORS for token in tokens]
    changed = {corrupted[position] for position in changes(tokens, corrupted)}
    assert changed <= {"+", "-", "*", "/", *LEAVES}


def test_a_power_appears_only_if_the_vocabulary_has_it():
    rng = Random(0)
    assert not any("^" in corrupt(TOKENS, LEAVES, 1, rng) for _ in range(100))
    assert any("^" in corrupt(TOKENS, LEAVES, 1, rng, OPERATORS) for _ in range(100))


def test_a_power_is_changed_even_if_the_vocabulary_lacks_it():
    assert corrupt(("^", "N0", "N0"), ["N0"], 0, Random(0))[0] in "+-*/"


def test_rate_0_changes_exactly_one_token_anywhere():
    changed = Counter()
    rng = Random(0)
    for _ in range(1000):
        (position,) = changes(TOKENS, corrupt(TOKENS, LEAVES, 0, rng))
        changed[position] += 1
    assert set(changed) == set(range(5))
    assert all(150 < count < 250 for count in changed.values())


def test_rate_1_changes_every_token():
    assert changes(TOKENS, corrupt(TOKENS, LEAVES, 1, Random(0))) == [0, 1, 2, 3, 4]


def test_the_rate_is_the_share_of_changed_tokens():
    tokens = ("+",) * 199 + ("N0",) * 200
    rng = Random(0)
    changed = sum(len(changes(tokens, corrupt(tokens, LEAVES, 0.1, rng))) for _ in range(100))
    assert abs(changed / (100 * len(tokens)) - 0.1) < 0.01


def test_every_other_token_can_come():
    rng = Random(0)
    assert {corrupt(["N0"], LEAVES, 0.1, rng) for _ in range(200)} == {(leaf,) for leaf in LEAVES if leaf != "N0"}
    assert {corrupt(["+", "N0", "N0"], ["N0"], 0.1, rng)[0] for _ in range(200)} == {"-", "*", "/"}


def test_the_same_seed_corrupts_alike():
    assert corrupt(TOKENS, LEAVES, 0.5, Random(7)) == corrupt(TOKENS, LEAVES, 0.5, Random(7))


@pytest.mark.parametrize("leaves", [[], ["N0"], ["N0", "N0"]])
def test_a_lone_leaf_without_another_cannot_be_corrupted(leaves):
    with pytest.raises(ValueError, match=r"^no token of 'N0' can be changed: no other leaf or operator is given$"):
        corrupt(["N0"], leaves, 0.1, Random(0))
