"""Texts of many people in, JSON objects out: what a server or MLflow answers."""

from collections.abc import Sequence
from typing import Any

from mwp.data.problems import Problem
from mwp.data.readers import read_question
from mwp.errors import BadInput
from mwp.inference.solver import Solver

MAX_ANSWERS = 10


def answer_texts(solver: Solver, texts: Sequence[Any], k: int, raw: bool) -> list[dict[str, Any]]:
    """One object for each text; one that is no problem gets an error in the place of its answer."""
    read = [_read(text) for text in texts]
    problems = [one for one in read if isinstance(one, Problem)]
    found = solver.solve_all(problems, k, merge_equal=not raw)
    return [next(found).model_dump(mode="json") if isinstance(one, Problem) else {"error": one} for one in read]


def _read(text: Any) -> Problem | str:
    try:
        return read_question(str(text))
    except BadInput as error:
        return str(error)
