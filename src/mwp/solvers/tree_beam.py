"""Beam search of a tree decoder: all problems and beams of a batch as one tensor of stacks.

A beam's stack holds one frame for each operator whose right subtree is not finished: the operator, the right goal,
and, once it is finished, the left subtree. A grammar mask lets every beam end as a complete expression within the
length limit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import torch
from torch import Tensor

from mwp.solvers.interfaces import Beams, Encoding
from mwp.solvers.symbols import OPERATOR_COUNT

if TYPE_CHECKING:
    from mwp.solvers.gts import GtsDecoder

# How often a GPU is asked which problems have ended; the CPU is asked every step.
PATIENCE = 8
# The share of problems still going on below which the others are put aside.
COMPACT = 0.75


@dataclass
class Stacks:
    """The state of B x K beams; D is the deepest stack, L the longest solution."""

    goal: Tensor  # (B, K, H) what is to be answered now, before the left subtree is seen
    left: Tensor  # (B, K, H) the finished left sibling, where has_left
    has_left: Tensor  # (B, K)
    frame_goal: Tensor  # (B, K, D, H)
    frame_left: Tensor  # (B, K, D, H)
    frame_operator: Tensor  # (B, K, D)
    frame_filled: Tensor  # (B, K, D) True once the left subtree is finished
    depth: Tensor  # (B, K) frames in use
    open: Tensor  # (B, K) goals that are still to be answered; 0 when the beam has ended
    symbols: Tensor  # (B, K, L)
    lengths: Tensor  # (B, K)
    log_probs: Tensor  # (B, K)

    def chosen(self, beams: Tensor) -> Stacks:
        """Each new beam continues one of the old ones: `beams` (B, K)."""
        rows = torch.arange(len(beams), device=beams.device)[:, None]
        return Stacks(**{name: value[rows, beams] for name, value in vars(self).items()})


def _start(problem: Tensor, k: int, depth: int, length: int) -> Stacks:
    batch, hidden = problem.shape
    whole = problem.new_zeros(batch, k, dtype=torch.long)
    log_probs = problem.new_full((batch, k), -torch.inf, dtype=torch.float)
    log_probs[:, 0] = 0.0
    return Stacks(
        goal=problem[:, None].expand(-1, k, -1),
        left=problem.new_zeros(batch, k, hidden),
        has_left=torch.zeros_like(whole, dtype=torch.bool),
        frame_goal=problem.new_zeros(batch, k, depth, hidden),
        frame_left=problem.new_zeros(batch, k, depth, hidden),
        frame_operator=whole[..., None].expand(-1, -1, depth).clone(),
        frame_filled=problem.new_zeros(batch, k, depth, dtype=torch.bool),
        depth=whole,
        open=whole + 1,
        symbols=whole[..., None].expand(-1, -1, length).clone(),
        lengths=whole,
        log_probs=log_probs,
    )


@dataclass
class Memory:
    """What the beams of B problems look at, computed once; each with a dimension for the beams."""

    keys: Tensor  # (B, 1, T, H) token states as attention sees them
    states: Tensor  # (B, 1, T, H)
    mask: Tensor  # (B, 1, T)
    leaves: Tensor  # (B, C + N, H)
    leaf_keys: Tensor  # (B, 1, C + N, H)
    leaf_mask: Tensor  # (B, 1, C + N)


Rows = TypeVar("Rows", Stacks, Memory)


def _rows(batch: Rows, rows: Tensor) -> Rows:
    return type(batch)(**{name: value[rows] for name, value in vars(batch).items()})


def _remember(decoder: GtsDecoder, encoding: Encoding) -> Memory:
    leaves = decoder.leaves(encoding)
    return Memory(
        keys=decoder.attend_state(encoding.states)[:, None],
        states=encoding.states[:, None],
        mask=encoding.token_mask[:, None],
        leaves=leaves,
        leaf_keys=decoder.leaf_vector(leaves)[:, None],
        leaf_mask=decoder.leaf_mask(encoding)[:, None],
    )


def tree_beams(decoder: GtsDecoder, encoding: Encoding, k: int) -> Beams:
    """Problems whose beams have all ended are put aside, so that the others go on alone."""
    length = 2 * decoder.max_operators + 1
    memory, state = _remember(decoder, encoding), _start(encoding.problem, k, decoder.max_operators, length)
    done = Beams(torch.zeros_like(state.symbols), torch.zeros_like(state.lengths), torch.zeros_like(state.log_probs))
    places = torch.arange(len(state.open), device=state.open.device)
    for step in range(length):
        state = _grow(decoder, memory, state, k, step, length)
        if state.open.device.type != "cpu" and (step + 1) % PATIENCE:
            continue
        alive = (state.open > 0).any(dim=1)
        going_on = int(alive.sum())
        if going_on == 0:
            break
        if going_on <= COMPACT * len(alive):
            _put_aside(done, state, places)
            places, state, memory = places[alive], _rows(state, alive), _rows(memory, alive)
    _put_aside(done, state, places)
    return done


def _put_aside(done: Beams, state: Stacks, places: Tensor) -> None:
    """The beams so far, ended or not; those that go on are put again later."""
    done.symbols[places] = state.symbols
    done.lengths[places] = state.lengths
    done.log_probs[places] = state.log_probs


def _grow(decoder: GtsDecoder, memory: Memory, state: Stacks, k: int, step: int, length: int) -> Stacks:
    """One symbol more for every beam that has not ended."""
    (plain,), (seeing,) = decoder.left_goal(state.goal), decoder.right_goal(state.left, state.goal)
    goal = torch.where(state.has_left[..., None], seeing, plain)
    context = decoder.context(goal, memory.keys, memory.states, memory.mask)
    table = decoder.scores(goal, context, memory.leaf_keys, memory.leaf_mask)
    beams, symbols, log_probs = _best(state, _allowed(table, state, length - step - 1), k)
    rows = torch.arange(len(beams), device=beams.device)[:, None]
    state, goal, context = state.chosen(beams), goal[rows, beams], context[rows, beams]
    state.log_probs = log_probs
    _advance(decoder, state, goal, context, symbols, memory.leaves, step)
    return state


def _allowed(table: Tensor, state: Stacks, left_after: int) -> Tensor:
    """An operator only if the goals it leaves open can all be answered within the length limit."""
    no_operator = state.open + 1 > left_after
    barred = torch.cat(
        (
            no_operator[..., None].expand(-1, -1, OPERATOR_COUNT),
            torch.zeros_like(table[..., OPERATOR_COUNT:], dtype=torch.bool),
        ),
        dim=-1,
    )
    return table.masked_fill(barred, -torch.inf)


def _best(state: Stacks, table: Tensor, k: int) -> tuple[Tensor, Tensor, Tensor]:
    """The k best continuations of each problem; a beam that has ended has one, itself."""
    ended = (state.open == 0)[..., None]
    stay = torch.full_like(table, -torch.inf)
    stay[..., 0] = 0.0
    total = state.log_probs[..., None] + torch.where(ended, stay, table)
    log_probs, places = total.flatten(1).topk(k, dim=1)
    return places // table.shape[-1], places % table.shape[-1], log_probs


def _advance(
    decoder: GtsDecoder, state: Stacks, goal: Tensor, context: Tensor, symbols: Tensor, leaves: Tensor, step: int
) -> None:
    active = state.open > 0
    is_operator = active & (symbols < OPERATOR_COUNT)
    is_leaf = active & ~is_operator
    state.symbols[..., step] = torch.where(active, symbols, 0)
    state.lengths = state.lengths + active.long()
    state.open = state.open + is_operator.long() - is_leaf.long()
    _push(decoder, state, goal, context, symbols, is_operator)
    _finish(decoder, state, symbols, leaves, is_leaf, step)


def _slot(frames: Tensor, place: Tensor) -> Tensor:
    """place (B, K) as an index into frames (B, K, D, ...); below the bottom it is the bottom."""
    index = place.clamp(min=0)[(..., *(None,) * (frames.dim() - 2))]
    return index.expand(-1, -1, 1, *frames.shape[3:])


def _at(frames: Tensor, place: Tensor) -> Tensor:
    return frames.gather(2, _slot(frames, place)).squeeze(2)


def _put(frames: Tensor, place: Tensor, value: Tensor, where: Tensor) -> None:
    """Write `value` (B, K, ...) at place (B, K) of those beams for which `where` holds."""
    slot = _slot(frames, place.clamp(max=frames.shape[2] - 1))
    chosen = where[(..., *(None,) * (frames.dim() - 3))]
    frames.scatter_(2, slot, torch.where(chosen, value, frames.gather(2, slot).squeeze(2)).unsqueeze(2))


def _push(decoder: GtsDecoder, state: Stacks, goal: Tensor, context: Tensor, symbols: Tensor, where: Tensor) -> None:
    """An operator opens a frame with its right goal, and its left goal is next."""
    operator = symbols.clamp(max=OPERATOR_COUNT - 1)
    left, right = decoder.split(goal, context, decoder.operator_vectors(operator))
    _put(state.frame_goal, state.depth, right, where)
    _put(state.frame_operator, state.depth, operator, where)
    _put(state.frame_filled, state.depth, torch.zeros_like(where), where)
    state.depth = state.depth + where.long()
    state.goal = torch.where(where[..., None], left, state.goal)
    state.has_left = state.has_left & ~where


def _finish(decoder: GtsDecoder, state: Stacks, symbols: Tensor, leaves: Tensor, where: Tensor, step: int) -> None:
    """A leaf ends a subtree, and with it every frame whose left subtree was finished; the next right goal sees it."""
    rows = torch.arange(len(symbols), device=symbols.device)[:, None]
    subtree = leaves[rows, (symbols - OPERATOR_COUNT).clamp(min=0)]
    closing = where
    for _ in range(min(decoder.max_operators, (step + 1) // 2)):
        top = state.depth - 1
        closing = closing & (top >= 0) & _at(state.frame_filled, top)
        if closing.device.type == "cpu" and not closing.any():
            break
        operator = decoder.operator_vectors(_at(state.frame_operator, top))
        (merged,) = decoder.merge(operator, _at(state.frame_left, top), subtree)
        subtree = torch.where(closing[..., None], merged, subtree)
        state.depth = state.depth - closing.long()
    top = state.depth - 1
    waiting = where & (top >= 0)
    _put(state.frame_left, top, subtree, waiting)
    _put(state.frame_filled, top, torch.ones_like(waiting), waiting)
    state.goal = torch.where(waiting[..., None], _at(state.frame_goal, top), state.goal)
    state.left = torch.where(waiting[..., None], subtree, state.left)
    state.has_left = state.has_left | waiting
