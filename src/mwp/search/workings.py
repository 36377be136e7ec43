"""The scratch paper of a search: every expression tried so far, as arrays that a compiled kernel can fill.

Entry e is the expression `left[e] operator[e] right[e]`, or, where operator[e] is LEAF, the leaf left[e]: the
quantities of the problem come first, then the constant 1, then pi.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mwp.arith.expressions import ONE, PI, Expression, Operation, Operator, Quantity

LEAF, ADD, SUBTRACT, MULTIPLY, DIVIDE, POWER = range(6)
SYMBOLS: dict[int, Operator] = {ADD: "+", SUBTRACT: "-", MULTIPLY: "*", DIVIDE: "/", POWER: "^"}

Floats = NDArray[np.float64]
Integers = NDArray[np.int32]


class Workings(NamedTuple):
    value: Floats
    operator: NDArray[np.int8]
    left: Integers
    right: Integers


def expression_at(workings: Workings, entry: int, quantities: int) -> Expression:
    operator = int(workings.operator[entry])
    left = int(workings.left[entry])
    if operator == LEAF:
        return Quantity(left) if left < quantities else (ONE, PI)[left - quantities]
    return Operation(
        SYMBOLS[operator],
        expression_at(workings, left, quantities),
        expression_at(workings, int(workings.right[entry]), quantities),
    )
