"""Pictures of kept runs, as SVG files that are the same bytes for the same runs."""

import io
import math
from collections.abc import Mapping, Sequence
from pathlib import Path

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from mwp.data.files import write_bytes
from mwp.report.curves import COLOURS, DASHES
from mwp.report.kept import KeptRun

METRICS = {"valid_accuracy": "top-1 on the inner slice, %", "valid_top_5": "top-5 on the inner slice, %"}


def draw_minutes(groups: Mapping[str, Sequence[KeptRun]], path: Path) -> None:
    """Accuracy and top-5 on the inner slice against the minutes of training; one column a group of runs."""
    figure = Figure(figsize=(3.4 * len(groups), 7.0), layout="constrained")
    rows = figure.subplots(len(METRICS), len(groups), sharex=True, sharey="row", squeeze=False)
    for row, (metric, label) in zip(rows, METRICS.items(), strict=True):
        for axes, runs in zip(row, groups.values(), strict=True):
            _draw(axes, runs, metric)
        row[0].set(ylabel=label, xlim=(0, None), ylim=(0, None))
    for (title, runs), top, bottom in zip(groups.items(), rows[0], rows[-1], strict=True):
        top.set_title(title)
        bottom.set_xlabel("minutes")
        if runs:
            bottom.legend(loc="upper center", bbox_to_anchor=(0.5, -0.2), frameon=False, fontsize=8)
    _write(figure, path)


def _draw(axes: Axes, runs: Sequence[KeptRun], metric: str) -> None:
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
