"""The report as one HTML page that needs nothing but itself, and the page of `mwp serve`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from mwp.data.readers import EXAMPLE, MAX_CHARACTERS
from mwp.evaluation.search_audit import AuditRow
from mwp.report.cases import CaseBook
from mwp.report.charts import Chart
from mwp.report.page_charts import (
    Training,
    ablation_chart,
    difficulty_charts,
    roc_charts,
    search_charts,
    training_charts,
)
from mwp.report.page_tables import SETTINGS, by_name, gains_grid, measures_grid, other_grids, paper_grid, setting_title
from mwp.report.paper import PROBLEMS, TABLES
from mwp.report.pooled_scores import UI, Gain, PooledScores
from mwp.report.tables import Grid

TEMPLATES = Path(__file__).parent / "templates"
PARTS = {"style": ("report.css", "solve.css"), "theme": ("theme.js",), "script": ("trees.js", "solve.js")}


@dataclass(frozen=True)
class ChartGroup:
    """Charts under one heading."""

    title: str
    charts: Sequence[Chart]


@dataclass(frozen=True)
class ReportData:
    """The content of the page. `kept` is the number of problems with equations, `facts` the list at its end."""

    pooled_scores: Sequence[PooledScores]
    gains: Sequence[Gain]
    trainings: Sequence[Training]
    audit: Sequence[AuditRow]
    cases: CaseBook
    kept: int
    facts: Mapping[str, str]


def render_page(report: ReportData) -> str:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    pooled_scores = report.pooled_scores
    return environment.get_template("report.html").render(
        style=_part("report.css"),
        theme=_part("theme.js"),
        script=_part("trees.js") + _part("cases.js"),
        papers=[paper_grid(table, by_name(pooled_scores)) for table in TABLES],
        ablation=ablation_chart(by_name(pooled_scores)),
        others=other_grids(pooled_scores),
        own=_own_grids(report),
        training=_chart_groups(report.trainings),
        roc=roc_charts(pooled_scores),
        search=search_charts(report.audit),
        difficulty=_difficulty(pooled_scores),
        cases=report.cases,
        data=as_script(report.cases.model_dump_json()),
        comparable=abs(report.kept - PROBLEMS) < PROBLEMS / 100,
        kept=report.kept,
        problems=PROBLEMS,
        facts=report.facts,
        ui=UI,
    )


def as_script(json: str) -> Markup:
    """JSON that cannot end the script element that holds it."""
    return Markup(json.replace("<", "\\u003c"))


def _part(name: str) -> Markup:
    return Markup((TEMPLATES / name).read_text(encoding="utf8"))


def _own_grids(report: ReportData) -> list[Grid]:
    grids = [gains_grid(report.gains, by_name(report.pooled_scores))] if report.gains else []
    return [*grids, measures_grid(report.pooled_scores)] if report.pooled_scores else grids


def _chart_groups(trainings: Sequence[Training]) -> list[ChartGroup]:
    return [
        ChartGroup(
            f"Setting {SETTINGS[setting]}", training_charts([one for one in trainings if one.setting == setting])
        )
        for setting in dict.fromkeys(training.setting for training in trainings)
    ]


def _difficulty(pooled_scores: Sequence[PooledScores]) -> list[ChartGroup]:
    return [
        ChartGroup(
            setting_title(setting, dataset),
            difficulty_charts([one for one in pooled_scores if (one.setting, one.dataset) == (setting, dataset)]),
        )
        for setting, dataset in dict.fromkeys((one.setting, one.dataset) for one in pooled_scores)
    ]


def render_solve_page(model: str) -> str:
    environment = Environment(loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined)
    parts = {name: _parts(*files) for name, files in PARTS.items()}
    return environment.get_template("solve.html").render(
        parts, model=model, example=EXAMPLE, most_characters=MAX_CHARACTERS
    )


def _parts(*names: str) -> Markup:
    return Markup("\n".join((TEMPLATES / name).read_text(encoding="utf8") for name in names))
