"""Small problems for the search tests, by hand and by hypothesis."""

from fractions import Fraction

from hypothesis import strategies as st

from mwp.arith.expressions import ONE, PI, Expression, Operation, Quantity, evaluate
from mwp.arith.notation import to_prefix
from mwp.arith.numerals import print_numeral
from mwp.data.problems import Problem
from mwp.data.text import find_numbers, map_equation
from mwp.wda.tasks import Task, task_of


def problem(text: str, answer: str, equation: str | None = None) -> Problem:
    numbers = find_numbers(text)
    value = evaluate_answer(answer)
    gold = () if equation is None else tuple(to_prefix(reading) for reading in map_equation(equation, numbers))
    return Problem(
        id="1", source="test", text=text, tokens=(), numbers=numbers, answer=value, answer_spelling=answer, gold=gold
    )


def evaluate_answer(answer: str) -> Fraction:
    from mwp.arith.numerals import parse_numeral

    return parse_numeral(answer)


def task(text: str, answer: str) -> Task:
    return task_of(problem(text, answer))


NUMBERS = st.sampled_from(
    ["2", "3", "4", "5", "6", "7", "8", "12", "15", "20", "2.5", "0.4", "25%", "(1/3)", "(3/4)", "1"]
)
UNITS = st.sampled_from(["个苹果，", "米，", "元，", "千克，", "，"])


@st.composite
def tasks(draw: st.DrawFn, most: int) -> Task:
    """A task whose answer some random expression over its numbers gives."""
    spellings = draw(st.lists(NUMBERS, min_size=1, max_size=most))
    text = "".join(f"有{spelling}{draw(UNITS)}" for spelling in spellings) + f"共有多少{draw(UNITS)}"
    numbers = find_numbers(text)
    tree = draw(expressions(len(numbers), 3))
    value = evaluate(tree, [number.value for number in numbers])
    answer = print_numeral(value if value is not None and value > 0 else Fraction(7))
    return task_of(problem(text, answer))


def expressions(quantities: int, operators: int) -> st.SearchStrategy[Expression]:
    leaves: st.SearchStrategy[Expression] = st.sampled_from([*(Quantity(i) for i in range(quantities)), ONE, PI])
    return st.recursive(
        leaves,
        lambda inner: st.builds(Operation, st.sampled_from("+-*/"), inner, inner),
        max_leaves=operators + 1,
    )
