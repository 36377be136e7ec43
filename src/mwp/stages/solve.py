"""Solve problems that somebody typed: one text, or a file with one a line."""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from mwp.data.files import read_text
from mwp.data.problems import Problem
from mwp.data.questions import read_question
from mwp.errors import BadInput
from mwp.evaluation.answers import Answer
from mwp.evaluation.beams import BATCH, answer_all
from mwp.stages.trained import find_model
from mwp.training.models import Model, load_model

STDIN = "-"


@dataclass(frozen=True)
class Asking:
    """How to ask: which model, how many equations, and whether equal ones stay apart."""

    model: str | None
    k: int
    raw: bool


@dataclass(frozen=True)
class Line:
    """What came of a line of a file, counted from 1: an answer, or what is wrong with it."""

    number: int
    answer: Answer | None
    error: str | None


def solve_text(text: str, asking: Asking) -> Answer:
    problem = read_question(text)
    return next(answer_all(load_model(find_model(asking.model)), [problem], asking.k, asking.raw))


def read_lines(file: str) -> list[str]:
    text = sys.stdin.read() if file == STDIN else read_text(Path(file))
    if not text.strip():
        name = "the standard input" if file == STDIN else file
        raise BadInput(f"expected problems, one a line; {name} is empty")
    return text.removesuffix("\n").split("\n")


def solve_lines(lines: Sequence[str], asking: Asking) -> Iterator[Line]:
    """In their order; a line that is no problem does not keep the others from being solved."""
    model = load_model(find_model(asking.model))
    for start in range(0, len(lines), BATCH):
        yield from _solve_some(model, lines[start : start + BATCH], start + 1, asking)


def _solve_some(model: Model, lines: Sequence[str], first: int, asking: Asking) -> Iterator[Line]:
    read = [_read(line) for line in lines]
    answers = answer_all(model, [found for found in read if isinstance(found, Problem)], asking.k, asking.raw)
    for number, found in enumerate(read, first):
        if isinstance(found, Problem):
            yield Line(number, next(answers), None)
        else:
            yield Line(number, None, found)


def _read(line: str) -> Problem | str:
    try:
        return read_question(line)
    except BadInput as error:
        return str(error)
