"""Algorithm 1 of the paper as a compiled kernel, in two strategies: as printed, and as its published code runs it.

Both return the first expression that leads to the answer. A plain Python twin of each stands in the tests.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from mwp.wda.tasks import ADD, DIVIDE, LEAF, MULTIPLY, POWER, SUBTRACT, ExpressionTable, Floats, Integers

# What an entry holds, as bits: a solution needs a quantity, and with pi also a multiplication.
HAS_QUANTITY, HAS_PI, HAS_PRODUCT = 1, 2, 4
NOT_FOUND = -1


@njit(cache=True)
def _apply(operator: int, left: float, right: float) -> float:
    """The value, or NaN where there is none or the rules forbid it (a power other than a square or a cube)."""
    if operator == ADD:
        return left + right
    if operator == SUBTRACT:
        return left - right
    if operator == MULTIPLY:
        return left * right
    if operator == DIVIDE:
        return left / right if right != 0.0 else np.nan
    if right == 2.0:
        return left * left
    if right == 3.0:
        return left * left * left
    return np.nan


@njit(cache=True)
def _holds(leaf: int, quantities: int) -> int:
    if leaf < quantities:
        return HAS_QUANTITY
    return HAS_PI if leaf == quantities + 1 else 0


@njit(cache=True)
def _new_entries(
    values: Floats, quantities: int, capacity: int
) -> tuple[Floats, NDArray[np.int8], Integers, Integers, NDArray[np.int8]]:
    value_of, operator_of = np.empty(capacity), np.empty(capacity, np.int8)
    left_of, right_of = np.empty(capacity, np.int32), np.empty(capacity, np.int32)
    holds = np.empty(capacity, np.int8)
    for leaf in range(values.shape[0]):
        value_of[leaf], operator_of[leaf], left_of[leaf], right_of[leaf] = values[leaf], LEAF, leaf, -1
        holds[leaf] = _holds(leaf, quantities)
    return value_of, operator_of, left_of, right_of, holds


@njit(cache=True)
def _is_solution(value: float, holds: int, answer: float, tolerance: float) -> bool:
    if abs(value - answer) > tolerance or not holds & HAS_QUANTITY:
        return False
    return not holds & HAS_PI or bool(holds & HAS_PRODUCT)


@njit(cache=True)
def _joined(operator: int, left_holds: int, right_holds: int) -> int:
    return left_holds | right_holds | (HAS_PRODUCT if operator == MULTIPLY else 0)


@njit(cache=True)
def _bare_quantity(values: Floats, quantities: int, answer: float, tolerance: float) -> int:
    """The last resort of both strategies: an answer that is in the text."""
    for leaf in range(quantities):
        if abs(values[leaf] - answer) <= tolerance:
            return leaf
    return NOT_FOUND


@njit(cache=True)
def paper_order(
    values: Floats, quantities: int, answer: float, tolerance: float, tries: int
) -> tuple[ExpressionTable, int, int]:
    """R1 (the last round) x R3 (everything so far), five operators, nothing dropped. Returns (table, hit, tried)."""
    leaves = values.shape[0]
    value_of, operator_of, left_of, right_of, holds = _new_entries(values, quantities, leaves + tries + 1)
    tried, newest, count = 0, 0, leaves
    while True:
        end = count
        for i in range(newest, end):
            for j in range(end):
                for operator in range(ADD, POWER + 1):
                    if i == j and (operator == SUBTRACT or operator == DIVIDE):
                        continue
                    value = _apply(operator, value_of[i], value_of[j])
                    if np.isnan(value):
                        continue
                    if tried == tries:
                        return (
                            ExpressionTable(value_of, operator_of, left_of, right_of),
                            _bare_quantity(values, quantities, answer, tolerance),
                            tried,
                        )
                    tried += 1
                    value_of[count], operator_of[count], left_of[count], right_of[count] = value, operator, i, j
                    both = _joined(operator, holds[i], holds[j])
                    holds[count] = both
                    if _is_solution(value, both, answer, tolerance):
                        return ExpressionTable(value_of, operator_of, left_of, right_of), count, tried
                    count += 1
        newest = end


@njit(cache=True)
def published_order(
    values: Floats, quantities: int, answer: float, tolerance: float, tries: int
) -> tuple[ExpressionTable, int, int]:
    """All x all in each round, four operators, values above zero, equal values once."""
    leaves = values.shape[0]
    value_of, operator_of, left_of, right_of, holds = _new_entries(values, quantities, leaves + tries + 1)
    seen = set(values)
    tried, count, end = 0, leaves, 0
    while count > end:
        end = count
        for i in range(end):
            for j in range(end):
                for operator in range(ADD, DIVIDE + 1):
                    if i == j and (operator == SUBTRACT or operator == DIVIDE):
                        continue
                    if tried == tries:
                        return (
                            ExpressionTable(value_of, operator_of, left_of, right_of),
                            _bare_quantity(values, quantities, answer, tolerance),
                            tried,
                        )
                    tried += 1
                    value = _apply(operator, value_of[i], value_of[j])
                    if not value > 0.0:
                        continue
                    both = _joined(operator, holds[i], holds[j])
                    solved = _is_solution(value, both, answer, tolerance)
                    if value in seen and not solved:
                        continue
                    seen.add(value)
                    value_of[count], operator_of[count], left_of[count], right_of[count] = value, operator, i, j
                    holds[count] = both
                    if solved:
                        return ExpressionTable(value_of, operator_of, left_of, right_of), count, tried
                    count += 1
    return (
        ExpressionTable(value_of, operator_of, left_of, right_of),
        _bare_quantity(values, quantities, answer, tolerance),
        tried,
    )
