"""The input of a search, and the table of expressions that it fills.

Beside numbers and answer a task has cues, read off the text by fixed rules: how a number is written, which word
follows it, what is asked for. Entry e of an ExpressionTable is the expression `left[e] operator[e] right[e]`, or, where
operator[e] is LEAF, the leaf left[e]: the quantities of the problem come first, then the constant 1, then pi.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mwp.arith.expressions import ONE, PI, Expression, Operation, Operator, Quantity
from mwp.data.problems import Number, Problem
from mwp.data.units import asked_unit, is_part, unit_behind

# Kinds of leaves and subexpressions.
COUNT, PART, UNITY, CONSTANT_ONE, CONSTANT_PI, MIXED = range(6)
KINDS = ("count", "part", "unity", "one", "pi", "mixed")
# Reasons why a quantity may stay unused.
UNUSED = ("ordinal", "unity", "part", "small", "other")
ANSWERS = ("whole", "decimal", "fraction", "percent")
LEAF, ADD, SUBTRACT, MULTIPLY, DIVIDE, POWER = range(6)
SYMBOLS: dict[int, Operator] = {ADD: "+", SUBTRACT: "-", MULTIPLY: "*", DIVIDE: "/", POWER: "^"}
Floats = NDArray[np.float64]
Integers = NDArray[np.int32]
MAX_QUANTITIES = 24  # two bits a leaf in 64


@dataclass(frozen=True)
class Cues:
    """Per quantity: its kind, the class it has when unused, its unit (the character behind it, 0 for none)."""

    kind: NDArray[np.int8]
    unused: NDArray[np.int8]
    unit: NDArray[np.int32]
    asked_unit: int
    answer_form: int
    all_whole: bool


def tolerance(answer: float, spelling: str) -> float:
    """Exact but for float noise; an answer of six and more decimals was cut or rounded, one unit of its last place."""
    decimals = len(spelling.rpartition(".")[2].rstrip("%")) if "." in spelling else 0
    noise = 1e-9 * max(1.0, abs(answer))
    return max(noise, 10.0**-decimals) if decimals >= 6 else noise


@dataclass(frozen=True)
class Task:
    id: str
    values: Floats  # the quantities, then the constants 1 and pi
    answer: float
    tolerance: float
    cues: Cues

    @property
    def quantities(self) -> int:
        return len(self.values) - 2


def task_of(problem: Problem) -> Task:
    numbers = problem.numbers[:MAX_QUANTITIES]
    answer = float(problem.known_answer)
    return Task(
        id=problem.id,
        values=np.array([*(float(number.value) for number in numbers), float(ONE.value), float(PI.value)]),
        answer=answer,
        tolerance=tolerance(answer, problem.answer_spelling),
        cues=_cues(problem, numbers),
    )


def _cues(problem: Problem, numbers: tuple[Number, ...]) -> Cues:
    kinds = [_kind(number) for number in numbers]
    return Cues(
        kind=np.array(kinds, np.int8),
        unused=np.array(
            [_unused_class(number, kind, problem.text) for number, kind in zip(numbers, kinds, strict=True)], np.int8
        ),
        unit=np.array(
            [
                0 if kind == PART else _code(unit_behind(problem.text, number))
                for number, kind in zip(numbers, kinds, strict=True)
            ],
            np.int32,
        ),
        asked_unit=_code(asked_unit(problem.text)),
        answer_form=_answer_form(problem.answer_spelling),
        all_whole=PART not in kinds,
    )


def _kind(number: Number) -> int:
    if is_part(number):
        return PART
    return UNITY if number.value == 1 else COUNT


def _unused_class(number: Number, kind: int, text: str) -> int:
    if text[: number.start].endswith("第"):
        return UNUSED.index("ordinal")
    if kind != COUNT:
        return UNUSED.index("unity" if kind == UNITY else "part")
    small = number.value <= 10 and number.value.denominator == 1
    return UNUSED.index("small" if small else "other")


def _code(unit: str) -> int:
    return ord(unit) if unit else 0


def _answer_form(spelling: str) -> int:
    if "%" in spelling:
        return ANSWERS.index("percent")
    if "/" in spelling:
        return ANSWERS.index("fraction")
    return ANSWERS.index("decimal" if "." in spelling else "whole")


class ExpressionTable(NamedTuple):
    value: Floats
    operator: NDArray[np.int8]
    left: Integers
    right: Integers


def expression_at(table: ExpressionTable, entry: int, quantities: int) -> Expression:
    operator = int(table.operator[entry])
    left = int(table.left[entry])
    if operator == LEAF:
        return Quantity(left) if left < quantities else (ONE, PI)[left - quantities]
    return Operation(
        SYMBOLS[operator],
        expression_at(table, left, quantities),
        expression_at(table, int(table.right[entry]), quantities),
    )
