"""The page of `mwp serve` in a browser: a problem typed, its tree, errors, dark, small, by keyboard."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.chromium import chromium
from tests.serving.servers import Server, serving

CSS = "css selector"
TEXT = "一本书有120页，小明每天看15页，几天看完？"


@pytest.fixture(scope="module")
def server(trained: Path) -> Iterator[Server]:
    with serving(trained) as found:
        yield found


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with chromium(tmp_path_factory.mktemp("browser"), 1280, 1000) as driver:
        yield driver


@pytest.fixture
def page(started: Any, server: Server) -> Iterator[Any]:
    """The page anew; whatever a test does, it asks nobody else."""
    started.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    started.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    started.get("about:blank")
    started.get_log("performance")
    started.get_log("browser")
    started.get(server.address)
    yield started
    messages = [json.loads(entry["message"])["message"] for entry in started.get_log("performance")]
    asked = [one["params"]["request"]["url"] for one in messages if one["method"] == "Network.requestWillBeSent"]
    assert all(url.startswith(("http://127.0.0.1:", "data:")) for url in asked)


def wait_for(page: Any, selector: str) -> Any:
    from selenium.webdriver.support import expected_conditions
    from selenium.webdriver.support.ui import WebDriverWait

    return WebDriverWait(page, 60, 0.1).until(expected_conditions.visibility_of_element_located((CSS, selector)))


def ask(page: Any, text: str) -> None:
    page.find_element(CSS, "#text").clear()
    page.find_element(CSS, "#text").send_keys(text)
    page.find_element(CSS, "#solve").click()


def test_a_problem_is_answered_with_numbers_trees_and_steps(page: Any, server: Server, tmp_path: Path) -> None:
    ask(page, TEXT)
    wait_for(page, "#result")
    answer = server.ask(text=TEXT)[1]
    assert page.find_element(CSS, "#answer").text == answer["answer"]
    assert page.find_element(CSS, "#numbers").text == "N0 = 120，N1 = 15"
    shown = page.find_elements(CSS, "#equations > li")
    assert len(shown) == len(answer["answers"]) == 5
    first = answer["answers"][0]
    assert len(shown[0].find_elements(CSS, "svg.tree circle")) == len(first["steps"])
    leaves = [leaf.text for leaf in shown[0].find_elements(CSS, "svg.tree .quantity text")]
    assert set(leaves) <= {"N0", "N1", "120", "15"}
    assert len(shown[0].find_elements(CSS, ".steps li")) == len(first["steps"])
    assert "概率 Probability" in shown[0].text
    assert "判别器 Discriminator" in shown[0].text
    page.save_screenshot(str(tmp_path / "answer.png"))
    assert page.get_log("browser") == []


def test_what_is_no_problem_is_said_and_a_tag_is_only_text(page: Any, tmp_path: Path) -> None:
    ask(page, "<b>Tom</b> has 3")
    assert wait_for(page, "#message").text.startswith(
        "出错 Error: expected a problem in Chinese, found '<b>Tom</b> has 3'"
    )
    assert not page.find_element(CSS, "#result").is_displayed()
    page.save_screenshot(str(tmp_path / "error.png"))
    ask(page, TEXT)
    wait_for(page, "#result")
    assert not page.find_element(CSS, "#message").is_displayed()


def test_it_can_be_used_by_keyboard_alone(page: Any) -> None:
    from selenium.webdriver import ActionChains
    from selenium.webdriver.common.keys import Keys

    assert page.switch_to.active_element.get_attribute("id") == "text"
    ActionChains(page).send_keys(TEXT).key_down(Keys.CONTROL).send_keys(Keys.ENTER).key_up(Keys.CONTROL).perform()
    wait_for(page, "#result")
    positions = []
    for _ in range(3):
        ActionChains(page).send_keys(Keys.TAB).perform()
        positions.append(page.switch_to.active_element.get_attribute("id"))
    assert positions == ["k", "raw", "solve"]


def test_it_fits_a_phone_and_follows_the_dark(page: Any, tmp_path: Path) -> None:
    metrics = {"width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": True}
    page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    light = page.execute_script("return getComputedStyle(document.body).backgroundColor")
    dark = {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", dark)
    ask(page, TEXT)
    wait_for(page, "#result")
    assert page.execute_script("return document.documentElement.scrollWidth") <= 360
    assert page.execute_script("return getComputedStyle(document.body).backgroundColor") != light
    page.save_screenshot(str(tmp_path / "phone.png"))


def test_a_server_that_has_ended_is_said(page: Any, trained: Path) -> None:
    with serving(trained) as short:
        page.get(short.address)
    ask(page, TEXT)
    assert "服务器没有回答 the server does not answer" in wait_for(page, "#message").text
