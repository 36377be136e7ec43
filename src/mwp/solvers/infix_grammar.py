"""What may come next in an infix solution, so that every beam ends, says no tree twice and keeps the operator limit.

Brackets are allowed only where the printer of `arith.infix` would set them. Whether a pair is needed may be settled by
the operator before it, as in a-(b+c), or only by the one behind it, as in (a+b)*c; then that operator is owed. To know
how many operators a beam still needs at least, an open bracket remembers what its surroundings need in each case.
"""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from mwp.solvers.beam import Rows
from mwp.solvers.frames import read_frame, write_frame
from mwp.solvers.infix_symbols import ATOM, CLOSE, END, INFIX_COUNT, OPEN, STRENGTHS
from mwp.solvers.symbols import OPERATOR_COUNT

# Kinds of symbols: operators by their strength 1 to 3, then these; 0 is none.
OPERAND, OPENING, CLOSING, ENDING = 4, 5, 6, 7
BRACKETS_AND_END = {OPEN: OPENING, CLOSE: CLOSING, END: ENDING}

# What is owed behind a closed bracket: nothing, an operator of strength 2 at least, of strength 3; or it cannot close.
NOTHING, FACTOR, POWER, NEVER = range(4)
# Rows: the strength of the operator before the bracket, 0 for none; the last row stands for no bracket at all.
# Columns: the strength of the content, ATOM as long as it has no operator.
OUTERMOST = 4
OWED = (
    (NEVER, FACTOR, POWER, POWER, NEVER),
    (NEVER, NOTHING, POWER, POWER, NEVER),
    (NEVER, NOTHING, NOTHING, POWER, NEVER),
    (NEVER, NOTHING, NOTHING, POWER, NEVER),
    (NOTHING,) * 5,
)
# The weakest operator that pays nothing, a factor, a power; and how many operators these are.
PAYMENT = (ATOM, 2, 3)
PRICE = (0, 1, 1)
IMPOSSIBLE = 10_000


@dataclass
class InfixState(Rows):
    """Where B x K beams stand; D counts the brackets that are open, and what is outside all of them as the first."""

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
    """The innermost bracket of each beam."""

    bracket: Tensor  # (B, K)
    weakest: Tensor  # (B, K)
    outside: Tensor  # (B, K, 4)


def innermost(state: InfixState) -> Innermost:
    frames = (state.bracket, state.weakest, state.outside)
    return Innermost(*(read_frame(frame, state.depth) for frame in frames))


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
        frames = whole[..., None].expand(-1, -1, max(1, self.max_operators))
        return InfixState(
            expects_operand=torch.ones_like(whole, dtype=torch.bool),
            depth=whole,
            left=whole + self.max_operators,
            before=whole,
            owed=whole,
            bracket=frames + OUTERMOST,
            weakest=frames + ATOM,
            outside=frames[..., None].expand(-1, -1, -1, NEVER + 1).clone(),
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
        write_frame(state.weakest, state.depth, here.weakest.minimum(kind), applies)
        inner = state.depth + 1
        write_frame(state.bracket, inner, state.before, opens)
        write_frame(state.weakest, inner, torch.full_like(inner, ATOM), opens)
        write_frame(state.outside, inner, self._needed(here.bracket, here.weakest, here.outside), opens)
        # A beam without any probability may close what cannot close; it must only stay within the tables.
        state.owed = torch.where(closes, self.owed[here.bracket, here.weakest].clamp(max=POWER), NOTHING)
        state.before = torch.where(applies, kind, torch.where(closes, here.bracket, state.before.where(~opens, 0)))
        state.left = state.left - applies.long()
        state.depth = state.depth + opens.long() - closes.long()
        state.expects_operand = applies | opens
