"""The compiled features and fingerprints against their plain twins."""

from hypothesis import given, settings

from mwp.arith.equality import fingerprint
from mwp.wda.features import NAMES, feature_counts
from mwp.wda.space import enumerate_space
from mwp.wda.tasks import Task, expression_at
from tests.wda import plain
from tests.wda.problems import task, tasks


@given(one=tasks(most=3))
@settings(max_examples=40, deadline=None)
def test_features_equal_the_plain_twins(one: Task) -> None:
    table, hits, _ = enumerate_space(one.values, one.quantities, one.answer, one.tolerance, 200_000)
    counts, _ = feature_counts(table, hits[:50], one)
    for row, entry in zip(counts, hits[:50], strict=True):
        expression = expression_at(table, entry, one.quantities)
        assert row.tolist() == plain.as_vector(plain.features(expression, one), NAMES)


@given(one=tasks(most=3))
@settings(max_examples=40, deadline=None)
def test_fingerprints_are_equal_exactly_for_equal_functions(one: Task) -> None:
    table, hits, _ = enumerate_space(one.values, one.quantities, one.answer, one.tolerance, 200_000)
    _, fast = feature_counts(table, hits[:80], one)
    exact = [fingerprint(expression_at(table, entry, one.quantities)) for entry in hits[:80]]
    pairs = set(zip(fast.tolist(), exact, strict=True))
    assert len(pairs) == len(set(fast.tolist())) == len(set(exact))


def test_names_are_unique() -> None:
    assert len(set(NAMES)) == len(NAMES)


def test_a_percent_off_a_price_is_one_less_a_part() -> None:
    one = task("一件衣服200元，降价25%，现在多少元？", "150")
    table, hits, _ = enumerate_space(one.values, one.quantities, one.answer, one.tolerance, 100_000)
    counts, _ = feature_counts(table, hits, one)
    rows = [dict(zip(NAMES, row, strict=True)) for row in counts]
    assert any(row["subtract one part"] == 1 and row["multiply count part"] == 1 and row["asked unit"] for row in rows)
