"""The page of `mwp serve`: type a problem, see its equations as trees. It needs nothing but itself and the server."""

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from mwp.data.questions import EXAMPLE, MAX_CHARACTERS
from mwp.report.page import TEMPLATES

PARTS = {"style": ("report.css", "solve.css"), "theme": ("theme.js",), "script": ("trees.js", "solve.js")}


def render_solve_page(model: str) -> str:
    environment = Environment(loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined)
    parts = {name: _parts(*files) for name, files in PARTS.items()}
    return environment.get_template("solve.html").render(
        parts, model=model, example=EXAMPLE, most_characters=MAX_CHARACTERS
    )


def _parts(*names: str) -> Markup:
    return Markup("\n".join((TEMPLATES / name).read_text(encoding="utf8") for name in names))
