"""The trained solvers of the project, found by path or by system, and their answers."""

import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from mwp.data.files import read_text
from mwp.data.problems import Problem
from mwp.data.readers import read_question
from mwp.errors import BadInput
from mwp.inference.answers import SolvedProblem
from mwp.inference.solver import BATCH_SIZE, Solver
from mwp.pipeline.grid import MODEL_FILE, MODELS

STDIN = "-"


def trained_folders() -> list[Path]:
    """`models/SYSTEM/fold-K` with a model inside, the newest first."""
    found = MODELS.glob(f"*/fold-*/{MODEL_FILE}")
    return [file.parent for file in sorted(found, key=lambda file: (-file.stat().st_mtime, str(file)))]


def find_model(name: str | None) -> Path:
    """A model's file by its path, its folder's, or SYSTEM or SYSTEM/fold-K; without a name the newest."""
    path = Path(name) if name else None
    if path is not None and path.is_file():
        return path
    if path is not None and (path / MODEL_FILE).is_file():
        return path / MODEL_FILE
    system, _, fold = (name or "").removeprefix(f"{MODELS}/").strip("/").partition("/")
    return find_folder(system or None, fold or None) / MODEL_FILE


def find_folder(system: str | None, fold: str | None) -> Path:
    """The newest folder of this system and fold (`fold-0` or `0`), where they are given."""
    known = trained_folders()
    if not known:
        raise BadInput(f"no trained model under {MODELS}/; train one first, for example with: dvc repro")
    number = re.sub(r"^fold-", "", fold) if fold is not None else None
    for folder in known:
        if system in (None, folder.parent.name) and (number is None or folder.name == f"fold-{number}"):
            return folder
    wanted = "/".join(part for part in (system, fold and f"fold-{number}") if part)
    there = ", ".join(sorted(str(folder.relative_to(MODELS)) for folder in known))
    raise BadInput(f"expected the path of a model or a trained system, found {wanted!r}; there are: {there}")


@dataclass(frozen=True)
class SolveOptions:
    """Which model, how many equations, and whether equal ones stay apart."""

    model: str | None
    k: int
    raw: bool


@dataclass(frozen=True)
class SolvedLine:
    """A line of a file, counted from 1: its answer, or what is wrong with it."""

    number: int
    answer: SolvedProblem | None
    error: str | None


def solve_text(text: str, options: SolveOptions) -> SolvedProblem:
    problem = read_question(text)
    return next(Solver.load(find_model(options.model)).solve_all([problem], options.k, merge_equal=not options.raw))


def read_lines(file: str) -> list[str]:
    text = sys.stdin.read() if file == STDIN else read_text(Path(file))
    if not text.strip():
        name = "the standard input" if file == STDIN else file
        raise BadInput(f"expected problems, one a line; {name} is empty")
    return text.removesuffix("\n").split("\n")


def solve_lines(lines: Sequence[str], options: SolveOptions) -> Iterator[SolvedLine]:
    """In their order; a line that is no problem does not keep the others from being solved."""
    solver = Solver.load(find_model(options.model))
    for start in range(0, len(lines), BATCH_SIZE):
        yield from _solve_some(solver, lines[start : start + BATCH_SIZE], start + 1, options)


def _solve_some(solver: Solver, lines: Sequence[str], first: int, options: SolveOptions) -> Iterator[SolvedLine]:
    read = [_read(line) for line in lines]
    problems = [found for found in read if isinstance(found, Problem)]
    answers = solver.solve_all(problems, options.k, merge_equal=not options.raw)
    for number, found in enumerate(read, first):
        if isinstance(found, Problem):
            yield SolvedLine(number, next(answers), None)
        else:
            yield SolvedLine(number, None, found)


def _read(line: str) -> Problem | str:
    try:
        return read_question(line)
    except BadInput as error:
        return str(error)
