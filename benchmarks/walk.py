"""Four walks through the package: which files are really entered, in the order in which a reader comes to them.

    python -m benchmarks.walk [step] [weight] [solve] [python] [--json]
    python -m benchmarks.walk --sizes [FOLDER]

A file counts once a function of it runs. What an import runs does not count: neither bodies of modules and classes nor
what these call. Each walk has a process of its own, in which nothing is loaded or cached yet, and one small model of
the embedded sample serves all. `--sizes` counts the files and lines of a package instead, with and without `__init__`.
"""

import argparse
import json
import os
import statistics
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from inspect import CO_OPTIMIZED
from io import StringIO
from multiprocessing import get_context
from pathlib import Path
from types import FrameType
from typing import Any

import mwp

SOURCE = Path(mwp.__file__).parent
SAMPLE = Path(__file__).parents[1] / "data/sample/math23k.json"
PROBLEMS = 150
MODEL = Path("models/full-d-gts/fold-0/model.pt")
TEXT = "一本书有120页，小明每天看15页，几天看完？"
# What a weight is made of is not how the network reads a problem, writes a solution, or holds one probable.
INSIDE_THE_NETWORK = (
    *(f"solvers/{name}.py" for name in ("base", "gru", "gts", "trees", "beam", "layers", "cpu_kernels")),
    *("data/vocabulary.py", "data/problems.py"),
    *(f"arith/{name}.py" for name in ("expressions", "notation", "numerals")),
)


