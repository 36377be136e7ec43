"""The charts of the page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from markupsafe import Markup

from mwp.evaluation.metrics import Roc
from mwp.evaluation.scores import Breakdown, Group
from mwp.evaluation.search_audit import ALL, AuditRow
from mwp.evaluation.statistics import Estimate
from mwp.report.charts import Bars, Chart, Line, bar_chart, line_chart
from mwp.report.page_tables import SETTINGS, ScoresByName
from mwp.report.paper import FIGURE_3
from mwp.report.pooled_scores import PooledScores

# (metric, title, axis, highest value)
CURVES: tuple[tuple[str, str, str, float | None], ...] = (
    ("valid_accuracy", "Accuracy on the validation split", "share right", 1.0),
    ("loss", "Loss", "weighted cross-entropy", None),
    ("buffer_size", "Growth of the buffer", "solutions", None),
    ("buffer_purity", "Purity of the buffer", "share sound", 1.0),
)
# A ROC curve is drawn through so many of its thresholds, if there are so many hypotheses of each kind.
ROC_POINTS, ROC_HYPOTHESES = 120, 10
CHANCE_LINE = Line("a coin", 6, ((0.0, 0.0), (1.0, 1.0)), dashed=True)


@dataclass(frozen=True)
class Training:
    """A system's metrics by epoch, fold by fold."""

    title: str
    setting: str
    folds: tuple[Sequence[Mapping[str, float]], ...]

    def curve(self, metric: str) -> tuple[tuple[float, float], ...]:
        """The mean over the folds at each epoch, from 1, that has the metric."""
        found = (
            (epoch + 1, [fold[epoch][metric] for fold in self.folds if epoch < len(fold) and metric in fold[epoch]])
            for epoch in range(max(map(len, self.folds), default=0))
        )
        return tuple((float(epoch), fmean(values)) for epoch, values in found if values)


def training_charts(trainings: Sequence[Training]) -> list[Chart]:
    """The curves of the systems of one setting."""
    charts = [
        line_chart(title, lines, "epoch", axis, top)
        for metric, title, axis, top in CURVES
        if (lines := _curves(trainings, metric))
    ]
    weights = [
        *_curves(trainings, "weight_sound", ", sound"),
        *_curves(trainings, "weight_spurious", ", spurious", dashed=True),
    ]
    if weights:
        charts.append(line_chart("Mean weight of sound and spurious solutions", weights, "epoch", "mean weight", 1.0))
    return charts


def _curves(trainings: Sequence[Training], metric: str, ending: str = "", dashed: bool = False) -> list[Line]:
    return [
        Line(f"{training.title}{ending}", colour, points, dashed)
        for colour, training in enumerate(trainings)
        if (points := training.curve(metric))
    ]


def roc_charts(pooled_scores: Sequence[PooledScores]) -> list[Chart]:
    """A curve for each system with a discriminator: over all hypotheses, and over those that give the answer."""
    every = {_full_title(one): one.roc for one in pooled_scores if one.roc}
    right = {_full_title(one): one.roc_of_right for one in pooled_scores if one.roc_of_right}
    charts = [
        _roc_chart("All hypotheses", every, "Sound ones against all others."),
        _roc_chart("Right hypotheses only", right, "Sound ones against those that are right for another reason."),
    ]
    return charts if every else []


def _roc_chart(title: str, rocs: Mapping[str, Roc], note: str) -> Chart:
    enough = {name: roc for name, roc in rocs.items() if min(roc.sound, roc.others) >= ROC_HYPOTHESES}
    few = [f"{name} ({roc.sound:,} sound, {roc.others:,} others)" for name, roc in rocs.items() if name not in enough]
    lines = [
        Line(f"{name}: AUC {roc.auc:.3f} ({roc.sound:,} sound, {roc.others:,} others)", colour, _thinned(roc.points))
        for colour, (name, roc) in enumerate(enough.items())
    ]
    note += f" Too few to draw: {'; '.join(few)}." if few else ""
    if not lines:
        return Chart(title, Markup(""), (), note=note)
    axes = ("share of the others above the threshold", "share of the sound")
    return line_chart(title, [*lines, CHANCE_LINE], *axes, top=1.0, last=1.0, note=note)


