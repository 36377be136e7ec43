"""Beam search over all problems and hypotheses of a batch at once: what the searches of all decoders share.

The stacks of B x K hypotheses are one tensor of entries (B, K, D, ...), each hypothesis with its own top.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Self, TypeVar

import torch
from torch import Tensor

from mwp.solvers.base import Beams

# How often a GPU is asked which problems have ended; the CPU is asked every step.
SYNC_EVERY = 8
# The share of problems still going on below which the others are put aside.
COMPACT_BELOW = 0.75


@dataclass
class BatchedState:
    """Tensors whose first dimension is the problems of a batch, or records of such tensors."""

    def each(self, pick: Callable[[Tensor], Tensor]) -> Self:
        return type(self)(
            **{
                name: value.each(pick) if isinstance(value, BatchedState) else pick(value)
                for name, value in vars(self).items()
            }
        )


@dataclass(frozen=True)
class Continuations:
    """The best continuations, best first: which old beam (B, K) goes on with which symbol (B, K)."""

    beams: Tensor
    symbols: Tensor
    log_probs: Tensor

    def of(self, values: Tensor) -> Tensor:
        """What the old beams have (B, K, ...), for the new ones."""
        return values[torch.arange(len(self.beams), device=values.device)[:, None], self.beams]


@dataclass
class BeamState(BatchedState):
    """B x K beams so far; L is the longest solution."""

    ended: Tensor  # (B, K)
    symbols: Tensor  # (B, K, L)
    lengths: Tensor  # (B, K)
    log_probs: Tensor  # (B, K)

    def chosen(self, choice: Continuations) -> Self:
        state = self.each(choice.of)
        state.log_probs = choice.log_probs
        return state

    def write(self, symbols: Tensor, step: int) -> None:
        self.symbols[..., step] = torch.where(self.ended, 0, symbols)
        self.lengths = self.lengths + (~self.ended).long()


def initial_state(problem: Tensor, k: int, length: int) -> BeamState:
    """Beams of problems (B, H) with nothing written; only the first of each has any probability yet."""
    log_probs = problem.new_full((len(problem), k), -torch.inf, dtype=torch.float)
    log_probs[:, 0] = 0.0
    return BeamState(
        ended=torch.zeros_like(log_probs, dtype=torch.bool),
        symbols=torch.zeros((*log_probs.shape, length), dtype=torch.long, device=problem.device),
        lengths=torch.zeros_like(log_probs, dtype=torch.long),
        log_probs=log_probs,
    )


def best(state: BeamState, symbol_log_probs: Tensor) -> Continuations:
    """The K best continuations of each problem by the log-probabilities of all symbols (B, K, V).

    A hypothesis that has ended has one continuation, itself.
    """
    stay = torch.full_like(symbol_log_probs, -torch.inf)
    stay[..., 0] = 0.0
    total = state.log_probs[..., None] + torch.where(state.ended[..., None], stay, symbol_log_probs)
    log_probs, positions = total.flatten(1).topk(symbol_log_probs.shape[1], dim=1)
    return Continuations(positions // symbol_log_probs.shape[-1], positions % symbol_log_probs.shape[-1], log_probs)


State = TypeVar("State", bound=BeamState)
Context = TypeVar("Context", bound=BatchedState)


@dataclass(frozen=True)
class BeamSearch(Generic[State, Context]):
    """Beams to start from, what they look at, and how one symbol more is written: `expand(memory, state, step)`."""

    state: State
    memory: Context
    expand: Callable[[Context, State, int], State]

    def run(self) -> Beams:
        """Problems whose beams have all ended are put aside, so that the others go on alone."""
        state, memory = self.state, self.memory
        done = Beams(*(torch.zeros_like(part) for part in (state.symbols, state.lengths, state.log_probs)))
        positions = torch.arange(len(state.ended), device=state.ended.device)
        for step in range(state.symbols.shape[-1]):
            state = self.expand(memory, state, step)
            if state.ended.device.type != "cpu" and (step + 1) % SYNC_EVERY:
                continue
            alive = (~state.ended & (state.log_probs > -torch.inf)).any(dim=1)
            active_count = int(alive.sum())
            if active_count == 0:
                break
            if active_count <= COMPACT_BELOW * len(alive):
                _put_aside(done, state, positions)
                kept = alive.nonzero().squeeze(1)
                positions, state, memory = positions[kept], state.each(_of(kept)), memory.each(_of(kept))
        _put_aside(done, state, positions)
        return done


def _of(rows: Tensor) -> Callable[[Tensor], Tensor]:
    return lambda value: value[rows]


def _put_aside(done: Beams, state: BeamState, positions: Tensor) -> None:
    """The beams so far, ended or not; those that go on are put again later."""
    done.symbols[positions] = state.symbols
    done.lengths[positions] = state.lengths
    done.log_probs[positions] = state.log_probs


def compute_where(where: Tensor, compute: Callable[..., tuple[Tensor, ...]], *beams: Tensor) -> tuple[Tensor, ...]:
    """compute(*beams) for those beams (B, K) for which `where` holds, given as rows (R, ...) of what each beam has.

    What the others get does not matter. A GPU computes all: to learn how many there are would be to wait for it.
    """
    rows = [values.flatten(0, 1) for values in beams]
    if where.device.type != "cpu":
        return tuple(part.view(*where.shape, *part.shape[1:]) for part in compute(*rows))
    positions = where.flatten().nonzero().squeeze(1)
    found = compute(*(values.index_select(0, positions) for values in rows))
    return tuple(_spread(part, positions, where) for part in found)


def _spread(part: Tensor, positions: Tensor, where: Tensor) -> Tensor:
    spread = part.new_zeros(where.numel(), *part.shape[1:]).index_copy_(0, positions, part)
    return spread.view(*where.shape, *part.shape[1:])


def read_stack(entries: Tensor, position: Tensor) -> Tensor:
    """What stands at place (B, K) of each beam; below the bottom it is the bottom, above the end the end."""
    return entries.gather(2, _index(entries, position)).squeeze(2)


def write_stack(entries: Tensor, position: Tensor, value: Tensor, where: Tensor) -> None:
    """Write `value` (B, K, ...) at place (B, K) of those beams for which `where` holds."""
    index = _index(entries, position)
    chosen = where[(..., *(None,) * (entries.dim() - 3))]
    entries.scatter_(2, index, torch.where(chosen, value, entries.gather(2, index).squeeze(2)).unsqueeze(2))


def _index(entries: Tensor, position: Tensor) -> Tensor:
    index = position.clamp(0, entries.shape[2] - 1)[(..., *(None,) * (entries.dim() - 2))]
    return index.expand(-1, -1, 1, *entries.shape[3:])
