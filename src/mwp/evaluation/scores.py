"""Everything that is measured on a solver's predictions, as one record."""

from collections.abc import Iterable, Sequence

from mwp.data.problems import Problem, Record
from mwp.evaluation.breakdown import Breakdown, break_down
from mwp.evaluation.intervals import SEED, Estimate
from mwp.evaluation.outcomes import Outcome, judge
from mwp.evaluation.predictions import Prediction
from mwp.evaluation.scorers import SCORER_NAMES, ScorerName, reads_as_float
from mwp.evaluation.spuriousness import Soundness, measure_soundness
from mwp.evaluation.topk import KS, Picked, TopK, merged_top, plausible_top, top_k


class Scores(Record):
    """`missing` problems have no prediction and count as wrong; `top` is by scorer, then by k; `merged` and
    `plausible` by scorer, the latter None where the beams' plausibility is not known.

    `no_value` counts beams such as 1/(N0-N0), `no_float` the answers that the paper's scorer cannot read.
    """

    problems: int
    missing: int
    beams: int
    no_value: int
    no_float: int
    top: dict[ScorerName, dict[int, TopK]]
    merged: dict[ScorerName, Picked]
    plausible: dict[ScorerName, Picked] | None = None
    soundness: Soundness | None
    breakdown: Breakdown

    def accuracy(self, scorer: ScorerName = "exact") -> Estimate:
        return self.top[scorer][1].precision


def score(
    predictions: Sequence[Prediction],
    problems: Sequence[Problem],
    train_problems: Iterable[Problem] = (),
    seed: int = SEED,
) -> Scores:
    return summarise(judge(predictions, problems), train_problems, seed)


def summarise(outcomes: Sequence[Outcome], train_problems: Iterable[Problem] = (), seed: int = SEED) -> Scores:
    verdicts = [verdict for outcome in outcomes for verdict in outcome.verdicts]
    known = all(verdict.beam.plausibility is not None for verdict in verdicts)
    return Scores(
        problems=len(outcomes),
        missing=sum(not outcome.predicted for outcome in outcomes),
        beams=len(verdicts),
        no_value=sum(verdict.value is None for verdict in verdicts),
        no_float=sum(not reads_as_float(outcome.problem.answer_spelling) for outcome in outcomes),
        top={scorer: {k: top_k(outcomes, scorer, k, seed) for k in KS} for scorer in SCORER_NAMES},
        merged={scorer: merged_top(outcomes, scorer, seed) for scorer in SCORER_NAMES},
        plausible={scorer: plausible_top(outcomes, scorer, seed) for scorer in SCORER_NAMES} if known else None,
        soundness=measure_soundness(outcomes, seed),
        breakdown=break_down(outcomes, train_problems, seed),
    )
