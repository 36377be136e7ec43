"""The report page in a browser: tables, pictures, the case browser, by mouse and by keyboard, large and small."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.chromium import chromium
from tests.report.studies import make_study

CSS = "css selector"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("study")
    make_study(folder)
    return (folder / "results/report.html").as_uri()


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with chromium(tmp_path_factory.mktemp("browser"), 1280, 900) as driver:
        yield driver


@pytest.fixture
def driver(started: Any, address: str) -> Iterator[Any]:
    """The page anew; whatever a test does, it leaves no word on the console and asks for nothing else."""
    started.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    started.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    started.get(address)
    started.execute_script("localStorage.clear()")
    started.get("about:blank")
    started.get_log("performance")
    started.get(address)
    yield started
    assert started.get_log("browser") == []
    assert set(requests(started)) == {address}


def requests(driver: Any) -> list[str]:
    messages = [json.loads(entry["message"])["message"] for entry in driver.get_log("performance")]
    sent = [one["params"]["request"]["url"] for one in messages if one["method"] == "Network.requestWillBeSent"]
    return [url.partition("#")[0] for url in sent if not url.startswith("data:")]


def text(driver: Any, selector: str) -> str:
    return str(driver.find_element(CSS, selector).text)


def texts(driver: Any, selector: str) -> list[str]:
    return [found.text for found in driver.find_elements(CSS, selector)]


def background(driver: Any) -> str:
    return str(driver.execute_script("return getComputedStyle(document.body).backgroundColor"))


def reload_until(driver: Any, colour: str) -> None:
    """Chromium writes what a page stores a little later: on a busy machine one reload may come too soon."""
    from selenium.webdriver.support.ui import WebDriverWait

    def is_painted(driver: Any) -> bool:
        driver.refresh()
        return background(driver) == colour

    WebDriverWait(driver, 20, 0.5).until(is_painted, f"no reload brings the background {colour}")


def choose(driver: Any, name: str, value: str) -> None:
    driver.find_element(CSS, f"[name={name}] option[value='{value}']").click()


def press(driver: Any, *keys: str) -> None:
    from selenium.webdriver import ActionChains

    ActionChains(driver).send_keys(*keys).perform()


def emulate(driver: Any, width: int, height: int) -> None:
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": True}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)


def test_the_tables_show_ours_beside_the_papers(driver: Any, tmp_path: Path) -> None:
    cells = texts(driver, "#table-3 tr[data-system=full-d-gts] td")
    assert (cells[0], *cells[2:6:3]) == ("67.1", "100.0\n100.0 to 100.0", "2")
    assert texts(driver, "#table-3 tr[data-system=full-dns] td")[:3] == ["50.2", "not run", "not run"]
    assert texts(driver, "#table-4 tr[data-system=semi-d-gts] td.paper") == ["68.4", "59.2"]
    driver.save_screenshot(str(tmp_path / "light.png"))


def test_each_kind_of_picture_is_there(driver: Any) -> None:
    assert texts(driver, "#training .gallery:first-of-type figcaption")[:2] == [
        "Accuracy on the validation split",
        "Loss",
    ]
    assert len(driver.find_elements(CSS, "#search svg")) == 2
    assert len(driver.find_elements(CSS, "#difficulty svg rect")) > 10
    assert any("AUC" in name for name in texts(driver, "#discriminator .legend li"))


def test_a_case_shows_its_numbers_its_tree_and_every_hypothesis(driver: Any) -> None:
    assert text(driver, "#case h3") == "Problem 1"
    assert texts(driver, "#case .statement mark") == ["140N0", "5N1"]
    assert texts(driver, "#case .truth svg text") == ["N0", "140", "N1", "5", "1", "−", "÷", "N0", "140", "+"]
    assert "Ground truth: N0 ÷ (N1 − 1) + N0" in text(driver, "#case .truth")
    assert texts(driver, "#case .system h4") == ["GTS, full", "D-GTS, full", "D-GTS, semi-weak", "GTS, weak"]
    first, turned, spurious, wrong = texts(driver, "#case .system:nth-of-type(2) .hypotheses > li")
    assert "right, sound" in first
    assert "discriminator\n0.90" in first
    assert "2 equal hypotheses" in first
    assert "2 equal hypotheses" in turned
    assert "right, spurious" in spurious
    assert "✗ wrong" in wrong


def test_a_search_finds_by_words_and_by_id(driver: Any) -> None:
    words = driver.find_element(CSS, "[name=words]")
    words.send_keys("松树")
    assert texts(driver, "#case-list .name") == ["1"]
    words.clear()
    words.send_keys("3")
    assert "3" in texts(driver, "#case-list .name")
    words.send_keys("/nothing")
    assert text(driver, "#case-status") == "No problem matches; loosen a filter."
    driver.find_element(CSS, "#case-filters [type=reset]").click()
    assert text(driver, "#case-status") == "32 of 32 problems"


def test_filters_narrow_the_list_and_work_together(driver: Any) -> None:
    choose(driver, "system", "full-gts")
    choose(driver, "answer", "wrong")
    assert text(driver, "#case-status") == "12 of 32 problems"
    assert texts(driver, "#case .system h4") == ["GTS, full"]
    choose(driver, "system", "full-d-gts")
    choose(driver, "answer", "right")
    choose(driver, "soundness", "spurious")
    found = len(driver.find_elements(CSS, "#case-list li"))
    assert 0 < found < 22
    assert "right, spurious" in text(driver, "#case .hypotheses > li:first-child")
    driver.find_element(CSS, "#case-filters [type=reset]").click()
    choose(driver, "dataset", "weak")
    assert text(driver, "#case-status") == "10 of 32 problems"
    assert "No ground truth" in text(driver, "#case .truth")


def test_arrow_keys_go_through_the_cases(driver: Any) -> None:
    from selenium.webdriver.common.keys import Keys

    driver.find_element(CSS, "[name=words]").click()
    press(driver, Keys.ARROW_DOWN)  # from the search to the list
    press(driver, Keys.ARROW_DOWN, Keys.ARROW_DOWN)
    names = texts(driver, "#case-list .name")
    assert text(driver, "#case h3") == f"Problem {names[2]}"
    assert text(driver, "#case-list [aria-selected=true] .name") == names[2]
    press(driver, Keys.END)
    assert text(driver, "#case-list [aria-selected=true] .name") == names[-1]
    assert driver.find_element(CSS, "[aria-label='Next problem']").get_attribute("disabled")
    outline = driver.execute_script("return getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"


def test_everything_that_acts_can_be_reached_by_tab(driver: Any) -> None:
    from selenium.webdriver.common.keys import Keys

    reached = set()
    for _ in range(120):
        press(driver, Keys.TAB)
        reached.add(driver.execute_script("const e = document.activeElement; return e.id || e.name || e.tagName"))
    assert {"theme", "words", "system", "answer", "soundness", "operators", "dataset", "case-list", "A"} <= reached


def test_a_case_has_an_address(driver: Any, address: str) -> None:
    driver.get(f"{address}#case/weak/2")
    assert text(driver, "#case h3") == "Problem 2"
    assert text(driver, "#case header a") == "problems with answers only"


def test_the_page_is_dark_where_the_system_is_or_when_told(driver: Any, tmp_path: Path) -> None:
    light = background(driver)
    driver.find_element(CSS, "#theme").click()
    dark = background(driver)
    assert dark != light
    reload_until(driver, dark)  # it is remembered
    driver.find_element(CSS, "#theme").click()
    assert background(driver) == light
    driver.execute_script("localStorage.clear()")
    driver.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}
    )
    reload_until(driver, dark)
    assert text(driver, "#theme") == "Light"
    driver.save_screenshot(str(tmp_path / "dark.png"))


def test_a_phone_never_scrolls_the_page_sideways(driver: Any, tmp_path: Path) -> None:
    emulate(driver, 360, 740)
    driver.refresh()
    assert driver.execute_script("return document.documentElement.scrollWidth") == 360
    wide = "return [...document.querySelectorAll('table')].map(t => [t.offsetWidth, t.parentElement.offsetWidth])"
    assert all(box <= 360 for _, box in driver.execute_script(wide))
    assert any(width > box for width, box in driver.execute_script(wide))
    driver.find_element(CSS, "[aria-label='Next problem']").click()
    assert text(driver, "#case h3") != "Problem 1"
    assert driver.execute_script("return document.documentElement.scrollWidth") == 360
    driver.save_screenshot(str(tmp_path / "phone.png"))
