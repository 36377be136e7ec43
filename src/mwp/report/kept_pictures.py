"""Pictures of kept runs, as SVG files that are the same bytes for the same runs."""

import io
from collections.abc import Sequence
from pathlib import Path

import matplotlib as mpl
from matplotlib.figure import Figure

from mwp.data.files import write_bytes
from mwp.report.curves import COLOURS, DASHES
from mwp.report.kept import KeptRun


def draw_minutes(runs: Sequence[KeptRun], path: Path) -> None:
    """Accuracy and top-5 on the inner slice against the minutes of training."""
    figure = Figure(figsize=(9, 4.2), layout="constrained")
    for axes, (metric, title) in zip(
        figure.subplots(1, 2), (("valid_accuracy", "top-1"), ("valid_top_5", "top-5")), strict=True
    ):
        for number, run in enumerate(runs):
            axes.plot(
                [epoch["minutes"] for epoch in run.history],
                [100 * epoch[metric] for epoch in run.history],
                DASHES[number // len(COLOURS) % len(DASHES)],
                color=COLOURS[number % len(COLOURS)],
                marker="o",
                markersize=2.5,
                label=f"{run.title}, {run.setting}",
            )
        axes.set(title=f"{title} on the inner slice", xlabel="minutes", ylabel="%", xlim=(0, None), ylim=(0, None))
        axes.grid(alpha=0.3)
        axes.spines[["top", "right"]].set_visible(False)
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3, frameon=False, fontsize=8)
    _write(figure, path)


def _write(figure: Figure, path: Path) -> None:
    picture = io.BytesIO()
    with mpl.rc_context({"svg.hashsalt": path.name, "svg.fonttype": "none"}):
        figure.savefig(picture, format="svg", metadata={"Date": None, "Creator": None})
    write_bytes(path, picture.getvalue())
