"""The symbols of infix solutions (DNS), and the grammar that says which may come next.

By the grammar every hypothesis ends, writes no tree in two ways and keeps the operator limit. Brackets are allowed only
where the printer of `arith.notation` would set them. Whether a pair is needed may be settled by the operator before it,
as in a-(b+c), or only by the one behind it, as in (a+b)*c; then that operator is owed. To know how many operators a
hypothesis still needs at least, an open bracket remembers what its surroundings need in each case.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from mwp.arith.expressions import OPERATORS
from mwp.arith.notation import PRECEDENCE, parse, to_prefix
from mwp.data.vocabulary import FIRST_NUMBER, INCOMPLETE, MAX_NUMBERS, OPERATOR_COUNT, symbol_token
from mwp.solvers.beam import BatchedState, read_stack, write_stack

# Kinds of symbols: operators by their strength 1 to 3, then these; 0 is none.
OPERAND, OPENING, CLOSING, ENDING = 4, 5, 6, 7
OPEN = FIRST_NUMBER + MAX_NUMBERS
CLOSE = OPEN + 1
END = CLOSE + 1
BRACKETS_AND_END = {OPEN: OPENING, CLOSE: CLOSING, END: ENDING}
# What is owed behind a closed bracket: nothing, an operator of strength 2 at least, of strength 3; or it cannot close.
NOTHING, FACTOR, POWER, NEVER = range(4)
# Rows: the strength of the operator before the bracket, 0 for none; the last row is for no bracket at all.
# Columns: the strength of the content, ATOM as long as it has no operator.
OUTERMOST = 4
OWED = (
    (NEVER, FACTOR, POWER, POWER, NEVER),
    (NEVER, NOTHING, POWER, POWER, NEVER),
    (NEVER, NOTHING, NOTHING, POWER, NEVER),
    (NEVER, NOTHING, NOTHING, POWER, NEVER),
    (NOTHING,) * 5,
)
# How strongly each operator binds, 1 to 3.
STRENGTHS = tuple(PRECEDENCE[operator] for operator in OPERATORS)
ATOM = max(STRENGTHS) + 1
# The weakest operator that pays nothing, a factor, a power; and how many operators these are.
PAYMENT = (ATOM, 2, 3)
PRICE = (0, 1, 1)
IMPOSSIBLE = 10_000
INFIX_COUNT = END + 1
_POWER = OPERATORS.index("^")


@dataclass
class InfixState(BatchedState):
    """The grammar's state of B x K hypotheses; D counts open brackets, with the outermost level as the first."""

    expects_operand: Tensor  # (B, K)
    depth: Tensor  # (B, K) open brackets
    left: Tensor  # (B, K) operators that may still be written
    before: Tensor  # (B, K) strength of the last operator of the innermost bracket, 0 if there is none
    owed: Tensor  # (B, K) by the bracket that was just closed
    bracket: Tensor  # (B, K, D) strength of the operator before each bracket
    weakest: Tensor  # (B, K, D) strength of each bracket's content so far
    outside: Tensor  # (B, K, D, 4) operators still needed outside each bracket, by what it will owe


@dataclass(frozen=True)
class Innermost:
    """The innermost bracket of each hypothesis."""

    bracket: Tensor  # (B, K)
    weakest: Tensor  # (B, K)
    outside: Tensor  # (B, K, 4)


def innermost(state: InfixState) -> Innermost:
    entries = (state.bracket, state.weakest, state.outside)
    return Innermost(*(read_stack(frame, state.depth) for frame in entries))


