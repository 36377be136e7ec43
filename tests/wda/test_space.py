"""The enumeration of the plausible space against the exhaustive twin."""

from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given, settings

from mwp.arith.equality import canonical, fingerprint
from mwp.arith.expressions import Expression, evaluate
from mwp.arith.notation import parse, to_infix
from mwp.wda.space import enumerate_space
from mwp.wda.tasks import Task, expression_at
from tests.wda import plain
from tests.wda.problems import task, tasks

NO_LIMIT = 10**9
THREES = [Fraction(3)] * 5
PRIMES = [Fraction(7), Fraction(11), Fraction(13), Fraction(17), Fraction(19)]


def hits(one: Task, max_expressions: int = NO_LIMIT) -> list[Expression]:
    table, found, _ = enumerate_space(one.values, one.quantities, one.answer, one.tolerance, max_expressions)
    return [expression_at(table, entry, one.quantities) for entry in found]


def functions(expressions: list[Expression]) -> set[object]:
    """As functions of the N_i; those that do not depend on any, such as N0/3.14/N0, are no solutions at all."""
    return {fingerprint(found) for found in expressions if evaluate(found, THREES) != evaluate(found, PRIMES)}


@given(one=tasks(most=1))
@settings(max_examples=8, deadline=None)
def test_one_quantity_gives_every_function_of_the_space_and_no_other(one: Task) -> None:
    assert functions(hits(one)) == functions(plain.space_hits(one))


@pytest.mark.parametrize(
    ("text", "answer"), [("2米，11棵", "20"), ("25%的16千克", "4"), ("(1/3)与12个", "8"), ("半径5米，高2米", "157")]
)
def test_two_quantities_give_every_function_of_the_space_and_no_other(text: str, answer: str) -> None:
    one = task(text, answer)
    assert functions(hits(one)) == functions(plain.space_hits(one))


@given(one=tasks(most=3))
@settings(max_examples=25, deadline=None)
def test_expressions_equal_by_commutativity_and_associativity_come_once(one: Task) -> None:
    forms = Counter(canonical(found) for found in hits(one))
    assert not [form for form, count in forms.items() if count > 1]


def test_five_quantities_and_a_constant_are_searched_completely() -> None:
    wages = task("每天211元，做了13天，奖金307元，扣了17元，19人分，组长拿两份，每份多少元", "151.65")
    assert functions(hits(wages)) >= functions([parse("(N0*N1+N2-N3)/(N4+1)")])


def test_a_bare_quantity_is_a_hit() -> None:
    assert to_infix(hits(task("有37个苹果", "37"))[0]) == "N0"


def test_the_budget_bounds_the_tries() -> None:
    one = task("11个，23个，37个，59个，83个", "1.25")
    _, _, tried = enumerate_space(one.values, one.quantities, one.answer, one.tolerance, 5_000)
    assert tried == 5_000


def test_twenty_four_numbers_end_within_the_budget() -> None:
    one = task("，".join(f"{i + 100}个" for i in range(24)), "77")
    _, _, tried = enumerate_space(one.values, one.quantities, one.answer, one.tolerance, 200_000)
    assert tried == 200_000
