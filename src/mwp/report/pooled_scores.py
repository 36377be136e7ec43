"""A system's scores once the test problems of all its folds are pooled, with links to its tracked runs."""

import json
from collections.abc import Mapping
from urllib.parse import quote

from mwp.data.problems import Record
from mwp.evaluation.metrics import Roc
from mwp.evaluation.scores import Scores
from mwp.evaluation.statistics import Estimate

# Where `mwp ui` serves MLflow's page.
UI = "http://127.0.0.1:5000"


class RunLink(Record):
    """The tracked run of one fold; without the experiment's id there is no address."""

    fold: int
    run: str
    experiment: str | None = None

    @property
    def label(self) -> str:
        return self.run[:8]

    @property
    def title(self) -> str:
        return f"Run {self.run} of fold {self.fold} in MLflow"

    @property
    def url(self) -> str | None:
        return f"{UI}/#/experiments/{self.experiment}/runs/{self.run}" if self.experiment else None


class Comparison(Record):
    """Several runs side by side on MLflow's page: params, scores and curves."""

    runs: tuple[RunLink, ...]
    label: str = "compare"
    title: str = "Both runs side by side in MLflow"

    @property
    def url(self) -> str | None:
        return f"{UI}/{self.position}" if self.position else None

    @property
    def position(self) -> str | None:
        """Within MLflow's page, wherever that is served."""
        experiments = {run.experiment for run in self.runs}
        if None in experiments or len(self.runs) < 2:
            return None
        wanted = {"runs": [run.run for run in self.runs], "experiments": sorted(experiments, key=str)}
        return "#/compare-runs?" + "&".join(
            f"{name}={json.dumps(ids, separators=(',', ':'))}" for name, ids in wanted.items()
        )


def comparisons_note(comparisons: Mapping[str, Comparison]) -> str:
    """Links for MLflow's own page, in the one line that it shows unfolded; nothing where no pair is in the store."""
    links = [
        f"[{title}]({quote(comparison.position, safe='#/?&=')})"
        for title, comparison in comparisons.items()
        if comparison.position
    ]
    return f"Side by side: {' · '.join(links)}" if links else ""


class PooledScores(Record):
    """`roc` is over all hypotheses, `roc_of_right` over those that give the answer; None without a discriminator."""

    name: str
    title: str
    setting: str
    dataset: str
    folds: tuple[int, ...]
    scores: Scores
    runs: tuple[RunLink, ...] = ()
    roc: Roc | None = None
    roc_of_right: Roc | None = None


class Scored(Record):
    """One run's scores on the test part of one dataset."""

    name: str
    title: str
    setting: str
    fold: int
    dataset: str
    scores: Scores


class Gain(Record):
    """What a system adds to its plain form on the same problems: paired differences of precision at 1, 3 and 5.

    The test problems of all folds are pooled.
    """

    name: str
    base: str
    setting: str
    title: str
    folds: tuple[int, ...]
    dataset: str
    top: dict[int, Estimate]
