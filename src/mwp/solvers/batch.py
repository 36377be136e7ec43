"""Problems as padded tensors with the positions of their numbers, and the solutions of a batch of problems."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Self, TypeVar

import numpy as np
import torch
from torch import Tensor

from mwp.arith.notation import Solution
from mwp.data.problems import NUMBER_TOKEN, Problem
from mwp.data.vocabulary import MAX_NUMBERS, PAD_TOKEN, Vocabulary, symbol_ids

MAX_TOKENS = 256
Tensors = TypeVar("Tensors")
Value = TypeVar("Value")


@dataclass(frozen=True)
class EncodedProblem:
    """A problem's token ids and the positions of its numbers; numbers behind MAX_TOKENS are out of reach."""

    tokens: tuple[int, ...]
    numbers: tuple[int, ...]


def encode_problem(problem: Problem, vocabulary: Vocabulary) -> EncodedProblem:
    tokens = problem.tokens[:MAX_TOKENS] or (PAD_TOKEN,)
    positions = tuple(position for position, token in enumerate(tokens) if token == NUMBER_TOKEN)
    return EncodedProblem(tuple(vocabulary.encode(tokens)), positions[:MAX_NUMBERS])


@dataclass(frozen=True)
class ProblemBatch:
    """B problems of at most T tokens and N numbers, longest first as packed sequences want them."""

    tokens: Tensor  # (B, T) token ids
    lengths: Tensor  # (B,) stays on the CPU
    token_mask: Tensor  # (B, T) True at tokens
    number_positions: Tensor  # (B, N) index into T, 0 where there is no number
    number_mask: Tensor  # (B, N) True at numbers

    def __len__(self) -> int:
        return len(self.lengths)


def collate_problems(problems: Sequence[EncodedProblem]) -> ProblemBatch:
    """The problems must come longest first; at least one number column keeps shapes simple."""
    lengths = np.array([len(problem.tokens) for problem in problems])
    if (np.diff(lengths) > 0).any():
        raise ValueError("problems must be sorted by falling length")
    width = max(1, *(len(problem.numbers) for problem in problems)) if problems else 1
    tokens = np.zeros((len(problems), lengths[0]), dtype=np.int64)
    positions = np.zeros((len(problems), width), dtype=np.int64)
    present = np.zeros((len(problems), width), dtype=bool)
    for row, problem in enumerate(problems):
        tokens[row, : len(problem.tokens)] = problem.tokens
        positions[row, : len(problem.numbers)] = problem.numbers
        present[row, : len(problem.numbers)] = True
    return ProblemBatch(
        tokens=torch.from_numpy(tokens),
        lengths=torch.from_numpy(lengths),
        token_mask=torch.arange(int(lengths[0])) < torch.from_numpy(lengths)[:, None],
        number_positions=torch.from_numpy(positions),
        number_mask=torch.from_numpy(present),
    )


@dataclass(frozen=True)
class SolutionBatch:
    """The solutions of a batch of problems, one after the other; `problem_index` is each one's row in the batch."""

    keys: Sequence[str]
    solutions: Sequence[Solution]
    problem_index: Sequence[int]

    @classmethod
    def of(cls, keys: Sequence[str], solutions: Mapping[str, Sequence[Solution]]) -> Self:
        rows = [(row, solution) for row, key in enumerate(keys) for solution in solutions[key]]
        return cls(keys, [solution for _, solution in rows], [row for row, _ in rows])

    @cached_property
    def symbols(self) -> list[list[int]]:
        return [symbol_ids(solution) for solution in self.solutions]

    def split(self, values: Iterable[Value]) -> dict[str, list[Value]]:
        """Values, one a solution, by their problem's key."""
        found: dict[str, list[Value]] = {key: [] for key in self.keys}
        for row, value in zip(self.problem_index, values, strict=True):
            found[self.keys[row]].append(value)
        return found


def on_device(batch: Tensors, device: torch.device) -> Tensors:
    """A dataclass of tensors (and lists of them) on a device, by pinned non-blocking copies; `lengths` stays behind."""
    if device.type == "cpu":
        return batch
    moved = {
        field.name: _move(getattr(batch, field.name), device)
        for field in fields(batch)  # type: ignore[arg-type]
        if field.name != "lengths"
    }
    return replace(batch, **moved)  # type: ignore[type-var]


def _move(value: object, device: torch.device) -> object:
    if isinstance(value, Tensor):
        return value.pin_memory().to(device, non_blocking=True)
    if isinstance(value, list | tuple):
        return type(value)(_move(item, device) for item in value)
    return on_device(value, device) if hasattr(value, "__dataclass_fields__") else value
