"""Two runs, paired."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from mwp.errors import BadInput
from mwp.evaluation.statistics import compare, mcnemar
from tests.arith.strategies import many

runs = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=40)


def run(*rights: bool) -> dict[str, bool]:
    return {str(number): right for number, right in enumerate(rights)}


def test_the_count_table_by_hand() -> None:
    table = compare(run(True, True, True, True, False, False), run(True, False, False, False, True, False))
    assert (table.problems, table.both, table.only_a, table.only_b, table.neither) == (6, 1, 3, 1, 1)
    assert (table.a.value, table.b.value) == (4 / 6, 2 / 6)
    assert table.difference.value == 2 / 6
    # Of 4 tosses, 3 to 1 or more uneven: (1 + 4) * 2 / 16.
    assert table.p_value == 0.625


def test_problems_are_matched_by_id_not_by_place() -> None:
    a, b = {"x": True, "y": False}, {"y": False, "x": True}
    assert compare(a, b).both == 1
    assert compare(a, b).difference.model_dump() == {"value": 0, "low": 0, "high": 0}


def test_a_paired_difference_is_surer_than_its_parts() -> None:
    rng = random.Random(3)
    b = {str(number): rng.random() < 0.6 for number in range(500)}
    a = b | dict.fromkeys(rng.sample(sorted(b), 25), True)
    table = compare(a, b)
    assert table.difference.low > 0
    assert table.a.low < table.b.high
    assert table.p_value < 0.01


@many
@given(runs)
def test_the_table_adds_up_and_turns_round(pairs: list[tuple[bool, bool]]) -> None:
    a, b = run(*(left for left, _ in pairs)), run(*(right for _, right in pairs))
    table, turned = compare(a, b), compare(b, a)
    assert table.both + table.only_a + table.only_b + table.neither == table.problems == len(pairs)
    assert table.difference.value == pytest.approx(table.a.value - table.b.value)
    assert table.difference.value == -turned.difference.value
    assert (table.only_a, table.p_value) == (turned.only_b, turned.p_value)
    assert table.difference.low <= table.difference.value <= table.difference.high


@many
@given(st.integers(0, 60), st.integers(0, 60))
def test_the_p_value_is_that_of_the_exact_binomial_test(only_a: int, only_b: int) -> None:
    expected = binomtest(only_a, only_a + only_b).pvalue if only_a + only_b else 1.0
    assert mcnemar(only_a, only_b) == pytest.approx(expected)


def test_the_p_value_of_thousands_of_problems_is_a_number() -> None:
    assert mcnemar(2_500, 2_500) == 1
    assert 0 <= mcnemar(0, 5_000) < 1e-300


def test_runs_on_other_problems_are_refused_with_how_many_and_an_example() -> None:
    with pytest.raises(BadInput) as error:
        compare({"1": True, "2": True, "3": False}, {"3": True, "4": True})
    assert str(error.value) == (
        "expected two runs on the same problems, found 2 problems only in the first and 1 only in the second, "
        "e.g. '1'; compare runs on one test part"
    )
    with pytest.raises(BadInput) as error:
        compare({}, {})
    assert str(error.value) == "expected two runs on the same problems, found no problem in either"
