"""The page without a browser: the paper's figures by our names, what is said of what was not run, and the data inside."""

import json
import re
from pathlib import Path

import pytest
import yaml

from mwp.evaluation.search_audit import AuditRow
from mwp.evaluation.statistics import Estimate
from mwp.report.cases import CaseBook, choose
from mwp.report.charts import Bars, Line, bar_chart, line_chart
from mwp.report.page import ReportData, as_script, render_page
from mwp.report.page_charts import Training
from mwp.report.paper import KNOWN, TABLE_4, TABLES
from mwp.report.tables import points_cell, share_cell
from tests.report.studies import ROOT, RUN, make_study


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("study")
    make_study(folder)
    return (folder / "results/report.html").read_text(encoding="utf8")


def row(page: str, table: str, system: str) -> list[str]:
    """The texts of a row's cells, an interval after its figure."""
    found = re.search(rf'<figure class="table" id="{table}">.*?<tr data-system="{system}">(.*?)</tr>', page, re.DOTALL)
    assert found
    return [re.sub(r"<[^>]+>", " ", cell).strip() for cell in re.findall(r"<td.*?</td>", found[1])]


def test_the_papers_systems_are_those_of_the_papers_profile() -> None:
    profile = yaml.safe_load((ROOT / "profiles/paper.yaml").read_text(encoding="utf8"))
    assert set(profile["train"]["systems"]) == KNOWN


def test_every_table_has_a_printed_figure_for_each_of_its_columns() -> None:
    for table in TABLES[:3]:
        for printed in (one.printed for rows in table.groups.values() for one in rows):
            assert list(printed) == [(column.dataset, column.k) for column in table.columns]
    assert TABLE_4.groups["Weakly supervised"][1].printed == {("full", 1): 55.2, ("weak", 1): 35.0}


def test_the_papers_figures_stand_beside_ours_with_intervals_folds_and_runs(page: str) -> None:
    printed, paper, exact, merged, verified, folds, runs = row(page, "table-3", "full-d-gts")
    assert (printed, folds) == ("67.1", "2")
    assert re.fullmatch(r"100\.0\s+100\.0 to 100\.0", exact)
    assert float(paper.split()[0]) <= 100
    assert merged.startswith("100.0")
    assert verified.startswith("100.0")
    assert runs.split() == [RUN[:8], RUN[:8]]
    assert f"http://127.0.0.1:5000/#/experiments/1/runs/{RUN}" in page


def test_what_was_not_run_says_so(page: str) -> None:
    assert row(page, "table-3", "full-dns") == ["50.2", *["not run"] * 4, "0", "none"]
    assert row(page, "figure-3", "weak-d-mwp-bert-uniform")[:2] == ["drawn only", "not run"]


def test_a_system_of_ours_has_a_table_of_its_own(page: str) -> None:
    assert row(page, "others-weak-full", "weak-gts")[-2] == "2"
    assert "others-full-full" not in page


def test_a_gain_is_bold_only_where_its_interval_excludes_zero(page: str) -> None:
    gained = re.search(r'id="gains">.*?<tr data-system="full-d-gts">(.*?)</tr>', page, re.DOTALL)
    assert gained
    assert re.search(r"<b>\+\d", gained[1])
    assert not points_cell(Estimate(value=0.1, low=-0.01, high=0.2)).bold
    assert points_cell(Estimate(value=-0.1, low=-0.2, high=-0.01)).text == "−10.0"


def test_nothing_to_estimate_is_a_dash() -> None:
    assert share_cell(None).text == "–"


def test_other_problems_than_the_papers_are_named(page: str) -> None:
    assert "Not the paper’s problems." in page


def test_the_page_asks_for_no_other_file(page: str) -> None:
    assert not re.search(r'(src|href)="(?!#|data:|http://127\.0\.0\.1:5000/#)', page)
    assert "@import" not in page
    assert "url(" not in page


def test_the_cases_are_readable_json_with_hypotheses_as_lists(page: str) -> None:
    held = re.search(r'<script type="application/json" id="case-data">(.*?)</script>', page, re.DOTALL)
    assert held
    book = json.loads(held[1])
    assert book["tested"] == {"full": 22, "weak": 10}
    first = book["cases"][0]
    solution, _, value, qualification, right, sound, group, verified = first["hypotheses"]["full-d-gts"][0]
    assert (solution, value, qualification, right, sound, group) == (first["gold"][0], first["answer"], 0.9, 1, 1, 0)
    assert (first["hypotheses"]["full-d-gts"][1][-2], verified) == (group, 0.25)


def test_no_text_can_end_the_script_that_holds_it() -> None:
    text = json.dumps({"text": "</script><!-- <b>"})
    assert "<" not in as_script(text)
    assert json.loads(as_script(text)) == json.loads(text)


def test_a_large_test_set_is_a_seeded_choice_in_its_order() -> None:
    ids = [str(number) for number in range(2_000)]
    chosen = choose(ids, seed=7)
    assert len(chosen) == 500
    assert chosen == choose(ids, seed=7) == sorted(chosen, key=int)
    assert chosen != choose(ids, seed=8)
    assert choose(ids[:500], seed=7) == ids[:500]


def test_curves_are_means_over_the_folds_that_reach_an_epoch() -> None:
    training = Training("GTS", "full", ([{"loss": 2.0}, {"loss": 1.0}], [{"loss": 4.0}]))
    assert training.curve("loss") == ((1.0, 3.0), (2.0, 1.0))
    assert training.curve("buffer_size") == ()


@pytest.mark.parametrize("values", [(), (0.0,), (1e-9, 1e9), (3.0,) * 500])
def test_any_curve_can_be_drawn(values: tuple[float, ...]) -> None:
    line = Line("<GTS>", 9, tuple((float(position), value) for position, value in enumerate(values)))
    chart = line_chart("loss & more", [line], "epoch", "loss")
    assert "nan" not in chart.svg
    assert "<GTS>" not in chart.svg
    assert chart.legend == (("<GTS>", 1, False),)


def test_bars_have_whiskers_where_there_is_an_interval_and_gaps_where_there_is_no_value() -> None:
    some = (Estimate(value=0.5, low=0.4, high=0.6), Estimate(value=1.0, low=1.0, high=1.0), None)
    svg = bar_chart("accuracy", ["1", "2", "3"], [Bars("GTS", 0, some)], "operators", "%").svg
    assert (svg.count("<rect"), svg.count("whisker")) == (2, 1)
    assert "GTS, 1: 50.0 (40.0 to 60.0)" in svg


def test_before_any_training_the_page_has_the_papers_figures_and_the_search() -> None:
    row = AuditRow(strategy="paper", operators="all", problems=4, found=3, sound=2, sound_at_5=2)
    nothing = CaseBook(systems=(), datasets={}, tested={}, seed=1, cases=())
    empty = render_page(ReportData((), (), (), [row], nothing, kept=22_211, facts={}))
    assert "case-data" not in empty
    assert "Not the paper’s problems." not in empty
    assert empty.count("not run") > 50


def test_the_same_study_makes_the_same_page(page: str, tmp_path: Path) -> None:
    make_study(tmp_path)
    assert (tmp_path / "results/report.html").read_text(encoding="utf8") == page
