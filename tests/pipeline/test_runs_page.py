"""MLflow's page on the store that the pipeline itself filled."""

from pathlib import Path

from tests.browser.chromium import Browser, chromium
from tests.tracking.pages import free_port, served

CURVES = (
    "loss",
    "valid_accuracy",
    "buffer_size",
    "new_solutions",
    "buffer_purity",
    "discriminator_auc",
    "weight_sound",
)


def test_the_pipelines_run_is_there_with_its_group_params_scores_and_curves(project: Path, tmp_path: Path) -> None:
    with served(project, free_port()) as page, chromium(tmp_path, 1600, 2400) as driver:
        browser = Browser(driver)
        driver.get(page.url)
        browser.read("Run Name", "semi", "2 matching runs")
        browser.unfold(0)
        browser.read("semi-d-gts fold 0")
        driver.save_screenshot(str(tmp_path / "runs.png"))
        driver.find_element("link text", "semi-d-gts fold 0").click()
        shown = browser.read("Parameters", "Parent run\nsemi", "solver.hidden", "seeding.strategy", *CURVES)
        assert "full_exact_precision_1" in shown
        assert "weak_exact_precision_1" in shown
        assert "clean-full" in shown  # a dataset, by its digest
        driver.save_screenshot(str(tmp_path / "run.png"))
        run = driver.current_url.split("/runs/")[1].split("?")[0]
        driver.get(page.url.replace("?", f"/runs/{run}/model-metrics?"))
        browser.read("semi-d-gts fold 0 (buffer_purity)", "semi-d-gts fold 0 (discriminator_auc)")
        driver.save_screenshot(str(tmp_path / "curves.png"))
