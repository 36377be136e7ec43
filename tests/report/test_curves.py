"""The picture of a training's curves."""

from pathlib import Path

import pytest
from matplotlib.image import imread

from mwp.report.figures import draw_curves

PANEL = 504  # pixels


@pytest.mark.parametrize(
    ("names", "panels"),
    [(["loss"], 1), (["loss", "accuracy", "buffer_purity"], 2), (["loss", "accuracy", "buffer_size", "seconds"], 3)],
)
def test_each_kind_of_metric_has_a_panel_and_others_none(tmp_path: Path, names: list[str], panels: int) -> None:
    draw_curves([dict.fromkeys(names, 0.5)] * 3, tmp_path / "curves.png")
    assert imread(tmp_path / "curves.png").shape[1] == panels * PANEL


@pytest.mark.parametrize(
    "history",
    [
        [{"loss": 1.0}],
        [{"loss": float("nan")}, {"loss": float("inf")}],
        [{"loss": 1.0}, {"accuracy": 0.1}, {"loss": 0.5, "accuracy": 0.2}],
        [{"loss": -1.0, "accuracy": 1.5}] * 200,
    ],
    ids=["one epoch", "nothing finite", "gaps", "many epochs and values out of range"],
)
def test_any_history_can_be_drawn(tmp_path: Path, history: list[dict[str, float]]) -> None:
    draw_curves(history, tmp_path / "curves.png")
    assert imread(tmp_path / "curves.png").shape[1] % PANEL == 0


def test_the_same_history_makes_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a.png", "b.png"):
        draw_curves([{"loss": 1.0, "accuracy": 0.5}, {"loss": 0.5, "accuracy": 0.6}], tmp_path / name)
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


def test_nothing_to_draw_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"no curve to draw: 1 epochs with the metrics \['seconds'\]"):
        draw_curves([{"seconds": 1.0}], Path("never.png"))
