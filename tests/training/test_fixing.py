"""1-FIX against fixes known by hand and against the plain twin that tries every single change."""

from fractions import Fraction

import pytest
from hypothesis import given

from mwp.arith.expressions import evaluate
from mwp.arith.notation import from_prefix
from mwp.data.soundness import gives_answer
from mwp.training.lbf.drafts import Draft
from mwp.training.lbf.one_fix import ANYTHING, Change, Fix, TargetInterval, left_target, one_fix, right_target
from tests.arith.strategies import many
from tests.training.drafting import as_problem, changed, draft, drafts, single_changes, tokens


def plain_losses(draft: Draft) -> list[float]:
    """What every single change that gives the answer costs."""
    problem = as_problem(draft)
    return [
        draft.symbol_log_probs[position][draft.tokens[position]] - draft.symbol_log_probs[position][new]
        for position, new in single_changes(draft)
        if gives_answer(changed(draft.tokens, position, new), problem)
    ]


def best(
    text: str, numbers: list[int | str], answer: int | str, changes: dict[int, dict[str, float]] | None = None
) -> str | None:
    fix = one_fix(draft(text, numbers, answer, changes))
    return None if fix is None else " ".join(fix.solution)


# (2+3)*4 gives 20; 24 is (3+3)*4, (2+4)*4 or 2*3*4.
@pytest.mark.parametrize(
    ("position", "new", "expected"),
    [(2, "N1", "* + N1 N1 N2"), (3, "N2", "* + N0 N2 N2"), (1, "*", "* * N0 N1 N2")],
)
def test_of_several_fixes_the_one_that_loses_least_is_taken(position: int, new: str, expected: str) -> None:
    fix = one_fix(draft("* + N0 N1 N2", [2, 3, 4], 24, {position: {new: -1.5}}))
    assert fix == Fix(tokens(expected), Change(position, tokens("* + N0 N1 N2")[position], new, -0.5))


def test_among_equal_fixes_the_first_one_met_is_taken() -> None:
    assert best("* + N0 N1 N2", [2, 3, 4], 24) == "* * N0 N1 N2"


def test_of_two_numbers_with_one_value_the_more_probable_is_taken() -> None:
    assert best("* N0 N1", [2, 3, 5, 5], 15, {1: {"N2": -5.0, "N3": -3.0}}) == "* N3 N1"


def test_a_fix_may_win_probability() -> None:
    fix = one_fix(draft("+ N0 N1", [3, 5], 15, {0: {"+": -4.0, "*": -0.5}}))
    assert fix is not None
    assert fix.change == Change(0, "+", "*", -3.5)


def test_a_draft_that_gives_the_answer_is_its_own_fix() -> None:
    assert one_fix(draft("+ N0 N1", [3, 5], 8)) == Fix(tokens("+ N0 N1"), None)


def test_two_changes_are_out_of_reach() -> None:
    assert one_fix(draft("+ N0 N0", [3, 7], 49)) is None


def test_a_single_leaf_is_a_tree() -> None:
    assert best("N0", [3, 7], 7) == "N1"
    assert best("N0", [3, 7], "3.14") == "3.14"
    assert one_fix(draft("N0", [3, 7], 8)) is None


def test_only_symbols_that_the_problem_has_are_used() -> None:
    wanted = draft("+ N0 N1", [3, 5], 2)
    less = [{symbol: p for symbol, p in table.items() if symbol != "-"} for table in wanted.symbol_log_probs]
    fix = one_fix(Draft(wanted.tokens, tuple(less), wanted.numbers, Fraction(-2)))
    assert fix is None
    assert best("+ N0 N1", [3, 5], -2) == "- N0 N1"


@pytest.mark.parametrize("answer", ["0.33", "0.333", "0.333333333333"])
def test_an_answer_may_be_rounded_within_the_tolerance_of_the_buffer(answer: str) -> None:
    assert best("* N0 N1", [1, 3], answer) == ("/ N0 N1" if answer != "0.33" else None)


def test_a_tolerance_grows_and_shrinks_on_its_way_down() -> None:
    # 1/1,000,000 counts as 0, which no quotient of these is.
    assert best("/ N0 N1", [1, 7, 1_000_000], 0, {0: {"-": -9.0}}) == "/ N0 N2"
    # 1,000,000 * 0.3334 is not 333,300; 1,000,000 * 0.3333 is.
    assert best("* N0 N1", [1_000_000, 7, "0.3334"], 333_300) is None
    assert best("* N0 N1", [1_000_000, 7, "0.3333"], 333_300) == "* N0 N2"


def test_an_undefined_draft_is_repaired_where_it_breaks() -> None:
    broken = "/ N1 - N0 N0"  # 8/(3-3)
    assert best(broken, [3, 8], 4) == "/ N1 - N0 1"
    assert best(broken, [3, 8], "8/6") == "/ N1 + N0 N0"
    assert best(broken, [3, 8], 8, {0: {"+": -1.0}}) == "+ N1 - N0 N0"
    assert best(broken, [3, 8], 5) is None


def test_beside_an_undefined_subtree_nothing_is_changed() -> None:
    assert one_fix(draft("+ / N0 - N0 N0 / N0 - N0 N0", [3, 8], 3)) is None


