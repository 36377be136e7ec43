"""The symbols of solutions in infix: those of all solutions with a fixed range for numbers, brackets and the end."""

from collections.abc import Sequence
from dataclasses import dataclass

from mwp.arith.expressions import OPERATORS
from mwp.arith.infix import PRECEDENCE, parse
from mwp.arith.prefix import to_prefix
from mwp.solvers.forest import INCOMPLETE
from mwp.solvers.problem_batch import MAX_NUMBERS
from mwp.solvers.symbols import FIRST_NUMBER, OPERATOR_COUNT, symbol_token

OPEN = FIRST_NUMBER + MAX_NUMBERS
CLOSE = OPEN + 1
END = CLOSE + 1
INFIX_COUNT = END + 1

# How strongly each operator binds, 1 to 3.
STRENGTHS = tuple(PRECEDENCE[operator] for operator in OPERATORS)
ATOM = max(STRENGTHS) + 1
_POWER = OPERATORS.index("^")


@dataclass(frozen=True)
class _Piece:
    symbols: list[int]
    strength: int

    def within(self, needed: int) -> list[int]:
        return self.symbols if self.strength >= needed else [OPEN, *self.symbols, CLOSE]


def infix_symbols(solution: Sequence[int]) -> list[int]:
    """A solution from prefix, with the fewest brackets, and its end."""
    finished: list[_Piece] = []
    for symbol in reversed(solution):
        if symbol >= OPEN:
            raise ValueError(f"a solution needs {symbol_token(symbol)}, but at most {MAX_NUMBERS} numbers are known")
        if symbol >= OPERATOR_COUNT:
            finished.append(_Piece([symbol], ATOM))
        elif len(finished) > 1:
            finished.append(_joined(symbol, finished.pop(), finished.pop()))
        else:
            raise ValueError(INCOMPLETE)
    if len(finished) != 1:
        raise ValueError(INCOMPLETE)
    return [*finished[0].symbols, END]


def _joined(operator: int, left: _Piece, right: _Piece) -> _Piece:
    # `^` groups to the right and the others to the left, so the other side of an equal operator needs brackets.
    strength, to_right = STRENGTHS[operator], operator == _POWER
    return _Piece([*left.within(strength + to_right), operator, *right.within(strength + (not to_right))], strength)


def prefix_tokens(symbols: Sequence[int]) -> tuple[str, ...]:
    """An ended solution in infix, back in prefix."""
    brackets = {OPEN: "(", CLOSE: ")"}
    return to_prefix(parse(" ".join(brackets.get(symbol) or symbol_token(symbol) for symbol in symbols[:-1])))
