"""Hypotheses that are equal modulo the laws of arithmetic as one answer."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mwp.arith.equality import same_function
from mwp.arith.notation import parse, to_prefix
from mwp.inference.predictions import Hypothesis, MergedHypothesis, make_hypothesis, merge
from tests.arith.strategies import few
from tests.evaluation.toys import APPLES

SOLUTIONS = ["N0+N1", "N1+N0", "N0-N1", "N0+N1*1", "(N0+N1)^2", "N0*N0+2*N0*N1+N1*N1", "N0^N1", "N1/(N0-N0)", "N0"]
pairs = st.lists(st.tuples(st.sampled_from(SOLUTIONS), st.floats(-800, 0)), max_size=8)


def made(solution: str, log_prob: float) -> Hypothesis:
    return make_hypothesis(to_prefix(parse(solution)), log_prob, APPLES)


def plainly_merged(hypotheses: list[Hypothesis]) -> list[MergedHypothesis]:
    """Every hypothesis against the first of each group."""
    groups: list[list[Hypothesis]] = []
    for one in hypotheses:
        home = [group for group in groups if same_function(one.expression, group[0].expression)]
        home[0].append(one) if home else groups.append([one])
    merged = []
    for group in groups:
        best = sorted(group, key=lambda one: -one.log_prob)
        total = math.log(sum(math.exp(one.log_prob - best[0].log_prob) for one in best)) + best[0].log_prob
        merged.append(MergedHypothesis(tuple(best), total))
    return sorted(merged, key=lambda group: -group.log_prob)


def test_equal_hypotheses_add_up_and_may_overtake_the_first() -> None:
    first, second = merge([made("N0*N1", math.log(0.4)), made("N0+N1", math.log(0.3)), made("N1+N0", math.log(0.2))])
    assert first.best.solution == ("+", "N0", "N1")
    assert [one.solution for one in first.members] == [("+", "N0", "N1"), ("+", "N1", "N0")]
    assert first.probability == pytest.approx(0.5)
    assert second.probability == pytest.approx(0.4)


def test_the_most_probable_member_speaks_for_its_group() -> None:
    assert merge([made("N0+N1", -2.0), made("N1+N0", -1.0)])[0].best.solution == ("+", "N1", "N0")


def test_hypotheses_without_a_value_anywhere_are_equal_to_none() -> None:
    assert len(merge([made("N0/(N1-N1)", -1.0), made("N0/(N1-N1)", -1.0)])) == 2


def test_improbable_hypotheses_still_have_an_order() -> None:
    groups = merge([made("N0*N1", -2000.0), made("N0+N1", -1999.0), made("N1+N0", -3000.0)])
    assert [group.best.solution[0] for group in groups] == ["+", "*"]


def test_no_hypotheses_make_no_groups() -> None:
    assert merge([]) == []


@few
@given(pairs)
def test_merging_is_comparing_each_with_each(found: list[tuple[str, float]]) -> None:
    hypotheses = [made(solution, log_prob) for solution, log_prob in found]
    groups = merge(hypotheses)
    assert sum(len(group.members) for group in groups) == len(hypotheses)
    assert [group.members for group in groups] == [group.members for group in plainly_merged(hypotheses)]
