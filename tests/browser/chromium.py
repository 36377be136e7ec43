"""A real Chromium without a window, for tests; they are skipped where there is none."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",  # nothing leaves this machine
)


@contextmanager
def chromium(folder: Path, width: int, height: int) -> Iterator[Any]:
    """Its driver; `folder` takes what it writes. It notes what its pages say on the console and ask of the network."""
    webdriver = pytest.importorskip("selenium.webdriver")
    browser, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not browser or not driver:
        pytest.skip("no chromium with chromedriver on the PATH")
    options = webdriver.ChromeOptions()
    options.binary_location = browser
    for flag in (*FLAGS, f"--window-size={width},{height}", f"--user-data-dir={folder / 'chromium'}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    started = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    try:
        yield started
    finally:
        started.quit()


@dataclass(frozen=True)
class Browser:
    driver: Any

    def read(self, *texts: str) -> str:
        """What the page says, once it says all of these."""
        from selenium.common import StaleElementReferenceException
        from selenium.webdriver.support.ui import WebDriverWait

        def says(driver: Any) -> str | None:
            body: str = driver.find_element("tag name", "body").text
            return body if all(text in body for text in texts) else None

        waiting = WebDriverWait(self.driver, 60, 0.1, ignored_exceptions=[StaleElementReferenceException])
        return waiting.until(says, f"the page lacks one of {texts}") or ""

    def unfold(self, group: int) -> None:
        self.driver.find_elements("css selector", "[role=row] [role=gridcell] button")[group].click()
