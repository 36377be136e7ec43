"""Two notations of a solution: prefix tokens (`* - N1 1 N0`), which solvers read and write, and infix equations.

The infix parser reads what data sets write; the printer sets no needless brackets.
"""

import re
from collections.abc import Collection, Sequence
from fractions import Fraction

from mwp.arith.expressions import OPERATORS, Constant, Expression, Operation, Operator, Quantity, nodes
from mwp.arith.numerals import DECIMAL, FRACTION, INTEGER, NUMERAL, NumeralError, parse_numeral, print_numeral

QUANTITY = r"N\d{1,4}"
# Deeper trees than these many tokens can make are no solutions, and would exhaust the stack of recursive readers.
MAX_TOKENS = 400
_QUANTITY = re.compile(QUANTITY)
_TOKEN = re.compile(rf"\s*({QUANTITY}(?!\d)|{FRACTION}|{DECIMAL}|{INTEGER}|[-+*/^()])")
_SPELLINGS = str.maketrans("[]{}（）×÷:：＋－−％", "()()()*///+--%")
PRECEDENCE: dict[Operator, int] = {"+": 1, "-": 1, "*": 2, "/": 2, "^": 3}
_MAX_DEPTH = 100
# Prefix tokens.
Solution = tuple[str, ...]


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


class InfixError(ValueError):
    """The text is not an infix expression; the message says what stands where."""


def parse(text: str, fractions: Collection[Fraction] = ()) -> Expression:
    """Read an equation's right-hand side; all kinds of brackets, `^` or `**`, percents, mixed numbers, `N0`, `N1`, ...

    `(1/6)` is one number if its value is among `fractions` (the fractions of the problem's text), else a division.
    """
    return _Parser(_tokenize(text.translate(_SPELLINGS).replace("**", "^"), fractions)).parse()


def _tokenize(text: str, fractions: Collection[Fraction]) -> list[str]:
    tokens: list[str] = []
    position = 0
    while rest := text[position:].strip():
        match = _TOKEN.match(text, position)
        if match is None:
            raise InfixError(f"unexpected {rest[0]!r} in {text.strip()[:60]!r}")
        token = match[1]
        if token.startswith("(") and not _is_one_of(token, fractions):
            token = "("
        tokens.append(token)
        position = match.start(1) + len(token)
        if len(tokens) > MAX_TOKENS:
            raise InfixError(f"more than {MAX_TOKENS} tokens")
    return tokens


def _is_one_of(token: str, fractions: Collection[Fraction]) -> bool:
    try:
        return parse_numeral(token) in fractions
    except NumeralError:
        return False


def parse_literal(token: str) -> Fraction:
    try:
        return parse_numeral(token)
    except NumeralError as error:
        raise InfixError(str(error)) from error


class _Parser:
    """Precedence climbing over a token list; `^` groups to the right, the others to the left."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens
        self.position = 0
        self.depth = 0

    def parse(self) -> Expression:
        expression = self.operation(1)
        if self.position < len(self.tokens):
            raise InfixError(f"unexpected {self.peek()!r} after a complete expression")
        return expression

    def peek(self) -> str:
        return self.tokens[self.position] if self.position < len(self.tokens) else "end"

    def take(self) -> str:
        token = self.peek()
        self.position += 1
        return token

    def operation(self, lowest: int) -> Expression:
        left = self.operand()
        while (operator := _operator(self.peek())) and PRECEDENCE[operator] >= lowest:
            self.take()
            groups_left = operator != "^"
            left = Operation(operator, left, self.operation(PRECEDENCE[operator] + groups_left))
        return left

    def operand(self) -> Expression:
        token = self.take()
        if token == "(":
            self.depth += 1
            if self.depth > _MAX_DEPTH:
                raise InfixError(f"brackets nested more than {_MAX_DEPTH} deep")
            inside = self.operation(1)
            if (closing := self.take()) != ")":
                raise InfixError(f"expected a closing bracket, found {closing!r}")
            self.depth -= 1
            return inside
        if token.startswith("N"):
            return Quantity(int(token[1:]))
        if NUMERAL.fullmatch(token):
            return Constant(parse_literal(token))
        raise InfixError(f"expected a number or a bracket, found {token!r}")


def _operator(token: str) -> Operator | None:
    return token if token in PRECEDENCE else None


def to_infix(expression: Expression, names: Collection[str] = ()) -> str:
    """Print with the fewest brackets; quantities by `names` (e.g. their spelling in the text) where given."""
    spelled = tuple(names)

    def show(node: Expression) -> tuple[str, int]:
        if isinstance(node, Quantity) and node.index < len(spelled):
            return spelled[node.index], 4
        if not isinstance(node, Operation):
            return leaf_token(node), 4
        strength = PRECEDENCE[node.operator]
        # `^` groups to the right and the others to the left, so the other side of an equal operator needs brackets.
        left = bracket(*show(node.left), strength + (node.operator == "^"))
        right = bracket(*show(node.right), strength + (node.operator in "-/+*"))
        return f"{left}{node.operator}{right}", strength

    def bracket(text: str, strength: int, needed: int) -> str:
        return f"({text})" if strength < needed else text

    return show(expression)[0]
