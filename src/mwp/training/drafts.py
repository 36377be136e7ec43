"""Drafts for LBF from a tree decoder: the log-probability of every symbol at every node of what it wrote."""

from collections.abc import Sequence

import torch

from mwp.data.problems import Problem
from mwp.solvers.gts import GtsDecoder
from mwp.solvers.interfaces import Encoding
from mwp.solvers.problem_batch import on_device
from mwp.solvers.symbols import FIRST_NUMBER, symbol_ids, symbol_token
from mwp.training.buffer import Solution
from mwp.training.draft_tree import Draft, Table
from mwp.training.walk import Tables


def tables_of(
    decoder: GtsDecoder, encoding: Encoding, solutions: Sequence[Solution], owners: Sequence[int]
) -> list[tuple[Table, ...]]:
    """For each solution the tables of its tokens, by one call; `owners` are rows of the encoding.

    A table holds the symbols that the problem has. With its first two arguments given this is what a walk asks.
    """
    plan = on_device(decoder.plan([symbol_ids(solution) for solution in solutions], owners), encoding.states.device)
    scores = decoder.tables(encoding, plan)
    rows = iter(torch.empty_like(scores).index_copy(0, plan.places, scores).tolist())
    symbols = [symbol_token(symbol) for symbol in range(scores.shape[1])]
    known = [symbols[: FIRST_NUMBER + count] for count in encoding.number_mask.sum(dim=1).tolist()]
    return [
        tuple(dict(zip(known[owner], next(rows), strict=False)) for _ in solution)
        for solution, owner in zip(solutions, owners, strict=True)
    ]


def make_drafts(problems: Sequence[Problem], solutions: Sequence[Solution], tables: Tables) -> list[Draft]:
    """One solution for each problem, in the order of the encoding behind `tables`."""
    found = tables(solutions, range(len(problems)))
    return [
        Draft(solution, each, problem.values, problem.answer)
        for problem, solution, each in zip(problems, solutions, found, strict=True)
    ]
