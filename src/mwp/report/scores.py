"""Scores of a run as text."""

from collections.abc import Mapping, Sequence

from mwp.evaluation.breakdown import Breakdown, Group
from mwp.evaluation.comparison import Comparison
from mwp.evaluation.intervals import Estimate
from mwp.evaluation.scorers import ScorerName
from mwp.evaluation.scores import Scores
from mwp.evaluation.spuriousness import Soundness
from mwp.report.tables import table


def percent(estimate: Estimate) -> str:
    return f"{estimate.value:.1%} ({100 * estimate.low:.1f} to {100 * estimate.high:.1f})"


def mean(estimate: Estimate) -> str:
    return f"{estimate.value:.2f} ({estimate.low:.2f} to {estimate.high:.2f})"


def scores_text(scores: Scores) -> str:
    parts = [_counts(scores), top_k_table(scores), picked_text(scores)]
    if scores.soundness:
        parts.append(soundness_text(scores.soundness))
    parts.append(breakdown_table(scores.breakdown))
    return "\n\n".join(parts)


def _counts(scores: Scores) -> str:
    return (
        f"{scores.problems:,} problems, {scores.missing:,} of them without a prediction (counted as wrong); "
        f"{scores.beams:,} beams, {scores.no_value:,} of them without a value; "
        f"{scores.no_float:,} answers that float() cannot read (always wrong under paper)"
    )


def top_k_table(scores: Scores) -> str:
    return table(
        ("scorer", "top", "precision", "any right", "distinct right"),
        [
            (scorer, str(k), percent(top.precision), percent(top.any_right), mean(top.distinct_right))
            for scorer, by_k in scores.top.items()
            for k, top in by_k.items()
        ],
    )


def picked_text(scores: Scores) -> str:
    """A line for each other way to pick one beam."""
    picks = {"beams equal modulo the laws merged": scores.merged, "of these the most plausible": scores.plausible or {}}
    return "\n".join(
        f"top-1, {name}: {', '.join(f'{percent(picked.accuracy)} {scorer}' for scorer, picked in by_scorer.items())}"
        for name, by_scorer in picks.items()
        if by_scorer
    )


def plausible(scores: Scores) -> str:
    """Exact accuracy of the most plausible beam, where that is known."""
    return percent(scores.plausible["exact"].accuracy) if scores.plausible else "unknown"


def soundness_text(soundness: Soundness) -> str:
    """Two lines: how many first beams are sound, how many right ones are spurious."""
    return (
        f"first beam sound: {percent(soundness.sound)} of {soundness.problems:,} problems with a ground truth\n"
        f"spurious: {_share(soundness.spurious_first)} of {soundness.right_first:,} right first beams, "
        f"{_share(soundness.spurious_in_top_5)} of {soundness.right_in_top_5:,} right beams in the top 5"
    )


def _share(estimate: Estimate | None) -> str:
    return percent(estimate) if estimate else "none"


def breakdown_table(breakdown: Breakdown) -> str:
    return table(
        ("accuracy by", "problems", "exact", "paper"),
        [
            *_rows("operators", breakdown.operators),
            *_rows("numbers", breakdown.numbers),
            *_rows("twin in training:", breakdown.twins),
        ],
    )


def _rows(what: str, groups: Sequence[Group]) -> list[tuple[str, ...]]:
    return [
        (
            f"{what} {group.name}",
            f"{group.problems:,}",
            percent(group.accuracy["exact"]),
            percent(group.accuracy["paper"]),
        )
        for group in groups
    ]


def comparison_table(comparisons: Mapping[ScorerName, Comparison]) -> str:
    """First beams of this run (A) and the other (B), by scorer."""
    return table(
        ("scorer", "problems", "A", "B", "A - B", "both right", "only A", "only B", "neither", "McNemar p"),
        [
            (
                scorer,
                f"{paired.problems:,}",
                percent(paired.a),
                percent(paired.b),
                percent(paired.difference),
                *(f"{count:,}" for count in (paired.both, paired.only_a, paired.only_b, paired.neither)),
                f"{paired.p_value:.3g}",
            )
            for scorer, paired in comparisons.items()
        ],
    )
