"""`mwp score`: predictions scored anew, without a model."""

from pathlib import Path

from mwp.data.problems import Problem, Record
from mwp.data.readers import read_problems
from mwp.errors import BadInput
from mwp.evaluation.comparison import Comparison, compare
from mwp.evaluation.outcomes import Outcome, first_right, judge
from mwp.evaluation.predictions import Prediction, read_predictions
from mwp.evaluation.scorers import SCORER_NAMES, ScorerName
from mwp.evaluation.scores import Scores, summarise
from mwp.stages.progress import following


class Rescoring(Record):
    """`against` compares first beams with another run's; `dropped` records of the data could not be read.

    `left_out` problems have no prediction and were left out on demand.
    """

    scores: Scores
    against: dict[ScorerName, Comparison] | None
    dropped: int
    left_out: int


def run_score(file: Path, data: Path, against: Path | None = None, only_predicted: bool = False) -> Rescoring:
    predictions = read_predictions(file)
    others = read_predictions(against) if against else []
    reading = read_problems(data, progress=following(f"reading {data.name}"))
    if not reading.problems:
        raise BadInput(f"{data}: no problem can be used; see the reasons with: mwp data info {data}")
    outcomes = _judge(file, predictions, reading.problems)
    compared = _compare(outcomes, _judge(against, others, reading.problems)) if against else None
    kept = [outcome for outcome in outcomes if outcome.predicted or not only_predicted]
    return Rescoring(
        scores=summarise(kept), against=compared, dropped=len(reading.drops), left_out=len(outcomes) - len(kept)
    )


def _judge(file: Path, predictions: list[Prediction], problems: list[Problem]) -> list[Outcome]:
    return judge(predictions, problems, str(file), following(f"scoring {file.name}"))


def _compare(outcomes: list[Outcome], others: list[Outcome]) -> dict[ScorerName, Comparison]:
    return {scorer: compare(first_right(outcomes, scorer), first_right(others, scorer)) for scorer in SCORER_NAMES}
