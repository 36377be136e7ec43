"""The first k solutions of one beam search, for k = 1, 3, 5 (the paper's Table 5)."""

from collections.abc import Sequence

from mwp.data.problems import Record
from mwp.evaluation.intervals import SEED, Estimate, estimate
from mwp.evaluation.outcomes import Outcome, Verdict
from mwp.evaluation.scorers import ScorerName

KS = (1, 3, 5)
TOP = max(KS)


class TopK(Record):
    """`precision` is the paper's top-k accuracy: the right share of k beams a problem; for k = 1, answer accuracy.

    `any_right` is the share of problems with a right solution among the first k, `distinct_right` the mean number of
    right ones that differ modulo the laws of arithmetic. Missing beams count as wrong.
    """

    precision: Estimate
    any_right: Estimate
    distinct_right: Estimate


class Picked(Record):
    """Answer accuracy if another beam than the first is picked, and what that adds, paired problem by problem."""

    accuracy: Estimate
    gain: Estimate


def top_k(outcomes: Sequence[Outcome], scorer: ScorerName, k: int, seed: int = SEED) -> TopK:
    right = [outcome.right(scorer, k) for outcome in outcomes]
    return TopK(
        precision=estimate([len(verdicts) for verdicts in right], per=k, seed=seed),
        any_right=estimate([bool(verdicts) for verdicts in right], seed=seed),
        distinct_right=estimate([len({verdict.name for verdict in verdicts}) for verdicts in right], seed=seed),
    )


def merged_top(outcomes: Sequence[Outcome], scorer: ScorerName, seed: int = SEED) -> Picked:
    """Once beams equal modulo the laws are merged, the most probable."""
    return _picked(outcomes, [outcome.merged_first for outcome in outcomes], scorer, seed)


def plausible_top(outcomes: Sequence[Outcome], scorer: ScorerName, seed: int = SEED) -> Picked:
    """Of the merged beams the most plausible."""
    return _picked(outcomes, [outcome.plausible_first for outcome in outcomes], scorer, seed)


def _picked(outcomes: Sequence[Outcome], picks: Sequence[Verdict | None], scorer: ScorerName, seed: int) -> Picked:
    first = [bool(outcome.right(scorer, 1)) for outcome in outcomes]
    picked = [bool(pick and scorer in pick.right) for pick in picks]
    return Picked(
        accuracy=estimate(picked, seed=seed),
        gain=estimate([after - before for after, before in zip(picked, first, strict=True)], seed=seed),
    )