class InfixGrammar(nn.Module):
    kinds: Tensor
    owed: Tensor
    payment: Tensor
    price: Tensor

    def __init__(self, max_operators: int) -> None:
        super().__init__()
        self.max_operators = max_operators
        operands = [OPERAND] * (OPEN - OPERATOR_COUNT)
        others = [BRACKETS_AND_END[symbol] for symbol in range(OPEN, INFIX_COUNT)]
        tables = {"kinds": [*STRENGTHS, *operands, *others], "owed": OWED, "payment": PAYMENT, "price": PRICE}
        for name, table in tables.items():
            self.register_buffer(name, torch.tensor(table), persistent=False)

    @property
    def longest(self) -> int:
        """Each pair of brackets has an operator of its own, the tree's root has none."""
        return 2 * self.max_operators + 1 + 2 * max(0, self.max_operators - 1) + 1

    def start(self, batch: int, k: int) -> InfixState:
        whole = torch.zeros(batch, k, dtype=torch.long, device=self.kinds.device)
        entries = whole[..., None].expand(-1, -1, max(1, self.max_operators))
        return InfixState(
            expects_operand=torch.ones_like(whole, dtype=torch.bool),
            depth=whole,
            left=whole + self.max_operators,
            before=whole,
            owed=whole,
            bracket=entries + OUTERMOST,
            weakest=entries + ATOM,
            outside=entries[..., None].expand(-1, -1, -1, NEVER + 1).clone(),
        )

    def possible(self, expects_operand: Tensor, inside: Tensor) -> Tensor:
        """(..., V) what may follow in any infix text: by whether an operand is due, and whether a bracket is open."""
        ready = ~expects_operand
        none = torch.zeros_like(ready)
        kinds = (none, ready, ready, ready, expects_operand, expects_operand, ready & inside, ready & ~inside)
        return torch.stack(kinds, dim=-1)[..., self.kinds]

    def allowed(self, state: InfixState) -> Tensor:
        """(B, K, V) what may follow if no bracket is to be needless and the operators are to suffice."""
        here = innermost(state)
        ready, inside = ~state.expects_operand, state.depth > 0
        settled = ready & (state.owed == NOTHING)
        kinds = (
            torch.zeros_like(ready),
            *(ready & self._may_apply(state, here, strength) for strength in (1, 2, 3)),
            state.expects_operand,
            state.expects_operand & self._may_open(state, here),
            settled & inside & self._may_close(state, here),
            settled & ~inside,
        )
        return torch.stack(kinds, dim=-1)[..., self.kinds]

    def _may_apply(self, state: InfixState, here: Innermost, strength: int) -> Tensor:
        needed = self._needed(here.bracket, here.weakest.clamp(max=strength), here.outside)[..., NOTHING]
        # ATOM, the payment of nothing, is no demand.
        pays = (state.owed == NOTHING) | (self.payment[state.owed] <= strength)
        return pays & (needed < state.left)

    def _may_open(self, state: InfixState, here: Innermost) -> Tensor:
        around = self._needed(here.bracket, here.weakest, here.outside)
        needed = self._needed(state.before, torch.full_like(state.before, ATOM), around)[..., NOTHING]
        return needed <= state.left

    def _may_close(self, state: InfixState, here: Innermost) -> Tensor:
        owed = self.owed[here.bracket, here.weakest]
        return here.outside.gather(-1, owed[..., None]).squeeze(-1) <= state.left

    def _needed(self, bracket: Tensor, weakest: Tensor, outside: Tensor) -> Tensor:
        """(B, K, 4) operators that a bracket and all round it still need, by what is owed inside it.

        What is owed is paid; then either the bracket closes, or one operator of strength 1 goes before.
        """
        owing = self.owed[bracket[..., None], weakest[..., None].minimum(self.payment)]
        weak = self.owed[bracket, torch.ones_like(weakest)]
        needed = self.price + outside.gather(-1, owing).minimum(1 + outside.gather(-1, weak[..., None]))
        return nn.functional.pad(needed, (0, 1), value=IMPOSSIBLE)

    def advance(self, state: InfixState, symbols: Tensor) -> None:
        """Write one symbol (B, K) more, in place."""
        here, kind = innermost(state), self.kinds[symbols]
        applies, opens, closes = kind < OPERAND, kind == OPENING, kind == CLOSING
        write_stack(state.weakest, state.depth, here.weakest.minimum(kind), applies)
        inner = state.depth + 1
        write_stack(state.bracket, inner, state.before, opens)
        write_stack(state.weakest, inner, torch.full_like(inner, ATOM), opens)
        write_stack(state.outside, inner, self._needed(here.bracket, here.weakest, here.outside), opens)
        # A hypothesis of probability zero may close what cannot close; it must only stay within the tables.
        state.owed = torch.where(closes, self.owed[here.bracket, here.weakest].clamp(max=POWER), NOTHING)
        state.before = torch.where(applies, kind, torch.where(closes, here.bracket, state.before.where(~opens, 0)))
        state.left = state.left - applies.long()
        state.depth = state.depth + opens.long() - closes.long()
        state.expects_operand = applies | opens


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
