"""docs/results.md: a template of prose whose tables, figures and pictures come from saved runs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, TemplateError

from mwp.arith.expressions import matches_answer
from mwp.data.files import read_records, read_text, write_text
from mwp.errors import BadInput
from mwp.inference.answers import SolvedProblem
from mwp.report.figures import draw_minutes
from mwp.report.saved_run_tables import SavedRunTables
from mwp.report.saved_runs import Costs, SavedRuns, epochs_table, grid_table
from mwp.report.tables import table

TEMPLATE = "results.md.j2"
# The output of `benchmarks.cost`, and, in a system's folder, its answers to the problems of data/examples.
COSTS, EXAMPLES = "cost.json", "examples.jsonl"
EXAMPLE_ANSWERS = Path("data/examples/answers.txt")


def write_results(folder: Path, document: Path) -> None:
    """`document` from the template and the runs in `folder`; its pictures go to `images/` beside it."""
    tables = SavedRunTables(SavedRuns(folder))
    environment = Environment(
        loader=FileSystemLoader(folder),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,
    )
    try:
        text = environment.get_template(TEMPLATE).render(
            runs=tables,
            curves=_curves(tables, document.parent / "images"),
            costs=_costs(folder / COSTS),
            worked_examples=lambda system: _worked_examples(folder / system / EXAMPLES),
            epochs_table=epochs_table,
            grid_table=grid_table,
            worked_examples_table=worked_examples_table,
        )
    except TemplateError as error:
        raise BadInput(f"{folder / TEMPLATE}: {error.message or type(error).__name__}") from error
    write_text(document, text.rstrip() + "\n")


def _costs(path: Path) -> Costs | None:
    return Costs.model_validate_json(read_text(path)) if path.exists() else None


@dataclass(frozen=True)
class WorkedExample:
    """A problem as it was answered; `expected` is as a rational, such as 1/12."""

    solved: SolvedProblem
    expected: str

    @property
    def rank(self) -> int | None:
        """Of the first answer that is right, from 1."""
        values = [answer.value for answer in self.solved.answers]
        right = (rank for rank, value in enumerate(values, 1) if matches_answer(value, Fraction(self.expected)))
        return next(right, None)


def _worked_examples(path: Path) -> list[WorkedExample]:
    return read_worked_examples(EXAMPLE_ANSWERS, path) if path.exists() else []


def _curves(tables: SavedRunTables, images: Path) -> Callable[..., str]:
    def draw(name: str, groups: Mapping[str, Sequence[str]]) -> str:
        """Draw the systems that were run, one group beside another, and refer to the picture."""
        runs = {
            title: [tables.run(system) for system in systems if tables.has(system)] for title, systems in groups.items()
        }
        draw_minutes(runs, images / f"{name}.svg")
        titles = ". ".join(f"{title}: {'; '.join(run.title for run in group)}" for title, group in runs.items())
        return f"![Accuracy against minutes. {titles}.](images/{name}.svg)"

    return draw


class Solved(SolvedProblem):
    """A line of the output of `mwp solve --file F --json`."""

    line: int


def read_worked_examples(answers: Path, solved: Path) -> list[WorkedExample]:
    expected, found = read_text(answers).split(), read_records(solved, Solved)
    if len(expected) != len(found):
        raise BadInput(f"{answers} has {len(expected)} answers, {solved} {len(found)} problems; solve all of them")
    return [WorkedExample(answer, right) for answer, right in zip(found, expected, strict=True)]


def worked_examples_table(problems: Sequence[WorkedExample]) -> str:
    return table(
        ("problem", "answer", "first equation", "its answer", "probability", "verified", "right"),
        [
            (
                example.solved.text,
                example.expected,
                first.filled_in.replace("*", "×"),
                first.text or "none",
                f"{first.probability:.0%}",
                "unknown" if first.verified is None else f"{first.verified:.0%}",
                {1: "yes", None: "no"}.get(example.rank, f"no, but answer {example.rank} is"),
            )
            for example in problems
            for first in example.solved.answers[:1]
        ],
    )
