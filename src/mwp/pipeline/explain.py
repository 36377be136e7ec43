"""`mwp explain`: the solutions in a problem's buffer, and their weights over the training."""

from pathlib import Path

from mwp.data.files import read_records
from mwp.data.folds import Fold
from mwp.data.problems import Problem
from mwp.errors import BadInput
from mwp.pipeline.grid import BUFFER_FILE, DATASETS, FULL, folds_file, problems_file
from mwp.pipeline.trained import find_folder
from mwp.report.solution_history import SolutionHistory, solution_history
from mwp.training.buffer import ProblemBuffer


def explain_problem(name: str, system: str | None, fold: int | None) -> SolutionHistory:
    """`name` is an id of dataset full, or DATASET/ID."""
    folder = find_folder(system, None if fold is None else str(fold))
    index = int(folder.name.removeprefix("fold-"))
    dataset, problem = _find_problem(name)
    key = f"{dataset}/{problem.id}"
    buffers = {buffered.problem: buffered for buffered in read_records(folder / BUFFER_FILE, ProblemBuffer)}
    if key not in buffers:
        raise BadInput(_absence(key, dataset, problem, folder, index, buffers))
    return solution_history(problem, buffers[key], folder.parent.name, index)


def _find_problem(name: str) -> tuple[str, Problem]:
    dataset, slash, id = name.partition("/")
    if not slash:
        dataset, id = FULL, name
    if dataset not in DATASETS:
        raise BadInput(f"expected an id such as 123 or {'/123 or '.join(DATASETS)}/123, found {name!r}")
    problems = {problem.id: problem for problem in read_records(problems_file(dataset), Problem)}
    if id not in problems:
        first = next(iter(problems), "none")
        raise BadInput(
            f"{id!r} is none of the {len(problems):,} problems of dataset {dataset} ({problems_file(dataset)}); "
            f"give an id of that file, such as {first}"
        )
    return dataset, problems[id]


def _absence(
    key: str, dataset: str, problem: Problem, folder: Path, index: int, buffers: dict[str, ProblemBuffer]
) -> str:
    """Why a training has no buffer for a problem."""
    training = f"{folder.parent.name} fold {index}"
    if not any(name.startswith(f"{dataset}/") for name in buffers):
        return f"{key}: {training} was not trained on dataset {dataset}; choose a system that was: --system NAME"
    held_out = read_records(folds_file(dataset), Fold)[index]
    for part, ids in (("test", held_out.test), ("validation", held_out.valid)):
        if problem.id in ids:
            return (
                f"{key} is in the {part} part of fold {index}, held out of the training of {training}: it has no "
                "buffer; choose another problem or another --fold"
            )
    return f"{key}: the buffer of {training} does not know it; it was trained on other data: train again"