@contextmanager
def tracing() -> Iterator[list[str]]:
    """The files of the package that are entered within, in order of first entry, whatever thread enters them."""
    entered: dict[str, None] = {}
    prefix = f"{SOURCE}{os.sep}"

    def note(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        # Bodies of modules and classes are no functions.
        if event == "call" and code.co_flags & CO_OPTIMIZED and code.co_filename.startswith(prefix):
            file = code.co_filename.removeprefix(prefix)
            if file not in entered and not _is_import(frame, prefix):
                entered[file] = None

    files: list[str] = []
    before = sys.getprofile()
    threading.setprofile(note)
    sys.setprofile(note)
    try:
        yield files
    finally:
        sys.setprofile(before)
        threading.setprofile(before)
        files += entered


def _is_import(frame: FrameType | None, prefix: str) -> bool:
    """Whether the body of one of the package's modules calls it."""
    while frame is not None:
        if frame.f_code.co_name == "<module>" and frame.f_code.co_filename.startswith(prefix):
            return True
        frame = frame.f_back
    return False


def _trainer(folder: Path) -> Any:
    """A D-GTS with a discriminator at the end of its first of two epochs, from which on solutions are found."""
    from mwp.data.files import read_records
    from mwp.data.problems import Problem
    from tests.training.toys import small_config, small_run

    trainer = small_run(read_records(folder / "data/clean/full.jsonl", Problem), folder / "run", small_config(epochs=2))
    trainer.start()
    return trainer


def training_step(folder: Path) -> list[str]:
    """From the trainer's call of a step, with a ready batch, to both optimizers' step."""
    trainer = _trainer(folder)
    (batch, *_) = trainer.epoch_batches()
    with tracing() as files:
        trainer.train_step(batch, 0, 0.01)
    return files


def weight(folder: Path) -> list[str]:
    """From a hypothesis found to the loss: it is checked, enters the buffer, is weighed by s and t, and trained on.

    These are the trainer's own calls where an epoch begins, and one of its steps.
    """
    from mwp.training.learner import MicroBatch

    trainer = _trainer(folder)
    for number, batch in enumerate(trainer.epoch_batches()):
        trainer.train_step(batch, number, 0.01)
    trainer.read_results()
    keys = sorted(trainer.corpus.train, key=lambda key: -len(trainer.encoded[key].tokens))[:8]
    with tracing() as files:
        new = trainer.buffer_work.fill(trainer.update, trainer.buffer, 1)
        records = trainer.buffer_work.weigh(trainer.buffer, 1, trainer.learner.discriminator)
        weights = {key: [one.a for one in some] for key, some in records.items()}
        batch = MicroBatch.of(keys, trainer.buffer, weights, len(keys))
        trainer.learner.step(batch, trainer.encoded, 0.01)
    assert new > 0
    return files


def solve_command(folder: Path) -> list[str]:
    """`mwp solve TEXT` in a project with a trained model."""
    from mwp.cli.app import app, run

    os.chdir(folder)
    sys.argv = ["mwp", "solve", TEXT]
    with redirect_stdout(StringIO()) as out, tracing() as files:
        code = run(app)
    assert code == 0, code
    assert "answer: " in out.getvalue()
    return files


def solve_in_python(folder: Path) -> list[str]:
    """`mwp.load(PATH).solve(TEXT)`; before there was such a thing, what it will call, and two files for itself."""
    if hasattr(mwp, "load"):
        with tracing() as files:
            answers = mwp.load(folder / MODEL).solve(TEXT)
        assert answers
        return files
    from mwp.data.readers import read_question
    from mwp.inference.solver import Solver

    with tracing() as files:
        next(Solver.load(folder / MODEL).solve_all([read_question(TEXT)]))
    return ["__init__.py", "api.py", *files]


@dataclass(frozen=True)
class Walk:
    title: str
    go: Callable[[Path], list[str]]
    limit: int
    left_out: tuple[str, ...] = ()


WALKS: Mapping[str, Walk] = {
    "step": Walk("a training step of D-GTS with its discriminator", training_step, 14),
    "weight": Walk("the weight of a buffered solution, from hypothesis to loss", weight, 8, INSIDE_THE_NETWORK),
    "solve": Walk("mwp solve TEXT", solve_command, 34),
    "python": Walk("mwp.load(PATH).solve(TEXT)", solve_in_python, 29),
}


@dataclass(frozen=True)
class Walked:
    """`files` count; those `left_out` are entered too, but belong to what the walk does not ask about."""

    files: list[str]
    left_out: list[str]


def walk_all(names: Sequence[str] = tuple(WALKS)) -> dict[str, Walked]:
    """Each walk in a new process."""
    with (
        tempfile.TemporaryDirectory() as folder,
        ProcessPoolExecutor(1, mp_context=get_context("spawn"), max_tasks_per_child=1) as pool,
    ):
        pool.submit(_prepare, Path(folder)).result()
        return {name: pool.submit(_walk, name, Path(folder)).result() for name in names}


def _prepare(folder: Path) -> None:
    """A project with a small trained model."""
    from mwp.data.cleaning import clean
    from mwp.data.readers import read_problems
    from tests.training.toys import train_project

    train_project(folder, clean(read_problems(SAMPLE).problems).kept[:PROBLEMS])


def _walk(name: str, folder: Path) -> Walked:
    walk = WALKS[name]
    entered = walk.go(folder)
    return Walked(
        [file for file in entered if file not in walk.left_out], [file for file in entered if file in walk.left_out]
    )


@dataclass(frozen=True)
class Sizes:
    """Lines of the files of a package."""

    files: int
    median: float
    shortest: int
    longest: int
    lines: int


def sizes(folder: Path, with_init: bool = True) -> Sizes:
    files = [file for file in folder.rglob("*.py") if with_init or file.name != "__init__.py"]
    lines = [len(file.read_text(encoding="utf8").splitlines()) for file in files]
    return Sizes(len(lines), statistics.median(lines), min(lines), max(lines), sum(lines))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0] if __doc__ else None)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(WALKS)}; all by default")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--sizes", nargs="?", const=SOURCE, type=Path, metavar="FOLDER")
    given = parser.parse_args()
    if unknown := [name for name in given.names if name not in WALKS]:
        parser.error(f"expected walks of {', '.join(WALKS)}, found {unknown[0]}")
    if given.sizes:
        every, named = sizes(given.sizes), sizes(given.sizes, with_init=False)
        if given.json:
            print(json.dumps({"all": vars(every), "without_init": vars(named)}))
        else:
            print(f"{_sizes_text(every)}\nwithout __init__: {_sizes_text(named)}")
        return
    walked = walk_all(given.names or tuple(WALKS))
    if given.json:
        print(json.dumps({name: vars(one) for name, one in walked.items()}, indent=2))
        return
    print("\n\n".join(_text(WALKS[name], one) for name, one in walked.items()))


def _text(walk: Walk, walked: Walked) -> str:
    lines = [f"{walk.title}: {len(walked.files)} files (at most {walk.limit})"]
    lines += [f"{number:4} {file}" for number, file in enumerate(walked.files, 1)]
    if walked.left_out:
        lines.append(f"not counted, the network's inside: {', '.join(walked.left_out)}")
    return "\n".join(lines)


def _sizes_text(found: Sizes) -> str:
    return (
        f"{found.files} files, {found.lines:,} lines; a file: median {found.median:g}, "
        f"from {found.shortest} to {found.longest}"
    )


if __name__ == "__main__":
    main()
