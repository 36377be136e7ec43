"""The systems of a study side by side: one table a setting and dataset."""

from collections.abc import Sequence

from mwp.data.problems import Record
from mwp.evaluation.intervals import Estimate
from mwp.evaluation.scores import Scores
from mwp.report.scores import mean, percent, plausible
from mwp.report.tables import table


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


def systems_table(runs: Sequence[Scored]) -> str:
    """Precision at k is the paper's top-k accuracy."""
    return table(
        (
            "system",
            "fold",
            "top-1",
            "top-1 (paper's scorer)",
            "top-1, equal beams merged",
            "top-1, most plausible",
            "top-3",
            "top-5",
            "any right of 5",
            "distinct right of 5",
        ),
        [
            (
                run.title,
                str(run.fold),
                percent(run.scores.top["exact"][1].precision),
                percent(run.scores.top["paper"][1].precision),
                percent(run.scores.merged["exact"].accuracy),
                plausible(run.scores),
                percent(run.scores.top["exact"][3].precision),
                percent(run.scores.top["exact"][5].precision),
                percent(run.scores.top["exact"][5].any_right),
                mean(run.scores.top["exact"][5].distinct_right),
            )
            for run in runs
        ],
    )


def gains_table(gains: Sequence[Gain]) -> str:
    """Bold where the interval excludes zero."""
    return table(
        ("setting", "systems", "dataset", "folds", "top-1", "top-3", "top-5"),
        [
            (
                gain.setting,
                gain.title,
                gain.dataset,
                str(len(gain.folds)),
                *(points(gain.top[k]) for k in (1, 3, 5)),
            )
            for gain in gains
        ],
    )


def points(difference: Estimate) -> str:
    low, high = 100 * difference.low, 100 * difference.high
    text = f"{100 * difference.value:+.1f} ({low:+.1f} to {high:+.1f})"
    return f"**{text}**" if low > 0 or high < 0 else text
