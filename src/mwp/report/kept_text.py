"""The document of a study: a template of prose whose tables, figures and pictures come from kept runs."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, TemplateError

from mwp.data.files import read_text, write_text
from mwp.errors import BadInput
from mwp.report.kept import Kept
from mwp.report.kept_costs import Costs, epochs_table, grid_table
from mwp.report.kept_pictures import draw_minutes
from mwp.report.kept_tables import Tables
from mwp.report.own import Own, own_table, read_own

TEMPLATE = "results.md.j2"
# What `benchmarks.cost` measured, and how a system, in whose folder it stands, answered the problems of data/own.
COSTS, OWN = "cost.json", "own.jsonl"
OWN_ANSWERS = Path("data/own/answers.txt")


def write_results(folder: Path, document: Path) -> None:
    """`document` from the template and the runs in `folder`; its pictures go to `images/` beside it."""
    tables = Tables(Kept(folder))
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
            own=lambda system: _own(folder / system / OWN),
            epochs_table=epochs_table,
            grid_table=grid_table,
            own_table=own_table,
        )
    except TemplateError as error:
        raise BadInput(f"{folder / TEMPLATE}: {error.message or type(error).__name__}") from error
    write_text(document, text.rstrip() + "\n")


def _costs(path: Path) -> Costs | None:
    return Costs.model_validate_json(read_text(path)) if path.exists() else None


def _own(path: Path) -> list[Own]:
    return read_own(OWN_ANSWERS, path) if path.exists() else []


def _curves(tables: Tables, images: Path) -> Callable[..., str]:
    def draw(name: str, groups: Mapping[str, Sequence[str]]) -> str:
        """Draw the systems that were run, each group of them beside the others, and refer to the picture."""
        runs = {
            title: [tables.run(system) for system in systems if tables.has(system)] for title, systems in groups.items()
        }
        draw_minutes(runs, images / f"{name}.svg")
        titles = ". ".join(f"{title}: {'; '.join(run.title for run in group)}" for title, group in runs.items())
        return f"![Accuracy against minutes. {titles}.](images/{name}.svg)"

    return draw
