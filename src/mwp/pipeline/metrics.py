"""What DVC shows: results/metrics.json, one number a system and measure, and the tables behind its plots.

All are small and the same in every repetition, so they belong in git.
"""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from mwp.data.files import write_json, write_text
from mwp.evaluation.metrics import KS
from mwp.evaluation.outcomes import ScoredProblem
from mwp.pipeline.grid import METRICS, PLOTS
from mwp.report.pooled_scores import PooledScores

DECIMALS = 4
# Points of a risk and coverage curve.
STEPS = 20

Row = Mapping[str, Any]


def write_metrics(pooled: Sequence[PooledScores]) -> None:
    metrics: dict[str, dict[str, dict[str, float]]] = {}
    for one in pooled:
        exact = one.scores.top["exact"]
        measures = {
            "top_1": exact[1].precision.value,
            "top_5": exact[5].precision.value,
            "pass_5": exact[5].pass_at_k.value,
            "verified": one.scores.verified["exact"].accuracy.value if one.scores.verified else None,
        }
        known = {name: round(value, DECIMALS) for name, value in measures.items() if value is not None}
        metrics.setdefault(one.name, {})[one.dataset] = known
    write_json(METRICS, metrics)


def write_plots(
    histories: Mapping[tuple[str, int], Sequence[Mapping[str, float]]],
    pooled: Sequence[PooledScores],
    coverage: Mapping[tuple[str, str], Sequence[tuple[float, float]]],
) -> None:
    _write(
        "curves",
        (
            {"system": name, "fold": fold, "epoch": epoch, **{key: _short(value) for key, value in metrics.items()}}
            for (name, fold), history in histories.items()
            for epoch, metrics in enumerate(history)
        ),
    )
    _write(
        "right_at_k", (_estimated(one, {"k": k}, one.scores.top["exact"][k].precision) for one in pooled for k in KS)
    )
    _write(
        "operators",
        (
            _estimated(one, {"operators": group.name, "problems": group.problems}, group.accuracy["exact"])
            for one in pooled
            for group in one.scores.breakdown.operators
        ),
    )
    _write(
        "coverage",
        (
            {"system": name, "dataset": dataset, "coverage": _short(share), "risk": _short(risk)}
            for (name, dataset), curve in coverage.items()
            for share, risk in curve
        ),
    )


def risk_and_coverage(outcomes: Sequence[ScoredProblem]) -> list[tuple[float, float]]:
    """(share of the problems that the solver is surest of, share of wrong answers among them)."""
    answers = [(_confidence(outcome), outcome.verified_first) for outcome in outcomes]
    wrong = [first is None or "exact" not in first.right for _, first in sorted(answers, key=lambda pair: -pair[0])]
    counts = [round(step * len(wrong) / STEPS) for step in range(1, STEPS + 1)]
    return [(count / len(wrong), sum(wrong[:count]) / count) for count in counts if count]


def _confidence(outcome: ScoredProblem) -> float:
    """The verifier's, where there is one, else the probability of the merged hypothesis."""
    return max((group.probability if group.verified is None else group.verified for group in outcome.merged), default=0)


def _estimated(one: PooledScores, row: Row, estimate: Any) -> Row:
    ends = {"right": estimate.value, "low": estimate.low, "high": estimate.high}
    return {"system": one.name, "dataset": one.dataset, **row, **{key: _short(value) for key, value in ends.items()}}


def _short(value: float) -> float:
    return round(value, DECIMALS)


def _write(name: str, rows: Iterable[Row]) -> None:
    every = list(rows)
    text = io.StringIO()
    writer = csv.DictWriter(text, list(dict.fromkeys(key for row in every for key in row)), lineterminator="\n")
    writer.writeheader()
    writer.writerows(every)
    write_text(PLOTS / f"{name}.csv", text.getvalue())
