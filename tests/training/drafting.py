"""Drafts for tests of LBF: by hand with a table that is mostly flat, and random ones."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from hypothesis import strategies as st

from mwp.arith.expressions import OPERATORS, evaluate
from mwp.arith.notation import Solution, from_prefix, to_prefix
from mwp.data.problems import Number, Problem
from mwp.data.vocabulary import CONSTANT_TOKENS
from mwp.training.lbf.drafts import Draft, LogProbs
from tests.arith.strategies import expressions

small_numbers = st.lists(
    st.integers(-3, 12).map(Fraction) | st.sampled_from([Fraction(1, 2), Fraction(2, 3), Fraction("0.25")]),
    min_size=5,
    max_size=5,
)


def tokens(text: str) -> Solution:
    return tuple(text.split())


def flat_table(count: int, **changes: float) -> LogProbs:
    return dict.fromkeys(symbols(count), -2.0) | changes


def symbols(count: int) -> list[str]:
    return [*OPERATORS, *CONSTANT_TOKENS, *(f"N{index}" for index in range(count))]


def draft(
    text: str, numbers: Sequence[int | str], answer: int | str, changes: Mapping[int, Mapping[str, float]] | None = None
) -> Draft:
    """All symbols are equally probable but for `changes`, by place and symbol."""
    written, found = tokens(text), tuple(map(Fraction, numbers))
    symbol_log_probs = tuple(
        {**flat_table(len(found)), **(changes or {}).get(position, {})} for position in range(len(written))
    )
    return Draft(written, symbol_log_probs, found, Fraction(answer))


def as_problem(draft: Draft) -> Problem:
    numbers = tuple(Number(spelling=str(value), value=value, start=0, end=0) for value in draft.numbers)
    return Problem(
        id="1",
        source="toys",
        text="",
        tokens=(),
        numbers=numbers,
        answer=draft.answer,
        answer_spelling=str(draft.answer),
    )


def single_changes(draft: Draft) -> list[tuple[int, str]]:
    """Every other operator at each operator, every other leaf at each leaf."""
    return [
        (position, new)
        for position, old in enumerate(draft.tokens)
        for new in draft.symbol_log_probs[position]
        if new != old and (new in OPERATORS) == (old in OPERATORS)
    ]


def changed(solution: Solution, position: int, new: str) -> Solution:
    return (*solution[:position], new, *solution[position + 1 :])


@st.composite
def drafts(draw: st.DrawFn, operators: tuple[str, ...] = OPERATORS, max_leaves: int = 6) -> Draft:
    """The answer is often that of a changed draft, rounded or not, for else few could be fixed."""
    constants = st.sampled_from(CONSTANT_TOKENS).map(Fraction)
    solution = to_prefix(draw(expressions(constants, operators, max_leaves)))
    known = [symbol for symbol in symbols(5) if symbol not in OPERATORS or symbol in operators]
    symbol_log_probs = tuple(
        {symbol: draw(st.sampled_from([-0.25, -1.0, -2.0, -4.0, -8.0])) for symbol in known} for _ in solution
    )
    numbers = tuple(draw(small_numbers))
    unanswered = Draft(solution, symbol_log_probs, numbers, Fraction(0))
    target = changed(solution, *draw(st.sampled_from(single_changes(unanswered))))
    value = evaluate(from_prefix(target), numbers)
    if value is None or draw(st.integers(0, 4)) == 0:
        value = Fraction(draw(st.integers(-5, 20)))
    return Draft(solution, symbol_log_probs, numbers, draw(st.sampled_from([value, round(value, 2), round(value, 3)])))
