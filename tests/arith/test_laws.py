import pytest
from hypothesis import given

from mwp.arith.augmentation import rewrites, variants
from mwp.arith.equality import canonical, same_function
from mwp.arith.expressions import evaluate
from mwp.arith.notation import parse, to_infix

from .strategies import many, numbers, with_small_powers


def rewritten(text):
    return [to_infix(result) for result in rewrites(parse(text))]


@pytest.mark.parametrize(
    ("text", "results"),
    [
        ("N0+N1", ["N1+N0"]),
        ("N0+N1-N2", ["N0-N2+N1", "N1+N0-N2"]),
        ("N0-N1-N2", ["N0-N2-N1"]),
        ("N0-N2+N1", ["N1+(N0-N2)", "N0+N1-N2"]),
        ("N0*N1", ["N1*N0"]),
        ("N0*N1/N2", ["N0/N2*N1", "N1*N0/N2"]),
        ("N0/N2*N1", ["N1*(N0/N2)", "N0*N1/N2"]),
        ("N0/N1/N2", ["N0/N2/N1"]),
    ],
)
def test_the_four_rules_of_the_paper(text, results):
    assert rewritten(text) == results


@pytest.mark.parametrize(
    "text", ["N0", "1", "N0-N1", "N0/N1", "N0^N1", "N0^N1^N2", "N0-(N1-N2)", "N0/(N1/N2)", "(N0-N1)/N2", "N0/N1-N2"]
)
def test_no_rule_fits_elsewhere(text):
    assert rewritten(text) == []


def test_partial_solutions_are_rewritten_too():
    assert rewritten("(N0+1)^2/(N1*N2)") == ["(1+N0)^2/(N1*N2)", "(N0+1)^2/(N2*N1)"]


def test_a_product_moves_as_one_term():
    assert rewritten("N0*N1+N2") == ["N2+N0*N1", "N1*N0+N2"]


def test_changing_places_with_an_equal_is_no_rewrite():
    assert rewritten("N0+N0") == rewritten("N0-N1-N1") == rewritten("N0/N1/N1") == []


def test_the_papers_solution_has_these_variants():
    assert [to_infix(variant) for variant in variants(parse("25+20-(40-10)"), limit=9)] == [
        "25-(40-10)+20",
        "20+25-(40-10)",
        "20+(25-(40-10))",
        "20-(40-10)+25",
        "25+(20-(40-10))",
    ]


def test_no_more_variants_come_than_the_cap():
    every = variants(parse("N0+N1-N2+N3"), limit=999)
    assert [len(variants(parse("N0+N1-N2+N3"), cap)) for cap in (-1, 0, 1, 5)] == [0, 0, 1, 5]
    assert variants(parse("N0+N1-N2+N3"), limit=5) == every[:5]


def test_21_addends_are_no_trouble():
    sum_of_all = parse("+".join(f"N{i}" for i in range(21)))
    assert len(set(variants(sum_of_all, limit=50))) == 50


def closure(expression):
    """The slow plain twin: all trees that the rules reach."""
    reached = {expression}
    while more := {result for tree in reached for result in rewrites(tree)} - reached:
        reached |= more
    return reached


@pytest.mark.parametrize("text", ["N0", "N0+N0", "N0+N1-N2-N3", "N0*N1/N2-N3+1", "(N0+N1)*(N2-N3)/N4", "N0/N1/N2*N3"])
def test_without_a_cap_the_variants_are_the_closure(text):
    expression = parse(text)
    found = variants(expression, limit=10**6)
    assert len(found) == len(set(found))
    assert {expression, *found} == closure(expression)


@many
@given(with_small_powers())
def test_rewrites_are_distinct_and_new(expression):
    results = list(rewrites(expression))
    assert len({expression, *results}) == len(results) + 1


@many
@given(with_small_powers(max_leaves=4))
def test_every_rewrite_can_be_undone(expression):
    assert all(expression in rewrites(result) for result in rewrites(expression))


@many
@given(with_small_powers(), numbers)
def test_every_rewrite_keeps_the_value(expression, values):
    value = evaluate(expression, values)
    assert all(evaluate(result, values) == value for result in rewrites(expression))


@many
@given(with_small_powers())
def test_every_rewrite_keeps_the_function(expression):
    has_value = same_function(expression, expression)
    assert all(same_function(expression, result) == has_value for result in rewrites(expression))


@many
@given(with_small_powers())
def test_every_variant_is_equal_modulo_the_laws(expression):
    assert {canonical(variant) for variant in variants(expression, limit=20)} <= {canonical(expression)}
