"""The report as one HTML page that needs nothing but itself: styles, scripts, pictures and data are inside."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from mwp.evaluation.audit import AuditRow
from mwp.report.cases import CaseBook
from mwp.report.charts import Chart
from mwp.report.grids import Grid
from mwp.report.page_tables import SETTINGS, by_name, gains_grid, measures_grid, other_grids, paper_grid, place_title
from mwp.report.paper import PROBLEMS, TABLES
from mwp.report.pictures import Training, ablation_chart, difficulty_charts, roc_charts, search_charts, training_charts
from mwp.report.standings import UI, Standing
from mwp.report.systems import Gain

TEMPLATES = Path(__file__).parent / "templates"


@dataclass(frozen=True)
class Gallery:
    """Charts under one heading."""

    title: str
    charts: Sequence[Chart]


@dataclass(frozen=True)
class Findings:
    """All that the page tells. `kept` is the number of problems with equations, `facts` what stands at its foot."""

    standings: Sequence[Standing]
    gains: Sequence[Gain]
    trainings: Sequence[Training]
    audit: Sequence[AuditRow]
    cases: CaseBook
    kept: int
    facts: Mapping[str, str]


def render_page(findings: Findings) -> str:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    standings = findings.standings
    return environment.get_template("report.html").render(
        style=_part("report.css"),
        theme=_part("theme.js"),
        script=_part("trees.js") + _part("cases.js"),
        papers=[paper_grid(table, by_name(standings)) for table in TABLES],
        ablation=ablation_chart(by_name(standings)),
        others=other_grids(standings),
        own=_own_grids(findings),
        training=_galleries(findings.trainings),
        roc=roc_charts(standings),
        search=search_charts(findings.audit),
        difficulty=_difficulty(standings),
        cases=findings.cases,
        data=as_script(findings.cases.model_dump_json()),
        comparable=abs(findings.kept - PROBLEMS) < PROBLEMS / 100,
        kept=findings.kept,
        problems=PROBLEMS,
        facts=findings.facts,
        ui=UI,
    )


def as_script(json: str) -> Markup:
    """JSON that cannot end the script element that holds it."""
    return Markup(json.replace("<", "\\u003c"))


def _part(name: str) -> Markup:
    return Markup((TEMPLATES / name).read_text(encoding="utf8"))


def _own_grids(findings: Findings) -> list[Grid]:
    grids = [gains_grid(findings.gains, by_name(findings.standings))] if findings.gains else []
    return [*grids, measures_grid(findings.standings)] if findings.standings else grids


def _galleries(trainings: Sequence[Training]) -> list[Gallery]:
    return [
        Gallery(f"Setting {SETTINGS[setting]}", training_charts([one for one in trainings if one.setting == setting]))
        for setting in dict.fromkeys(training.setting for training in trainings)
    ]


def _difficulty(standings: Sequence[Standing]) -> list[Gallery]:
    return [
        Gallery(
            place_title(setting, dataset),
            difficulty_charts([one for one in standings if (one.setting, one.dataset) == (setting, dataset)]),
        )
        for setting, dataset in dict.fromkeys((one.setting, one.dataset) for one in standings)
    ]
