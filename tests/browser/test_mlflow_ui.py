"""What a user sees in MLflow's page: the groups, the runs by name, and the params, metrics and curves of one.

One server for all tests of this file, which go in order: the last one ends it.
"""

import json
import math
import signal
import socket
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from urllib.request import urlopen

import psutil
import pytest

from mwp.report.pooled_scores import UI, Comparison, RunLink, comparisons_note
from mwp.tracking.experiment import open_experiment
from mwp.tracking.run import RunIdentity, open_run
from mwp.tracking.store import Store
from tests.browser.chromium import Browser, chromium
from tests.tracking.pages import Page, free_port, served

RUNS = [
    RunIdentity(f"{setting}-{name}", setting, "gts", variant, 0)
    for setting in ("full", "weak")
    for name, variant in (("gts", "plain"), ("d-gts", "diversified"))
]
PORT = free_port()


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Browser]:
    with chromium(tmp_path, 1600, 1000) as driver:
        yield Browser(driver)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("project")


@pytest.fixture(scope="module")
def ids(project: Path) -> dict[str, str]:
    """The ids of four runs with curves, by name."""
    found = {}
    for identity in RUNS:
        params = {"gts": {"hidden": 128}, "seed": 1}
        with open_run(Store.in_folder(project), identity, params=params, fingerprint="f00d", data={}) as run:
            for step in range(12):
                run.log_epoch(step, {"loss": 3 * math.exp(-step / 4), "accuracy": 1 - math.exp(-step / 5)})
            run.log_metrics({"test/top-1": 0.625})
        found[identity.name] = run.id
    return found


@pytest.fixture(scope="module")
def page(project: Path, ids: dict[str, str]) -> Iterator[Page]:
    with served(project, PORT) as page:
        yield page


def both(ids: dict[str, str]) -> Comparison:
    links = (RunLink(fold=0, run=ids[f"full-{name} fold 0"], experiment="1") for name in ("gts", "d-gts"))
    return Comparison(runs=tuple(links))


def test_the_command_names_the_page_of_the_runs_and_serves_them(page: Page, ids: dict[str, str]) -> None:
    assert page.url == f"http://127.0.0.1:{PORT}/#/experiments/1?workflowType=machine_learning"
    for name, id in ids.items():
        with urlopen(f"http://127.0.0.1:{PORT}/api/2.0/mlflow/runs/get?run_id={id}") as answer:
            assert json.load(answer)["run"]["info"]["run_name"] == name


def test_runs_are_shown_by_name_in_their_groups_with_params_metrics_and_curves(
    browser: Browser, page: Page, ids: dict[str, str], tmp_path: Path
) -> None:
    browser.driver.get(page.url)
    folded = browser.read("Run Name", "full", "weak", "6 matching runs")
    assert not any(name in folded for name in ids)
    browser.unfold(0)
    browser.read("weak-gts fold 0", "weak-d-gts fold 0")
    browser.unfold(1)
    browser.read(*ids)
    browser.driver.save_screenshot(str(tmp_path / "runs.png"))

    run = page.url.replace("?", f"/runs/{ids['full-d-gts fold 0']}?")
    browser.driver.get(run)
    shown = browser.read("full-d-gts fold 0", "Metrics (3)", "Parameters (7)", "Finished", "Parent run\nfull")
    beside = dict(pairwise(shown.splitlines()))
    identity = {"system": "full-d-gts", "setting": "full", "backbone": "gts", "variant": "diversified", "fold": "0"}
    assert {name: beside[name] for name in identity} == identity
    assert beside["gts.hidden"] == "128"
    assert beside["test/top-1"] == "0.625"
    browser.driver.save_screenshot(str(tmp_path / "run.png"))

    browser.driver.get(run.replace("?", "/model-metrics?"))
    browser.read("full-d-gts fold 0 (loss)", "full-d-gts fold 0 (accuracy)")
    browser.driver.save_screenshot(str(tmp_path / "curves.png"))


def test_two_runs_are_compared_by_the_address_that_the_report_links_to(
    browser: Browser, page: Page, ids: dict[str, str], tmp_path: Path
) -> None:
    url = both(ids).url
    assert url is not None
    browser.driver.get(url.replace(UI, f"http://127.0.0.1:{PORT}"))
    shown = browser.read("Comparing 2 Runs", "full-gts fold 0", "full-d-gts fold 0", "variant", "diversified")
    assert "plain" in shown
    browser.driver.save_screenshot(str(tmp_path / "compared.png"))


def test_the_page_of_the_runs_leads_to_the_comparison(
    browser: Browser, page: Page, project: Path, ids: dict[str, str], tmp_path: Path
) -> None:
    note = comparisons_note({"D-GTS over GTS, full": both(ids), "not in the store": Comparison(runs=())})
    open_experiment(Store.in_folder(project)).describe(note)
    browser.driver.get(page.url)
    assert "not in the store" not in browser.read("Side by side: D-GTS over GTS, full")
    browser.driver.save_screenshot(str(tmp_path / "note.png"))
    browser.driver.find_element("link text", "D-GTS over GTS, full").click()
    browser.driver.switch_to.window(browser.driver.window_handles[-1])  # MLflow opens links of a note in a new tab
    browser.read("Comparing 2 Runs", "full-gts fold 0", "full-d-gts fold 0")


def test_ctrl_c_ends_the_server_with_all_of_its_few_processes(page: Page) -> None:
    family = psutil.Process(page.process.pid).children(recursive=True)
    assert len(family) == 2  # mlflow server and its one worker: no job runner
    page.process.send_signal(signal.SIGINT)
    assert page.process.wait(30) == 0
    assert not psutil.wait_procs(family, timeout=5)[1]
    with socket.socket() as again:
        again.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        again.bind(("127.0.0.1", PORT))
