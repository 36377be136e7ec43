"""The features of the prior: counts over a candidate's tree, computed by one compiled pass.

Beside the counts the pass gives a fingerprint: the expression's value as a function of the N_i at two random points,
modulo a prime. Equal fingerprints mean equal functions but for a chance of about 2^-60.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from mwp.wda.tasks import (
    ADD,
    ANSWERS,
    CONSTANT_ONE,
    DIVIDE,
    KINDS,
    LEAF,
    MIXED,
    MULTIPLY,
    PART,
    POWER,
    SUBTRACT,
    UNUSED,
    ExpressionTable,
    Floats,
    Integers,
    Task,
)

OPERATIONS = ("add", "subtract", "multiply", "divide")
MOST_OPERATORS = 4
_KINDS, _FORMS = len(KINDS), len(ANSWERS)
_PRIME = 2**31 - 1
_MAX_NODES = 128
_POINTS = np.random.default_rng(23).integers(2, _PRIME, size=(2, 64))
_PI_POINT = 157 * pow(50, -1, _PRIME) % _PRIME
_UNKNOWN_UNIT = -1


def _names() -> list[str]:
    pairs = [f"{operation} {a} {b}" for operation in OPERATIONS for a in KINDS for b in KINDS]
    return [
        *pairs,
        *OPERATIONS,
        *(f"{operation} {order}" for operation in OPERATIONS for order in ("in text order", "against text order")),
        *(f"{operation} neighbours" for operation in OPERATIONS),
        *(f"{operation} {units}" for operation in OPERATIONS for units in ("same unit", "other unit")),
        *(f"root {root} for a {form}" for root in ("leaf", *OPERATIONS) for form in ANSWERS),
        *(f"unused {reason}" for reason in UNUSED),
        *(f"{count} operators" for count in range(MOST_OPERATORS)),
        f"{MOST_OPERATORS} or more operators",
        "asked unit",
        "not the asked unit",
        "repeated part",
        "repeated count",
        "constant 1",
        "constant 1 twice or more",
        "constant pi",
        "fraction on the way, all numbers whole",
        "fraction on the way",
        "power",
    ]


NAMES = _names()
_AT = {name: position for position, name in enumerate(NAMES)}
_OPERATION, _ORDER, _NEIGHBOURS = _AT["add"], _AT["add in text order"], _AT["add neighbours"]
_UNITS, _ROOT, _UNUSED = _AT["add same unit"], _AT["root leaf for a whole"], _AT["unused ordinal"]
_OPERATORS, _ASKED, _REPEATED = _AT["0 operators"], _AT["asked unit"], _AT["repeated part"]
_ONE, _PI, _FRACTION, _POWER = _AT["constant 1"], _AT["constant pi"], _AT["fraction on the way"], _AT["power"]


@njit(cache=True)
def _power_modulo(base: int, exponent: int) -> int:
    result = 1
    while exponent:
        if exponent & 1:
            result = result * base % _PRIME
        base = base * base % _PRIME
        exponent >>= 1
    return result


@njit(cache=True)
def _modulo(operator: int, left: int, right: int) -> int:
    if operator == ADD:
        return (left + right) % _PRIME
    if operator == SUBTRACT:
        return (left - right) % _PRIME
    if operator == MULTIPLY:
        return left * right % _PRIME
    if operator == DIVIDE:
        return left * _power_modulo(right, _PRIME - 2) % _PRIME
    return _power_modulo(left, right)


@njit(cache=True)
def _joined_kind(left: int, right: int) -> int:
    """A part of a part, and 1 less a part, are parts; everything else is mixed."""
    parts = (left == PART or left == CONSTANT_ONE) and (right == PART or right == CONSTANT_ONE)
    return PART if parts and (left == PART or right == PART) else MIXED


@njit(cache=True)
def _joined_unit(operator: int, left: int, right: int) -> int:
    if left == 0:
        return right if operator != DIVIDE or right == 0 else _UNKNOWN_UNIT
    if right == 0:
        return left
    if left == right and operator != MULTIPLY:
        return 0 if operator == DIVIDE else left
    return _UNKNOWN_UNIT


@njit(cache=True)
def _note_join(
    counts: Floats, operator: int, kinds: tuple[int, int], units: tuple[int, int], positions: tuple[int, int]
) -> None:
    """Count one operation on two subexpressions of these kinds, units and (for quantities) positions in the text."""
    row = operator - ADD
    first, second = kinds
    if operator == ADD or operator == MULTIPLY:
        first, second = min(kinds), max(kinds)
    counts[(row * _KINDS + first) * _KINDS + second] += 1
    counts[_OPERATION + row] += 1
    if units[0] > 0 and units[1] > 0:
        counts[_UNITS + 2 * row + (units[0] != units[1])] += 1
    if positions[0] >= 0 and positions[1] >= 0:
        counts[_ORDER + 2 * row + (positions[0] >= positions[1])] += 1
        counts[_NEIGHBOURS + row] += abs(positions[0] - positions[1]) == 1


@njit(cache=True)
def _note_use(counts: Floats, used: Integers, kind: NDArray[np.int8], unused: NDArray[np.int8]) -> None:
    for quantity in range(kind.shape[0]):
        if used[quantity] == 0:
            counts[_UNUSED + unused[quantity]] += 1
        elif used[quantity] > 1:
            counts[_REPEATED + (kind[quantity] != PART)] += used[quantity] - 1
    one, pi = kind.shape[0], kind.shape[0] + 1
    counts[_ONE] += used[one]
    counts[_ONE + 1] += used[one] > 1
    counts[_PI] += used[pi]


@njit(cache=True)
def _note_whole(counts: Floats, operator: int, nodes: int, unit: int, question: tuple[int, int, bool]) -> None:
    """What the root does, how large the whole is, and whether its unit is the one asked for."""
    asked, form, _ = question
    root = operator if operator != POWER else MULTIPLY
    counts[_ROOT + root * _FORMS + form] += 1
    counts[_OPERATORS + min((nodes - 1) // 2, MOST_OPERATORS)] += 1
    if unit > 0 and asked > 0:
        counts[_ASKED + (unit != asked)] += 1


@njit(cache=True)
def _prefix_order(operator_of: NDArray[np.int8], left_of: Integers, right_of: Integers, entry: int) -> Integers:
    order = np.empty(_MAX_NODES, np.int32)
    pending = np.empty(_MAX_NODES, np.int32)
    pending[0], waiting, nodes = entry, 1, 0
    while waiting and nodes < _MAX_NODES - 2:
        waiting -= 1
        node = pending[waiting]
        order[nodes] = node
        nodes += 1
        if operator_of[node] != LEAF:
            pending[waiting], pending[waiting + 1] = right_of[node], left_of[node]
            waiting += 2
    result: Integers = order[:nodes]
    return result


@njit(cache=True)
def _describe(
    value_of: Floats,
    operator_of: NDArray[np.int8],
    left_of: Integers,
    right_of: Integers,
    entry: int,
    kind: NDArray[np.int8],
    unused: NDArray[np.int8],
    unit: Integers,
    question: tuple[int, int, bool],
    counts: Floats,
) -> int:
    """Fill `counts` for one candidate and return its fingerprint."""
    quantities = kind.shape[0]
    order = _prefix_order(operator_of, left_of, right_of, entry)
    nodes = order.shape[0]
    # From the back, every operation finds its two operands finished: left on top, right below it.
    points = np.empty((_MAX_NODES, 2), np.int64)
    kinds, units, positions = (
        np.empty(_MAX_NODES, np.int64),
        np.empty(_MAX_NODES, np.int64),
        np.empty(_MAX_NODES, np.int64),
    )
    used = np.zeros(quantities + 2, np.int32)
    top = -1
    for step in range(nodes - 1, -1, -1):
        node = order[step]
        operator = operator_of[node]
        if operator == LEAF:
            leaf = left_of[node]
            used[leaf] += 1
            top += 1
            is_quantity = leaf < quantities
            kinds[top] = kind[leaf] if is_quantity else CONSTANT_ONE + leaf - quantities
            units[top] = unit[leaf] if is_quantity else 0
            positions[top] = leaf if is_quantity else -1
            for point in range(2):
                points[top, point] = _POINTS[point, leaf] if is_quantity else (1 if leaf == quantities else _PI_POINT)
            continue
        if operator == POWER:
            counts[_POWER] += 1
        else:
            _note_join(
                counts,
                operator,
                (kinds[top], kinds[top - 1]),
                (units[top], units[top - 1]),
                (positions[top], positions[top - 1]),
            )
        if abs(value_of[node] - np.round(value_of[node])) > 1e-9:
            counts[_FRACTION - question[2]] += 1
        for point in range(2):
            points[top - 1, point] = _modulo(operator, points[top, point], points[top - 1, point])
        units[top - 1] = _joined_unit(operator, units[top], units[top - 1])
        kinds[top - 1] = _joined_kind(kinds[top], kinds[top - 1])
        positions[top - 1] = -1
        top -= 1
    _note_whole(counts, operator_of[entry], nodes, units[0], question)
    _note_use(counts, used, kind, unused)
    fingerprint: int = points[0, 0] << 31 | points[0, 1]
    return fingerprint


@njit(cache=True)
def _describe_all(
    value_of: Floats,
    operator_of: NDArray[np.int8],
    left_of: Integers,
    right_of: Integers,
    solutions: Integers,
    kind: NDArray[np.int8],
    unused: NDArray[np.int8],
    unit: Integers,
    question: tuple[int, int, bool],
    size: int,
) -> tuple[Floats, NDArray[np.int64]]:
    counts = np.zeros((solutions.shape[0], size))
    fingerprints = np.empty(solutions.shape[0], np.int64)
    for row in range(solutions.shape[0]):
        fingerprints[row] = _describe(
            value_of, operator_of, left_of, right_of, solutions[row], kind, unused, unit, question, counts[row]
        )
    return counts, fingerprints


def feature_counts(table: ExpressionTable, solutions: Integers, task: Task) -> tuple[Floats, NDArray[np.int64]]:
    """Feature counts (hits x features) and fingerprints of the entries `solutions`."""
    cues = task.cues
    question = (cues.asked_unit, cues.answer_form, cues.all_whole)
    result: tuple[Floats, NDArray[np.int64]] = _describe_all(
        *table, solutions, cues.kind, cues.unused, cues.unit, question, len(NAMES)
    )
    return result
