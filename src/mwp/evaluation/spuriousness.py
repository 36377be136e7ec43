"""How many predicted solutions are sound, and how many of the right ones are spurious: right for the wrong reason."""

from collections.abc import Sequence

from mwp.data.problems import Record
from mwp.evaluation.intervals import SEED, Estimate, estimate
from mwp.evaluation.outcomes import Outcome, Verdict
from mwp.evaluation.topk import TOP


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


def measure_soundness(outcomes: Sequence[Outcome], seed: int = SEED) -> Soundness | None:
    """None without ground truths."""
    known = [outcome for outcome in outcomes if outcome.problem.gold]
    if not known:
        return None
    firsts = [outcome.right("exact", 1) for outcome in known]
    tops = [outcome.right("exact", TOP) for outcome in known]
    return Soundness(
        problems=len(known),
        sound=estimate([any(verdict.sound for verdict in outcome.verdicts[:1]) for outcome in known], seed=seed),
        right_first=sum(map(len, firsts)),
        spurious_first=_spurious_share(firsts, seed),
        right_in_top_5=sum(map(len, tops)),
        spurious_in_top_5=_spurious_share(tops, seed),
    )


def _spurious_share(right: Sequence[Sequence[Verdict]], seed: int) -> Estimate | None:
    spurious = [sum(not verdict.sound for verdict in verdicts) for verdicts in right]
    return estimate(spurious, per=[len(verdicts) for verdicts in right], seed=seed) if any(right) else None
