"""The expression space of the ranked search, enumerated completely: the space of the "24 game" and a wider one.

Expressions are grouped by the leaves that they use, counted: two bits a leaf in one integer, its code. The narrow space
uses each quantity at most once (at most five of them) and at most one constant; the wide one has up to five leaves of
which two may be constants or repetitions. Sums and products are built in one order of their terms only, pluses before
minuses and factors before divisors, so that expressions equal by the laws of commutativity and associativity come
once; every difference is positive.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from mwp.wda.tasks import ADD, DIVIDE, MULTIPLY, SUBTRACT, ExpressionTable, Floats, Integers

STORED_LEAVES = 4  # larger expressions are only tested, except where six leaves are built from them
WIDE_LEAVES = 5
WIDE_EXTRAS = 2
NARROW_QUANTITIES = 5
STORAGE = 400_000
MAX_SOLUTIONS = 20_000
Codes = NDArray[np.int64]


@njit(cache=True)
def _count(code: int, leaf: int) -> int:
    return (code >> (2 * leaf)) & 3


@njit(cache=True)
def _is_narrow(code: int, quantities: int) -> bool:
    used = 0
    for leaf in range(quantities):
        if _count(code, leaf) > 1:
            return False
        used += _count(code, leaf)
    return used <= NARROW_QUANTITIES and _count(code, quantities) + _count(code, quantities + 1) <= 1


@njit(cache=True)
def _is_wide(code: int, quantities: int) -> bool:
    ones, pis = _count(code, quantities), _count(code, quantities + 1)
    used, extras = ones + pis, ones + pis
    for leaf in range(quantities):
        count = _count(code, leaf)
        used += count
        extras += max(count - 1, 0)
    return used <= WIDE_LEAVES and extras <= WIDE_EXTRAS and pis <= 1


@njit(cache=True)
def _next_level(level: Codes, quantities: int) -> Codes:
    """All admissible codes with one leaf more, ascending."""
    leaves = quantities + 2
    found = np.empty(level.shape[0] * leaves, np.int64)
    size = 0
    for code in level:
        for leaf in range(leaves):
            if _count(code, leaf) < 3:
                larger = code + (1 << (2 * leaf))
                if _is_narrow(larger, quantities) or _is_wide(larger, quantities):
                    found[size] = larger
                    size += 1
    return np.unique(found[:size])


@njit(cache=True)
def _join(operator: int, x: int, last_x: int, end_x: int, a: float, y: int, last_y: int, b: float, one: int) -> float:
    """The value of x operator y; NaN if the rules forbid it or if another order of the same terms stands for it.

    x has value a, its last operator last_x and behind that the entry end_x; likewise y.
    """
    if operator == ADD or operator == SUBTRACT:
        if last_y == ADD or last_y == SUBTRACT or x == one + 1 or y == one + 1:
            return np.nan
        if operator == ADD:
            in_order = end_x <= y if last_x == ADD else last_x != SUBTRACT and x <= y
            return a + b if in_order else np.nan
        in_order = last_x != SUBTRACT or end_x <= y
        return a - b if in_order and a - b > 1e-12 * a else np.nan
    if last_y == MULTIPLY or last_y == DIVIDE or y == one:
        return np.nan
    if operator == MULTIPLY:
        in_order = end_x <= y if last_x == MULTIPLY else last_x != DIVIDE and x <= y
        return a * b if in_order and x != one else np.nan
    in_order = last_x != DIVIDE or end_x <= y
    return a / b if in_order and x != y and b != 0.0 else np.nan


@njit(cache=True)
def _table(code: int, codes: Codes, starts: Integers, ends: Integers) -> tuple[int, int]:
    """The range of entries with these leaves."""
    position = np.searchsorted(codes, code)
    if position < codes.shape[0] and codes[position] == code:
        return starts[position], ends[position]
    return 0, 0


@njit(cache=True)
def _next_part(part: Codes, code: int) -> int:
    """Step a mixed-radix counter through the parts of a code; 0 after the last."""
    for leaf in range(part.shape[0]):
        if part[leaf] < _count(code, leaf):
            part[leaf] += 1
            break
        part[leaf] = 0
    result = 0
    for leaf in range(part.shape[0]):
        result |= part[leaf] << (2 * leaf)
    return result


@njit(cache=True)
def _join_tables(
    value_of: Floats,
    operator_of: NDArray[np.int8],
    left_of: Integers,
    right_of: Integers,
    solutions: Integers,
    tally: Integers,
    ranges: tuple[int, int, int, int],
    goal: tuple[float, float],
    one: int,
    stored: bool,
) -> None:
    """Try every operator on every pair of two tables; record the hits and, if `stored`, all the rest."""
    answer, tolerance = goal
    count, found = tally[0], tally[1]
    for x in range(ranges[0], ranges[1]):
        a, last_x, end_x = value_of[x], operator_of[x], right_of[x]
        for y in range(ranges[2], ranges[3]):
            b, last_y = value_of[y], operator_of[y]
            for operator in range(ADD, DIVIDE + 1):
                value = _join(operator, x, last_x, end_x, a, y, last_y, b, one)
                if np.isnan(value):
                    continue
                hit = abs(value - answer) <= tolerance and found < MAX_SOLUTIONS
                if hit:
                    solutions[found] = count
                    found += 1
                if hit or (stored and count < STORAGE):
                    value_of[count], operator_of[count], left_of[count], right_of[count] = value, operator, x, y
                    count += 1
    tally[0], tally[1] = count, found


@njit(cache=True)
def enumerate_space(
    values: Floats, quantities: int, answer: float, tolerance: float, max_expressions: int
) -> tuple[ExpressionTable, Integers, int]:
    """Returns (table, the entries that lead to the answer, tries); small expressions first, up to `max_expressions`."""
    leaves = values.shape[0]
    value_of, operator_of = np.empty(STORAGE + MAX_SOLUTIONS), np.zeros(STORAGE + MAX_SOLUTIONS, np.int8)
    left_of, right_of = np.empty(STORAGE + MAX_SOLUTIONS, np.int32), np.empty(STORAGE + MAX_SOLUTIONS, np.int32)
    solutions = np.empty(MAX_SOLUTIONS, np.int32)
    tally = np.array([leaves, 0], np.int32)
    level = np.empty(leaves, np.int64)
    for leaf in range(leaves):
        level[leaf] = np.int64(1) << (2 * leaf)
        value_of[leaf], left_of[leaf], right_of[leaf] = values[leaf], leaf, -1
        if leaf < quantities and abs(values[leaf] - answer) <= tolerance:
            solutions[tally[1]] = leaf
            tally[1] += 1
    codes, starts, ends = level, np.arange(leaves).astype(np.int32), np.arange(1, leaves + 1).astype(np.int32)
    any_quantity = (1 << (2 * quantities)) - 1
    tried = 0
    for size in range(2, NARROW_QUANTITIES + 2):
        level = _next_level(level, quantities)
        unlikely = np.array([0 if _is_narrow(level[position], quantities) else 1 for position in range(level.shape[0])])
        new_starts, new_ends = np.zeros(level.shape[0], np.int32), np.zeros(level.shape[0], np.int32)
        for position in np.argsort(unlikely, kind="mergesort"):
            code = level[position]
            stored = size <= STORED_LEAVES or (size == WIDE_LEAVES and unlikely[position] == 0)
            # Constants alone are no solution, whatever their value.
            goal = (answer, tolerance) if code & any_quantity else (answer, -1.0)
            new_starts[position] = tally[0]
            part = np.zeros(leaves, np.int64)
            x_code = _next_part(part, code)
            while x_code != code:
                x_start, x_end = _table(x_code, codes, starts, ends)
                y_start, y_end = _table(code - x_code, codes, starts, ends)
                tried += (x_end - x_start) * (y_end - y_start) * 4
                if tried > max_expressions:
                    return (
                        ExpressionTable(value_of, operator_of, left_of, right_of),
                        solutions[: tally[1]],
                        max_expressions,
                    )
                ranges = (x_start, x_end, y_start, y_end)
                _join_tables(
                    value_of, operator_of, left_of, right_of, solutions, tally, ranges, goal, quantities, stored
                )
                x_code = _next_part(part, code)
            new_ends[position] = tally[0] if stored else new_starts[position]
        together = np.argsort(np.concatenate((codes, level)))
        codes = np.concatenate((codes, level))[together]
        starts = np.concatenate((starts, new_starts))[together]
        ends = np.concatenate((ends, new_ends))[together]
    return ExpressionTable(value_of, operator_of, left_of, right_of), solutions[: tally[1]], tried
