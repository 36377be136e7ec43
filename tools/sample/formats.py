"""The two raw forms: Math23k's run of JSON objects, and Weak12k's array without equations."""

import json
from collections.abc import Sequence
from fractions import Fraction
from string import ascii_lowercase

from mwp.arith.numerals import parse_numeral, print_numeral
from mwp.data.problems import NUMBER_TOKEN
from mwp.data.text import find_numbers, segment
from tools.sample.problem import Problem
from tools.sample.story import AnswerForm


def math23k_answer(value: Fraction, form: AnswerForm) -> str:
    """`12`, `3.5`, `25%`, `((2)/(3))` or `8((1)/(3))`."""
    if form is AnswerForm.PERCENT:
        return f"{print_numeral(value * 100)}%"
    if form is AnswerForm.FRACTION:
        units, rest = divmod(value.numerator, value.denominator)
        return f"{units or ''}(({rest})/({value.denominator}))"
    return print_numeral(value)


def math23k(problems: Sequence[Problem]) -> str:
    """Pretty-printed objects one after the other, with no commas between them."""
    records = (
        {
            "id": str(number),
            "original_text": problem.text,
            "equation": f"x={problem.equation}",
            "ans": math23k_answer(problem.answer, problem.form),
        }
        for number, problem in enumerate(problems, start=1)
    )
    return "".join(f"{json.dumps(record, ensure_ascii=False, indent=2)}\n" for record in records)


def weak12k(problems: Sequence[Problem]) -> str:
    """An array with an object a line; answers as decimals of 12 digits, like the real file."""
    records = []
    for number, problem in enumerate(problems, start=1):
        decimal = f"{float(problem.answer):.12g}"
        record = {
            "id": str(number),
            "original_text": problem.text,
            "text": _segmented(problem.text),
            "num_list": [_plain(spelled) for spelled in problem.numbers],
            "ans": decimal,
            "answer": float(decimal),
        }
        records.append(json.dumps(record, ensure_ascii=False))
    return "[\n" + ",\n".join(records) + "\n]\n"


def _plain(spelled: str) -> int | float:
    value = parse_numeral(spelled)
    return int(value) if value.denominator == 1 else float(value)


def _segmented(text: str) -> str:
    """Words joined by spaces, with temp_a, temp_b, ... for the numbers."""
    names = (f"temp_{letter}" for letter in ascii_lowercase)
    tokens = segment(text, find_numbers(text))
    return " ".join(next(names) if token == NUMBER_TOKEN else token for token in tokens)
