"""The symbols of solutions and their ids: operators, then constants, then the numbers of a problem."""

from collections.abc import Sequence

from mwp.arith.expressions import OPERATORS
from mwp.arith.prefix import leaf_token
from mwp.data.mapping import CONSTANTS

CONSTANT_TOKENS = tuple(leaf_token(constant) for constant in CONSTANTS)
OPERATOR_COUNT = len(OPERATORS)
CONSTANT_COUNT = len(CONSTANT_TOKENS)
FIRST_NUMBER = OPERATOR_COUNT + CONSTANT_COUNT

_FIXED = (*OPERATORS, *CONSTANT_TOKENS)
_IDS = {token: place for place, token in enumerate(_FIXED)}


def symbol_id(token: str) -> int:
    """May raise KeyError for a constant that no solver knows."""
    return FIRST_NUMBER + int(token[1:]) if token.startswith("N") else _IDS[token]


def symbol_token(symbol: int) -> str:
    return _FIXED[symbol] if symbol < FIRST_NUMBER else f"N{symbol - FIRST_NUMBER}"


def symbol_ids(solution: Sequence[str]) -> list[int]:
    return [symbol_id(token) for token in solution]
