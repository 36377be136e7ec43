"""Figures of trainings by matplotlib: one training's curves, and saved runs against their minutes."""

import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from mwp.data.files import write_bytes
from mwp.report.saved_runs import SavedRun

# Okabe and Ito's colours, which people with any colour vision tell apart; the dashes serve a print without colour.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
DASHES = ("-", "--", ":", "-.")
METRICS = {"valid_accuracy": "top-1 on the validation split, %", "valid_top_5": "top-5 on the validation split, %"}


@dataclass(frozen=True)
class Panel:
    """Metrics that share an axis, from zero to `top` at least: those whose name has one of the words."""

    title: str
    words: tuple[str, ...]
    top: float = 0.0


# A metric goes to the first panel that knows it: buffer_purity is a share, not a count.
PANELS = (
    Panel("loss", ("loss",)),
    Panel("share", ("accuracy", "purity", "auc", "weight"), top=1.0),
    Panel("solutions", ("buffer", "solutions")),
)


def draw_curves(history: Sequence[Mapping[str, float]], path: Path) -> None:
    """One mapping an epoch, from epoch 0; a metric that an epoch lacks leaves a gap. Other metrics are not drawn."""
    names = sorted({name for epoch in history for name in epoch})
    lines = {panel: [name for name in names if _panel(name) == panel] for panel in PANELS}
    drawn = [panel for panel in PANELS if lines[panel]]
    if not drawn:
        raise ValueError(f"no curve to draw: {len(history)} epochs with the metrics {names}")
    figure = Figure(figsize=(4.2 * len(drawn), 3.6), dpi=120, layout="constrained")
    for axes, panel in zip(figure.subplots(1, len(drawn), squeeze=False)[0], drawn, strict=True):
        _draw(axes, panel, {name: [epoch.get(name, math.nan) for epoch in history] for name in lines[panel]})
    picture = io.BytesIO()
    figure.savefig(picture, format="png")
    write_bytes(path, picture.getvalue())


def _panel(name: str) -> Panel | None:
    return next((panel for panel in PANELS if any(word in name.lower() for word in panel.words)), None)


def _draw(axes: Axes, panel: Panel, curves: Mapping[str, Sequence[float]]) -> None:
    for number, (name, values) in enumerate(curves.items()):
        colour, dash = COLOURS[number % len(COLOURS)], DASHES[number % len(DASHES)]
        # Dots while they can be told apart: a value between two gaps has no line.
        axes.plot(values, dash, color=colour, marker="o" if len(values) <= 40 else None, markersize=3, label=name)
    shown = [0.0, panel.top, *(value for values in curves.values() for value in values if math.isfinite(value))]
    axes.set_ylim(min(shown), 1.03 * max(shown) or 1)
    axes.set_xlim(-0.5, len(values) - 0.5)
    axes.set(title=panel.title, xlabel="epoch")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    axes.grid(alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.2), ncols=2, frameon=False, fontsize=8)


def draw_minutes(groups: Mapping[str, Sequence[SavedRun]], path: Path) -> None:
    """Accuracy and top-5 on the validation split against the minutes of training; one column a group of runs."""
    figure = Figure(figsize=(3.4 * len(groups), 7.0), layout="constrained")
    rows = figure.subplots(len(METRICS), len(groups), sharex=True, sharey="row", squeeze=False)
    for row, (metric, label) in zip(rows, METRICS.items(), strict=True):
        for axes, runs in zip(row, groups.values(), strict=True):
            _draw_runs(axes, runs, metric)
        row[0].set(ylabel=label, xlim=(0, None), ylim=(0, None))
    for (title, runs), top, bottom in zip(groups.items(), rows[0], rows[-1], strict=True):
        top.set_title(title)
        bottom.set_xlabel("minutes")
        if runs:
            bottom.legend(loc="upper center", bbox_to_anchor=(0.5, -0.2), frameon=False, fontsize=8)
    _write(figure, path)


def _draw_runs(axes: Axes, runs: Sequence[SavedRun], metric: str) -> None:
    for number, run in enumerate(runs):
        axes.plot(
            [epoch["minutes"] for epoch in run.history],
            [100 * epoch.get(metric, math.nan) for epoch in run.history],
            DASHES[number // len(COLOURS) % len(DASHES)],
            color=COLOURS[number % len(COLOURS)],
            marker="o",
            markersize=2.5,
            label=run.title,
        )
    axes.grid(alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)


def _write(figure: Figure, path: Path) -> None:
    picture = io.BytesIO()
    with mpl.rc_context({"svg.hashsalt": path.name, "svg.fonttype": "none"}):
        figure.savefig(picture, format="svg", metadata={"Date": None, "Creator": None})
    write_bytes(path, picture.getvalue())
