"""The random walk of LBF, with models that are one table each."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from math import log
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mwp.arith.expressions import OPERATORS
from mwp.arith.notation import Solution
from mwp.data.soundness import gives_answer
from mwp.training.lbf.drafts import Draft, LogProbs
from mwp.training.lbf.one_fix import one_fix
from mwp.training.lbf.walk import resampled, walk_all
from tests.arith.strategies import few
from tests.training.drafting import as_problem, draft, drafts, flat_table, tokens

TWO_CHANGES = draft("+ N0 N1", [3, 7], 49)  # 7*7
DEEPER = draft("+ * N0 N0 N1", [3, 7], 42)  # (3+3)*7
HOPELESS = draft("+ * N0 N1 N1", [3, 5], 1000)


class OneTable:
    """The same table at each node of each tree; keeps what it was asked."""

    def __init__(self, table: LogProbs) -> None:
        self.table = table
        self.calls: list[tuple[list[Solution], list[int]]] = []

    def __call__(self, solutions: Sequence[Solution], problem_index: Sequence[int]) -> list[tuple[LogProbs, ...]]:
        self.calls.append((list(solutions), list(problem_index)))
        return [(self.table,) * len(solution) for solution in solutions]


def flat(count: int) -> OneTable:
    return OneTable(flat_table(count))


def kinds(solution: Solution) -> list[bool]:
    return [token in OPERATORS for token in solution]


def rngs(count: int) -> list[Random]:
    return [Random(seed) for seed in range(count)]


@pytest.mark.parametrize("wanted", [TWO_CHANGES, DEEPER])
def test_walks_solve_what_needs_two_changes(wanted: Draft) -> None:
    assert one_fix(wanted) is None
    found = [fix for fix in walk_all([wanted] * 50, flat(2), rngs(50), 50) if fix]
    assert len(found) > 25
    for fix in found:
        assert gives_answer(fix.solution, as_problem(wanted))
        assert kinds(fix.solution) == kinds(wanted.tokens)


def test_the_same_seeds_walk_the_same_way() -> None:
    models = [flat(2), flat(2)]
    first, second = (walk_all([DEEPER] * 3, model, rngs(3), rounds=20) for model in models)
    assert first == second
    assert models[0].calls == models[1].calls


def test_company_changes_nothing() -> None:
    many = [TWO_CHANGES, draft("+ N0 N1", [3, 7], 10), HOPELESS, TWO_CHANGES]
    together = walk_all(many, flat(2), rngs(4), rounds=20)
    assert together == [walk_all([each], flat(2), [rng], 20)[0] for each, rng in zip(many, rngs(4), strict=True)]
    assert [fix is None for fix in together] == [False, False, True, False]


def test_a_draft_that_one_change_or_none_fixes_does_not_walk() -> None:
    model = flat(2)
    found = walk_all([draft("+ N0 N1", [3, 5], 15), draft("+ N0 N1", [3, 5], 8)], model, rngs(2), 50)
    assert [fix.solution for fix in found if fix] == [tokens("* N0 N1"), tokens("+ N0 N1")]
    assert not model.calls


def test_a_walk_gives_up_after_its_rounds() -> None:
    model = flat(2)
    assert walk_all([HOPELESS] * 3, model, rngs(3), rounds=7) == [None] * 3
    assert len(model.calls) == 7
    assert walk_all([HOPELESS], model, rngs(1), rounds=0) == [None]
    assert len(model.calls) == 7


def test_each_round_asks_the_model_once_for_the_unsolved_that_moved() -> None:
    model = flat(2)
    walk_all([HOPELESS, draft("+ N0 N1", [3, 5], 8), HOPELESS], model, rngs(3), rounds=20)
    assert {tuple(problem_index) for _, problem_index in model.calls} == {(0, 2), (0,), (2,)}
    assert all(len(solutions) == len(problem_index) for solutions, problem_index in model.calls)


def test_without_drafts_nobody_is_asked() -> None:
    model = flat(1)
    assert walk_all([], model, [], 50) == []
    assert not model.calls


@few
@given(drafts(), st.integers(0, 9))
def test_the_shape_stays_and_the_symbols_are_those_of_the_problem(draft: Draft, seed: int) -> None:
    drawn = resampled(draft, Random(seed))
    assert kinds(drawn) == kinds(draft.tokens)
    assert set(drawn) <= set(draft.symbol_log_probs[0])


def test_tokens_are_drawn_as_the_model_weighs_those_of_their_kind() -> None:
    # All leaves together have less probability than a float can hold; the operators have the rest.
    table = flat_table(2, **{"1": -800.0, "3.14": -900.0, "N0": -750.0, "N1": -750.0 + log(3)})
    wanted, rng = Draft(("N0",), (table,), (Fraction(3), Fraction(5)), Fraction(9)), Random(1)
    counts = Counter(resampled(wanted, rng)[0] for _ in range(2000))
    assert set(counts) == {"N0", "N1"}
    assert counts["N1"] / 2000 == pytest.approx(0.75, abs=0.03)


def test_half_normal_many_tokens_are_drawn_and_one_at_least() -> None:
    # Whatever is drawn changes, so changes count draws; |N(0,1)| is below 1.5 for 86.6 %, below 2.5 for 98.8 %.
    other = {"+": 0.0, "-": -900.0, "N0": -900.0, "N1": 0.0}
    wanted = Draft(tokens("- N0 - N0 - N0 - N0 N0"), (other,) * 9, (Fraction(3), Fraction(5)), Fraction(1))
    rng = Random(1)
    changes = Counter(
        sum(new != old for new, old in zip(resampled(wanted, rng), wanted.tokens, strict=True)) for _ in range(3000)
    )
    assert 0 not in changes
    assert changes[1] / 3000 == pytest.approx(0.866, abs=0.02)
    assert changes[2] / 3000 == pytest.approx(0.121, abs=0.02)


@pytest.mark.parametrize(("new", "share"), [(-1.0, 1.0), (-2.0, 1.0), (-2.0 - log(4), 0.25), (-900.0, 0.0)])
def test_metropolis_accepts_by_the_ratio_of_the_probabilities_of_the_trees(new: float, share: float) -> None:
    """The only step is from + to *, whose tree is fixable: who is solved after a round has been accepted."""
    left, right = {"N0": 0.0, "N1": -900.0}, {"N0": -900.0, "N1": 0.0}
    operators = {"+": -2.0, "*": 900.0}
    wanted = Draft(
        TWO_CHANGES.tokens,
        (operators | left, operators | left, operators | right),
        TWO_CHANGES.numbers,
        TWO_CHANGES.answer,
    )
    model = OneTable({"+": 0.0, "*": new, "N0": 0.0, "N1": 0.0})
    fixes = walk_all([wanted] * 1500, model, rngs(1500), rounds=1)
    moved = len(model.calls[0][1])
    assert moved > 400
    assert sum(fix is not None for fix in fixes) / moved == pytest.approx(share, abs=0.03)
