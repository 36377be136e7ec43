"""Prefix token sequences, the form in which solvers read and write solutions: `* - N1 1 N0`."""

import re
from collections.abc import Sequence

from mwp.arith.expressions import OPERATORS, Constant, Expression, Operation, Operator, Quantity, nodes
from mwp.arith.numerals import NumeralError, parse_numeral, print_numeral

QUANTITY = r"N\d{1,4}"
# Deeper trees than these many tokens can make are no solutions, and would exhaust the stack of recursive readers.
MAX_TOKENS = 400

_QUANTITY = re.compile(QUANTITY)


class PrefixError(ValueError):
    """The tokens are not one complete prefix expression."""


def leaf_token(leaf: Quantity | Constant) -> str:
    return f"N{leaf.index}" if isinstance(leaf, Quantity) else print_numeral(leaf.value)


def to_prefix(expression: Expression) -> tuple[str, ...]:
    return tuple(node.operator if isinstance(node, Operation) else leaf_token(node) for node in nodes(expression))


def _read_leaf(token: str) -> Expression:
    if _QUANTITY.fullmatch(token):
        return Quantity(int(token[1:]))
    try:
        return Constant(parse_numeral(token))
    except NumeralError as error:
        raise PrefixError(f"neither an operator, N0, N1, ... nor a number: {token[:40]!r}") from error


def from_prefix(tokens: Sequence[str]) -> Expression:
    """Read from the right: an operator takes the two newest finished subtrees."""
    if len(tokens) > MAX_TOKENS:
        raise PrefixError(f"more than {MAX_TOKENS} tokens")
    finished: list[Expression] = []
    by_text: dict[str, Operator] = {operator: operator for operator in OPERATORS}
    for token in reversed(tokens):
        if token not in by_text:
            finished.append(_read_leaf(token))
        elif len(finished) < 2:
            raise PrefixError(f"an operator lacks its operands: {' '.join(tokens)}")
        else:
            left, right = finished.pop(), finished.pop()
            finished.append(Operation(by_text[token], left, right))
    if len(finished) != 1:
        raise PrefixError(f"expected one expression, found {len(finished)}: {' '.join(tokens)}")
    return finished[0]
