"""The document of a study: a template of prose whose tables, figures and pictures come from kept runs."""

from collections.abc import Callable
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, TemplateError

from mwp.data.files import write_text
from mwp.errors import BadInput
from mwp.report.kept import Kept
from mwp.report.kept_pictures import draw_cost
from mwp.report.kept_tables import Tables

TEMPLATE = "results.md.j2"


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
        text = environment.get_template(TEMPLATE).render(runs=tables, cost=_cost(tables, document.parent / "images"))
    except TemplateError as error:
        raise BadInput(f"{folder / TEMPLATE}: {error.message or type(error).__name__}") from error
    write_text(document, text.rstrip() + "\n")


def _cost(tables: Tables, images: Path) -> Callable[..., str]:
    def draw(name: str, *systems: str) -> str:
        """Draw the systems that were run, and refer to the picture."""
        runs = [tables.run(system) for system in systems if tables.has(system)]
        draw_cost(runs, images / f"{name}.svg")
        return f"![Accuracy against minutes: {', '.join(run.title for run in runs)}](images/{name}.svg)"

    return draw
