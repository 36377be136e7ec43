"""Small problems for tests."""

from fractions import Fraction

from mwp.arith.notation import to_prefix
from mwp.data.problems import Problem
from mwp.data.text import find_numbers, map_equation, segment


def toy(text: str, answer: str = "1", equation: str | None = None, name: str = "1") -> Problem:
    numbers = find_numbers(text)
    return Problem(
        id=name,
        source="toys",
        text=text,
        tokens=segment(text, numbers),
        numbers=numbers,
        answer=Fraction(answer),
        answer_spelling=answer,
        gold=tuple(map(to_prefix, map_equation(equation, numbers))) if equation else (),
    )
