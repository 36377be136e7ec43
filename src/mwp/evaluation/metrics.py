"""Precision@k (the paper's top-k, Table 5), pass@k, spurious solutions, and the discriminator's ROC.

A right solution is spurious if it is right for the wrong reason: not the ground truth as a function of the N_i.
"""

from collections.abc import Sequence

import numpy as np
from pydantic import Field

from mwp.data.problems import Record
from mwp.evaluation.outcomes import ScoredHypothesis, ScoredProblem, ScorerName
from mwp.evaluation.statistics import SEED, Estimate, estimate

KS = (1, 3, 5)
MAX_K = max(KS)


class TopK(Record):
    """`precision` is the paper's top-k accuracy: the right share of k hypotheses a problem; for k = 1, answer accuracy.

    `pass_at_k` is the share of problems with a right solution among the first k, `distinct_at_k` the mean number of
    right ones that differ modulo the laws of arithmetic. Missing hypotheses count as wrong.
    """

    precision: Estimate
    pass_at_k: Estimate = Field(validation_alias="any_right")
    distinct_at_k: Estimate = Field(validation_alias="distinct_right")


class Reranked(Record):
    """Answer accuracy if another hypothesis than the first is picked, and what that adds, paired by problem."""

    accuracy: Estimate
    gain: Estimate


def top_k(outcomes: Sequence[ScoredProblem], scorer: ScorerName, k: int, seed: int = SEED) -> TopK:
    right = [outcome.right(scorer, k) for outcome in outcomes]
    return TopK(
        precision=estimate([len(hypotheses) for hypotheses in right], per=k, seed=seed),
        pass_at_k=estimate([bool(hypotheses) for hypotheses in right], seed=seed),
        distinct_at_k=estimate(
            [len({hypothesis.name for hypothesis in hypotheses}) for hypotheses in right], seed=seed
        ),
    )


def merged_top(outcomes: Sequence[ScoredProblem], scorer: ScorerName, seed: int = SEED) -> Reranked:
    """Of the merged hypotheses the most probable."""
    return _reranked(outcomes, [outcome.merged_first for outcome in outcomes], scorer, seed)


def verified_top(outcomes: Sequence[ScoredProblem], scorer: ScorerName, seed: int = SEED) -> Reranked:
    """Of the merged hypotheses the one that the verifier believes most."""
    return _reranked(outcomes, [outcome.verified_first for outcome in outcomes], scorer, seed)


def _reranked(
    outcomes: Sequence[ScoredProblem], picks: Sequence[ScoredHypothesis | None], scorer: ScorerName, seed: int
) -> Reranked:
    first = [bool(outcome.right(scorer, 1)) for outcome in outcomes]
    picked = [bool(pick and scorer in pick.right) for pick in picks]
    return Reranked(
        accuracy=estimate(picked, seed=seed),
        gain=estimate([after - before for after, before in zip(picked, first, strict=True)], seed=seed),
    )


class Soundness(Record):
    """Over the problems with a ground truth; right is meant as the exact scorer means it.

    A spurious share is None where no solution is right.
    """

    problems: int
    sound: Estimate
    right_first: int
    spurious_first: Estimate | None
    right_in_top_5: int
    spurious_in_top_5: Estimate | None


def measure_soundness(outcomes: Sequence[ScoredProblem], seed: int = SEED) -> Soundness | None:
    """None without ground truths."""
    known = [outcome for outcome in outcomes if outcome.problem.gold]
    if not known:
        return None
    firsts = [outcome.right("exact", 1) for outcome in known]
    tops = [outcome.right("exact", MAX_K) for outcome in known]
    return Soundness(
        problems=len(known),
        sound=estimate(
            [any(hypothesis.sound for hypothesis in outcome.hypotheses[:1]) for outcome in known], seed=seed
        ),
        right_first=sum(map(len, firsts)),
        spurious_first=_spurious_share(firsts, seed),
        right_in_top_5=sum(map(len, tops)),
        spurious_in_top_5=_spurious_share(tops, seed),
    )


def _spurious_share(right: Sequence[Sequence[ScoredHypothesis]], seed: int) -> Estimate | None:
    spurious = [sum(not hypothesis.sound for hypothesis in hypotheses) for hypotheses in right]
    return estimate(spurious, per=[len(hypotheses) for hypotheses in right], seed=seed) if any(right) else None


class Roc(Record):
    """`points` are (share of the others, share of the sound) above each threshold, from (0, 0) to (1, 1)."""

    sound: int
    others: int
    auc: float
    points: tuple[tuple[float, float], ...]


def measure_roc(outcomes: Sequence[ScoredProblem], only_right: bool = False) -> Roc | None:
    """Over the scored hypotheses of problems with a ground truth; None if all are sound or none is.

    `only_right` leaves out those that miss the answer: the answer cannot tell the rest apart.
    """
    hypotheses = [
        hypothesis
        for outcome in outcomes
        if outcome.problem.gold
        for hypothesis in outcome.hypotheses
        if hypothesis.hypothesis.qualification is not None and (not only_right or "exact" in hypothesis.right)
    ]
    return _roc(hypotheses)


def _roc(hypotheses: Sequence[ScoredHypothesis]) -> Roc | None:
    scores = np.array([hypothesis.hypothesis.qualification for hypothesis in hypotheses], np.float64)
    is_sound = np.array([hypothesis.sound for hypothesis in hypotheses], bool)
    sound, others = int(is_sound.sum()), int((~is_sound).sum())
    if not sound or not others:
        return None
    thresholds, position = np.unique(-scores, return_inverse=True)
    x = np.concatenate([[0], np.cumsum(np.bincount(position[~is_sound], minlength=len(thresholds)))]) / others
    y = np.concatenate([[0], np.cumsum(np.bincount(position[is_sound], minlength=len(thresholds)))]) / sound
    area = float(((x[1:] - x[:-1]) * (y[1:] + y[:-1])).sum() / 2)
    return Roc(sound=sound, others=others, auc=area, points=tuple(zip(x.tolist(), y.tolist(), strict=True)))