def test_beside_a_factor_of_zero_any_value_fits_an_answer_of_zero() -> None:
    # (3-3) * 5/(5-5): what repairs the quotient is as good as anything else.
    broken = "* - N0 N0 / N1 - N1 N1"
    assert best(broken, [3, 5], 0, {6: {"*": -1.0}}) == "* - N0 N0 / N1 * N1 N1"
    assert best(broken, [3, 5], 0, {7: {"N0": -1.0}}) == "* - N0 N0 / N1 - N0 N1"
    assert best(broken, [3, 5], 1) is None


def test_bases_and_exponents_are_fixed_too() -> None:
    assert best("^ N0 N1", [5, 2, 3], 9) == "^ N2 N1"
    assert best("^ N0 N1", [5, 2, 3], 125) == "^ N0 N2"
    assert best("- ^ N0 N1 N2", [2, 9, 4], 12) == "- ^ N0 N2 N2"
    assert best("- ^ + N0 N1 N1 N2", [2, 3, 4], 60) == "- ^ + 1 N1 N1 N2"
    assert best("^ N0 N1", [5, 2, 3], 7) == "+ N0 N1"
    assert best("^ N0 N1", [5, 2, 3], 14) is None


def test_powers_too_large_for_a_float_break_nothing() -> None:
    assert best("+ ^ N0 N1 ^ N0 N1", [10, 400], 1) == "/ ^ N0 N1 ^ N0 N1"
    assert best("+ ^ N0 N1 ^ N0 N1", [10, 400], 2) is None
    assert best("- ^ * N0 N0 N1 * N0 ^ N0 N1", [10, 400], 7) is None


@many
@given(drafts())
def test_a_fix_gives_the_answer_and_differs_where_it_says(draft: Draft) -> None:
    fix = one_fix(draft)
    if fix is None:
        return
    assert gives_answer(fix.solution, as_problem(draft))
    if fix.change is None:
        assert fix.solution == draft.tokens
    else:
        table = draft.symbol_log_probs[fix.change.position]
        assert fix.change.old == draft.tokens[fix.change.position] != fix.change.new
        assert fix.solution == changed(draft.tokens, fix.change.position, fix.change.new)
        assert fix.change.loss == table[fix.change.old] - table[fix.change.new]


@many
@given(drafts())
def test_nothing_changes_exactly_where_the_draft_is_right(draft: Draft) -> None:
    fix = one_fix(draft)
    assert (fix == Fix(draft.tokens, None)) == gives_answer(draft.tokens, as_problem(draft))


@pytest.mark.parametrize("operators", [("+", "-", "*", "/"), ("+", "-", "*", "/", "^"), ("-", "/"), ("*", "^")])
def test_no_fix_is_missed_and_none_is_cheaper(operators: tuple[str, ...]) -> None:
    seen = {"fixed": 0, "unfixed": 0}

    @many
    @given(drafts(operators))
    def check(draft: Draft) -> None:
        fix, losses = one_fix(draft), plain_losses(draft)
        if fix is None:
            seen["unfixed"] += 1
            assert not losses
        elif fix.change is not None:
            seen["fixed"] += 1
            assert fix.change.loss == min(losses)

    check()
    assert seen["fixed"] > 10
    assert seen["unfixed"] > 3


@many
@given(drafts(max_leaves=2))
def test_a_goal_holds_every_value_that_serves(draft: Draft) -> None:
    """For the operands of the root, with the value of the draft itself as the goal."""
    value = evaluate(from_prefix(draft.tokens), draft.numbers)
    if len(draft.tokens) != 3 or value is None:
        return
    operator = draft.tokens[0]
    left, right = (evaluate(from_prefix([token]), draft.numbers) for token in draft.tokens[1:])
    target = TargetInterval(value, value)
    assert left in left_target(target, operator, right)
    assert right in right_target(target, operator, left)


def test_goals_by_hand() -> None:
    target, two = TargetInterval(Fraction(6), Fraction(8)), Fraction(2)
    assert left_target(target, "+", two) == right_target(target, "+", two) == TargetInterval(Fraction(4), Fraction(6))
    assert left_target(target, "-", two) == TargetInterval(Fraction(8), Fraction(10))
    assert right_target(target, "-", two) == TargetInterval(Fraction(-6), Fraction(-4))
    assert left_target(target, "*", -two) == TargetInterval(Fraction(-4), Fraction(-3))
    assert left_target(target, "/", two) == TargetInterval(Fraction(12), Fraction(16))
    assert right_target(target, "/", two) == TargetInterval(Fraction(1, 4), Fraction(1, 3))


def test_goals_around_zero_by_hand() -> None:
    zero, target, around = (
        Fraction(0),
        TargetInterval(Fraction(1), Fraction(2)),
        TargetInterval(Fraction(-1), Fraction(1)),
    )
    assert left_target(target, "*", zero) is None
    assert left_target(around, "*", zero) is ANYTHING
    assert left_target(around, "/", zero) is None
    assert right_target(target, "/", zero) is None
    assert right_target(around, "/", zero) is ANYTHING
    assert left_target(target, "^", Fraction(1, 2)) is None
