"""How well the discriminator's score tells sound beams from spurious ones."""

from collections.abc import Sequence

import numpy as np

from mwp.data.problems import Record
from mwp.evaluation.outcomes import Outcome, Verdict


class Roc(Record):
    """`points` are (share of the others, share of the sound) above each threshold, from (0, 0) to (1, 1)."""

    sound: int
    others: int
    auc: float
    points: tuple[tuple[float, float], ...]


def measure_roc(outcomes: Sequence[Outcome], only_right: bool = False) -> Roc | None:
    """Over the beams with a score of the problems with a ground truth; None if there is only one kind of them.

    `only_right` leaves out the beams that miss the answer: what is left only the discriminator could tell apart.
    """
    verdicts = [
        verdict
        for outcome in outcomes
        if outcome.problem.gold
        for verdict in outcome.verdicts
        if verdict.beam.fitness is not None and (not only_right or "exact" in verdict.right)
    ]
    return _roc(verdicts)


def _roc(verdicts: Sequence[Verdict]) -> Roc | None:
    scores = np.array([verdict.beam.fitness for verdict in verdicts], np.float64)
    is_sound = np.array([verdict.sound for verdict in verdicts], bool)
    sound, others = int(is_sound.sum()), int((~is_sound).sum())
    if not sound or not others:
        return None
    thresholds, place = np.unique(-scores, return_inverse=True)
    x = np.concatenate([[0], np.cumsum(np.bincount(place[~is_sound], minlength=len(thresholds)))]) / others
    y = np.concatenate([[0], np.cumsum(np.bincount(place[is_sound], minlength=len(thresholds)))]) / sound
    area = float(((x[1:] - x[:-1]) * (y[1:] + y[:-1])).sum() / 2)
    return Roc(sound=sound, others=others, auc=area, points=tuple(zip(x.tolist(), y.tolist(), strict=True)))
