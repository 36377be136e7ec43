"""Beam search of a tree decoder: all problems and beams of a batch as one tensor of stacks.

A beam's stack holds one frame for each operator whose right subtree is not finished: the operator, the right goal,
and, once it is finished, the left subtree. A grammar mask lets every beam end as a complete expression within the
length limit, or of exactly the length that is asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from mwp.solvers.beam import BeamState, Rows, Search, best, blank
from mwp.solvers.frames import only, read_frame, write_frame
from mwp.solvers.interfaces import Encoding
from mwp.solvers.leaves import leaf_mask, leaf_vectors
from mwp.solvers.symbols import OPERATOR_COUNT

if TYPE_CHECKING:
    from mwp.solvers.gts import GtsDecoder


@dataclass
class Stacks(BeamState):
    """The state of B x K beams; D is the deepest stack."""

    goal: Tensor  # (B, K, H) what is to be answered now, before the left subtree is seen
    left: Tensor  # (B, K, H) the finished left sibling, where has_left
    has_left: Tensor  # (B, K)
    frame_goal: Tensor  # (B, K, D, H)
    frame_left: Tensor  # (B, K, D, H)
    frame_operator: Tensor  # (B, K, D)
    frame_filled: Tensor  # (B, K, D) True once the left subtree is finished
    depth: Tensor  # (B, K) frames in use
    open: Tensor  # (B, K) goals that are still to be answered


def _start(problem: Tensor, k: int, length: int) -> Stacks:
    batch, hidden = problem.shape
    depth = max(1, length // 2)
    whole = problem.new_zeros(batch, k, dtype=torch.long)
    return Stacks(
        **vars(blank(problem, k, length)),
        goal=problem[:, None].expand(-1, k, -1),
        left=problem.new_zeros(batch, k, hidden),
        has_left=torch.zeros_like(whole, dtype=torch.bool),
        frame_goal=problem.new_zeros(batch, k, depth, hidden),
        frame_left=problem.new_zeros(batch, k, depth, hidden),
        frame_operator=whole[..., None].expand(-1, -1, depth).clone(),
        frame_filled=problem.new_zeros(batch, k, depth, dtype=torch.bool),
        depth=whole,
        open=whole + 1,
    )


@dataclass
class Memory(Rows):
    """What the beams of B problems look at, computed once."""

    keys: Tensor  # (B, T, H) token states as attention sees them
    states: Tensor  # (B, T, H)
    mask: Tensor  # (B, T)
    leaves: Tensor  # (B, C + N, H)
    leaf_keys: Tensor  # (B, C + N, H)
    leaf_mask: Tensor  # (B, C + N)
    least: Tensor  # (B, 1) symbols of a solution, at least
    most: Tensor  # (B, 1) and at most


def _remember(decoder: GtsDecoder, encoding: Encoding, least: Tensor, most: Tensor) -> Memory:
    leaves = leaf_vectors(decoder.constant_vectors.weight, encoding)
    return Memory(
        keys=decoder.attend_state(encoding.states),
        states=encoding.states,
        mask=encoding.token_mask,
        leaves=leaves,
        leaf_keys=decoder.leaf_vector(leaves),
        leaf_mask=leaf_mask(encoding),
        least=least[:, None],
        most=most[:, None],
    )


def tree_search(
    decoder: GtsDecoder, encoding: Encoding, k: int, lengths: Tensor | None = None
) -> Search[Stacks, Memory]:
    """With `lengths` (B,) every solution of a problem has exactly so many symbols, however many operators that is."""
    limit = 2 * decoder.max_operators + 1
    least = most = torch.full((len(encoding.problem),), limit, device=encoding.problem.device)
    if lengths is None:
        least = torch.ones_like(most)
    else:
        if bool(((lengths < 1) | (lengths % 2 == 0)).any()):
            raise ValueError(f"a complete expression has an odd number of symbols, not {lengths.tolist()}")
        limit = int(lengths.max())
        least = most = lengths.to(most)
    memory = _remember(decoder, encoding, least, most)
    return Search(_start(encoding.problem, k, limit), memory, partial(_grow, decoder))


def _grow(decoder: GtsDecoder, memory: Memory, state: Stacks, step: int) -> Stacks:
    """One symbol more for every beam that has not ended."""
    going = ~state.ended & (state.log_probs > -torch.inf)
    (plain,) = only(going & ~state.has_left, decoder.left_goal, state.goal)
    (seeing,) = only(going & state.has_left, decoder.right_goal, state.left, state.goal)
    goal = torch.where(state.has_left[..., None], seeing, plain)
    owners = torch.arange(len(goal), device=goal.device)[:, None].expand(goal.shape[:2])
    context, table = only(going, partial(_look, decoder, memory), goal, owners)
    choice = best(state, table.masked_fill(_barred(table, memory, state, step + 1), -torch.inf))
    state = state.chosen(choice)
    _advance(decoder, state, choice.of(goal), choice.of(context), choice.symbols, memory.leaves, step)
    return state


def _look(decoder: GtsDecoder, memory: Memory, goals: Tensor, owners: Tensor) -> tuple[Tensor, Tensor]:
    """What goals (M, H) find in their problems, and how probable each symbol is."""
    contexts = decoder.context(goals, memory.keys, memory.states, memory.mask, owners)
    leaf_keys, leaf_mask = (values.index_select(0, owners) for values in (memory.leaf_keys, memory.leaf_mask))
    return contexts, decoder.scores(goals, contexts, leaf_keys, leaf_mask)


def _barred(table: Tensor, memory: Memory, state: Stacks, written: int) -> Tensor:
    """No operator whose goals could not all be answered in what is left, no last leaf before the end."""
    no_operator = state.open + 1 > memory.most - written
    no_leaf = (state.open == 1) & (written < memory.least)
    leaves = table.shape[-1] - OPERATOR_COUNT
    return torch.cat(
        (
            no_operator[..., None].expand(-1, -1, OPERATOR_COUNT),
            no_leaf[..., None].expand(-1, -1, leaves),
        ),
        dim=-1,
    )


def _advance(
    decoder: GtsDecoder, state: Stacks, goal: Tensor, context: Tensor, symbols: Tensor, leaves: Tensor, step: int
) -> None:
    is_operator = ~state.ended & (symbols < OPERATOR_COUNT)
    is_leaf = ~state.ended & ~is_operator
    state.write(symbols, step)
    state.open = state.open + is_operator.long() - is_leaf.long()
    state.ended = state.open == 0
    _push(decoder, state, goal, context, symbols, is_operator)
    _finish(decoder, state, symbols, leaves, is_leaf, step)


def _push(decoder: GtsDecoder, state: Stacks, goal: Tensor, context: Tensor, symbols: Tensor, where: Tensor) -> None:
    """An operator opens a frame with its right goal, and its left goal is next."""
    operator = symbols.clamp(max=OPERATOR_COUNT - 1)
    left, right = only(where, decoder.split, goal, context, decoder.operator_vectors(operator))
    write_frame(state.frame_goal, state.depth, right, where)
    write_frame(state.frame_operator, state.depth, operator, where)
    write_frame(state.frame_filled, state.depth, torch.zeros_like(where), where)
    state.depth = state.depth + where.long()
    state.goal = torch.where(where[..., None], left, state.goal)
    state.has_left = state.has_left & ~where


def _finish(decoder: GtsDecoder, state: Stacks, symbols: Tensor, leaves: Tensor, where: Tensor, step: int) -> None:
    """A leaf ends a subtree, and with it every frame whose left subtree was finished; the next right goal sees it."""
    rows = torch.arange(len(symbols), device=symbols.device)[:, None]
    subtree = leaves[rows, (symbols - OPERATOR_COUNT).clamp(min=0)]
    closing = where
    for _ in range(min(state.frame_operator.shape[-1], (step + 1) // 2)):
        top = state.depth - 1
        closing = closing & (top >= 0) & read_frame(state.frame_filled, top)
        if closing.device.type == "cpu" and not closing.any():
            break
        operator = decoder.operator_vectors(read_frame(state.frame_operator, top))
        (merged,) = only(closing, decoder.merge, operator, read_frame(state.frame_left, top), subtree)
        subtree = torch.where(closing[..., None], merged, subtree)
        state.depth = state.depth - closing.long()
    top = state.depth - 1
    waiting = where & (top >= 0)
    write_frame(state.frame_left, top, subtree, waiting)
    write_frame(state.frame_filled, top, torch.ones_like(waiting), waiting)
    state.goal = torch.where(waiting[..., None], read_frame(state.frame_goal, top), state.goal)
    state.left = torch.where(waiting[..., None], subtree, state.left)
    state.has_left = state.has_left | waiting
