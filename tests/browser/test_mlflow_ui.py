"""What a user sees in MLflow's page: the groups, the runs by name, and the params, metrics and curves of one."""

import math
import shutil
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from mwp.tracking.run import RunIdentity, open_run
from mwp.tracking.store import Store
from tests.tracking.pages import free_port, served

webdriver = pytest.importorskip("selenium.webdriver")
waiting = pytest.importorskip("selenium.webdriver.support.ui")
service = pytest.importorskip("selenium.webdriver.chrome.service")
StaleElementReferenceException = pytest.importorskip("selenium.common").StaleElementReferenceException

FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update", "--window-size=1600,1000"),
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",  # nothing leaves this machine
)
RUNS = [RunIdentity(setting, "gts", variant, 0) for setting in ("full", "weak") for variant in ("gts", "d-gts")]


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Any]:
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not chromium or not driver:
        pytest.skip("no chromium with chromedriver on the PATH")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for flag in (*FLAGS, f"--user-data-dir={tmp_path / 'chromium'}"):
        options.add_argument(flag)
    browser = webdriver.Chrome(options=options, service=service.Service(driver))
    yield browser
    browser.quit()


def write_runs(folder: Path) -> dict[str, str]:
    """The ids of four runs with curves, by name."""
    ids = {}
    for identity in RUNS:
        params = {"gts": {"hidden": 128}, "seed": 1}
        with open_run(Store.in_folder(folder), identity, params=params, fingerprint="f00d", data={}) as run:
            for step in range(12):
                run.log_epoch(step, {"loss": 3 * math.exp(-step / 4), "accuracy": 1 - math.exp(-step / 5)})
            run.log_metrics({"test/top-1": 0.625})
        ids[identity.name] = run.id
    return ids


def read(browser: Any, *texts: str) -> str:
    """What the page says, once it says all of these."""

    def says(browser: Any) -> str | None:
        body: str = browser.find_element("tag name", "body").text
        return body if all(text in body for text in texts) else None

    waiter = waiting.WebDriverWait(browser, 20, ignored_exceptions=[StaleElementReferenceException])
    found: str = waiter.until(says, f"the page lacks one of {texts}")
    return found


def unfold(browser: Any, group: int) -> None:
    browser.find_elements("css selector", "[role=row] [role=gridcell] button")[group].click()


def test_runs_are_shown_by_name_in_their_groups_with_params_metrics_and_curves(browser: Any, tmp_path: Path) -> None:
    ids = write_runs(tmp_path)
    with served(tmp_path, free_port()) as page:
        browser.get(page.url)
        folded = read(browser, "Run Name", "full", "weak", "6 matching runs")
        assert not any(name in folded for name in ids)
        unfold(browser, 0)
        read(browser, "weak gts fold 0", "weak d-gts fold 0")
        unfold(browser, 1)
        read(browser, *ids)
        browser.save_screenshot(str(tmp_path / "runs.png"))

        run = page.url.replace("?", f"/runs/{ids['full d-gts fold 0']}?")
        browser.get(run)
        shown = read(
            browser, "full d-gts fold 0", "Metrics (3)", "Parameters (6)", "Finished", "Parent run\nfull"
        ).splitlines()
        beside = dict(pairwise(shown))
        assert beside["gts.hidden"] == "128"
        assert (beside["setting"], beside["backbone"], beside["variant"], beside["fold"]) == (
            "full",
            "gts",
            "d-gts",
            "0",
        )
        assert beside["test/top-1"] == "0.625"
        browser.save_screenshot(str(tmp_path / "run.png"))

        browser.get(run.replace("?", "/model-metrics?"))
        read(browser, "full d-gts fold 0 (loss)", "full d-gts fold 0 (accuracy)")
        browser.save_screenshot(str(tmp_path / "curves.png"))