def _thinned(points: Sequence[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
    every = -(-len(points) // ROC_POINTS)
    return (*points[:-1:every], points[-1])


def _full_title(pooled: PooledScores) -> str:
    return f"{pooled.title}, {SETTINGS[pooled.setting]}"


def search_charts(rows: Sequence[AuditRow]) -> list[Chart]:
    """Coverage and soundness of each strategy, and soundness by the operators of the ground truth."""
    strategies = list(dict.fromkeys(row.strategy for row in rows))
    whole = {row.strategy: row for row in rows if row.operators == ALL}
    counts = list(dict.fromkeys(row.operators for row in rows if row.operators != ALL))
    by_count = {(row.strategy, row.operators): row for row in rows}
    measures = (("found", "found"), ("sound", "first candidate sound"), ("sound_at_5", "one of the first 5 sound"))
    overall = [
        Bars(
            name,
            colour,
            tuple(_exactly(getattr(whole[strategy], key), whole[strategy].problems) for strategy in strategies),
        )
        for colour, (key, name) in enumerate(measures)
    ]
    sound = [
        Bars(strategy, colour, tuple(_sound(by_count.get((strategy, count))) for count in counts))
        for colour, strategy in enumerate(strategies)
    ]
    return [
        bar_chart(
            "Coverage and soundness by strategy", strategies, overall, "strategy of the search", "% of the problems"
        ),
        bar_chart("First candidate sound", counts, sound, "operators of the ground truth", "% of the problems"),
    ]


def _sound(row: AuditRow | None) -> Estimate | None:
    return _exactly(row.sound, row.problems) if row else None


def _exactly(count: int, total: int) -> Estimate | None:
    """A share of all problems there are: nothing is estimated, so there is no interval."""
    return Estimate(value=count / total, low=count / total, high=count / total) if total else None


def difficulty_charts(pooled_scores: Sequence[PooledScores]) -> list[Chart]:
    """The accuracy of the systems of one setting on one dataset, by what makes a problem hard or easy."""
    return [
        chart
        for part, title, axis in (
            ("operators", "By operators", "operators of the ground truth"),
            ("numbers", "By numbers", "numbers in the text"),
            ("twins", "By twins", "a problem equal up to its numbers in training"),
        )
        if (chart := _difficulty_chart(pooled_scores, part, title, axis))
    ]


def _difficulty_chart(pooled_scores: Sequence[PooledScores], part: str, title: str, axis: str) -> Chart | None:
    groups = [_by_name(one.scores.breakdown, part) for one in pooled_scores]
    names = sorted({name for some in groups for name in some})
    if not names:
        return None
    sizes = {name: next(some[name].problems for some in groups if name in some) for name in names}
    series = [
        Bars(one.title, colour, tuple(some[name].accuracy["exact"] if name in some else None for name in names))
        for colour, (one, some) in enumerate(zip(pooled_scores, groups, strict=True))
    ]
    counts = ", ".join(f"{name}: {count:,}" for name, count in sizes.items())
    return bar_chart(title, names, series, axis, "% right, exact scorer", f"Problems: {counts}.")


def _by_name(breakdown: Breakdown, part: str) -> dict[str, Group]:
    return {group.name: group for group in getattr(breakdown, part)}


def ablation_chart(pooled_scores: ScoresByName) -> Chart | None:
    """Figure 3: three bars a setting, by the exact scorer; None where none of them was run."""
    rows = list(FIGURE_3.groups.values())
    series = []
    for colour, position in enumerate(range(len(rows[0]))):
        found = [pooled_scores.get((some[position].system, "full")) for some in rows]
        values = tuple(one.scores.accuracy() if one else None for one in found)
        series.append(Bars(rows[0][position].title, colour, values))
    if not any(value for bars in series for value in bars.values):
        return None
    return bar_chart("Ablation of D-MWP-BERT", list(FIGURE_3.groups), series, "setting", "% right, exact scorer")
