"""Commands on files: `mwp data import`, `mwp search`, `mwp score`."""

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mwp.data.cleaning import clean
from mwp.data.files import output_file, replacing, write_records
from mwp.data.problems import Problem, Record
from mwp.data.readers import read_problems
from mwp.errors import BadInput
from mwp.evaluation.outcomes import SCORERS, ScoredProblem, ScorerName, first_right, score_problems
from mwp.evaluation.scores import Scores, summarise
from mwp.evaluation.search_audit import audit
from mwp.evaluation.statistics import Comparison, compare
from mwp.inference.predictions import Prediction, read_predictions
from mwp.pipeline.params import WdaParams
from mwp.pipeline.progress import progress_for, with_progress
from mwp.wda.registry import make_strategy
from mwp.wda.strategies import label_all


@dataclass(frozen=True)
class Import:
    total: int
    kept: int
    drops_file: Path

    @property
    def dropped(self) -> int:
        return self.total - self.kept


def run_import(file: Path, out: Path, cleaned: bool) -> Import:
    target = output_file(out, file)
    drops_file = out.with_name(f"{out.name}.drops.jsonl")
    drops_target = output_file(drops_file, file)
    reading = read_problems(file, progress=progress_for(f"reading {file.name}"))
    problems, drops = reading.problems, reading.drops
    if cleaned:
        cleaning = clean(problems)
        problems, drops = cleaning.kept, [*drops, *cleaning.drops]
    write_records(target, problems)
    write_records(drops_target, drops)
    return Import(total=len(problems) + len(drops), kept=len(problems), drops_file=drops_file)


def run_search(file: Path, out: Path, name: str, params: WdaParams, jobs: int, scheduler: str | None) -> dict[str, Any]:
    """Write one label a problem to `out`; the counts are over all problems read."""
    strategy = make_strategy(name, params.max_tries, params.max_expressions, params.max_candidates)
    target = output_file(out, file)
    reading = read_problems(file, progress=progress_for(f"reading {file.name}"))
    started = time.perf_counter()
    with replacing(target) as handle:
        coming = with_progress(
            label_all(reading.problems, strategy, jobs, scheduler),
            len(reading.problems),
            f"searching, strategy {name}",
        )
        labels = []
        for label in coming:
            handle.write(label.model_dump_json() + "\n")
            labels.append(label)
    summary: dict[str, Any] = {
        "problems": len(labels),
        "found": sum(bool(label.candidates) for label in labels),
        "seconds": round(time.perf_counter() - started, 2),
        "strategy": name,
        "dropped": len(reading.drops),
    }
    rows = audit(reading.problems, labels)
    return summary | ({"sound": rows[0].sound, "sound_at_5": rows[0].sound_at_5} if rows else {})


class Rescoring(Record):
    """`against` compares first hypotheses with another run's; `dropped` records of the data could not be read.

    `left_out` problems have no prediction and were left out on demand.
    """

    scores: Scores
    against: dict[ScorerName, Comparison] | None
    dropped: int
    left_out: int


def run_score(file: Path, data: Path, against: Path | None = None, only_predicted: bool = False) -> Rescoring:
    predictions = read_predictions(file)
    others = read_predictions(against) if against else []
    reading = read_problems(data, progress=progress_for(f"reading {data.name}"))
    if not reading.problems:
        raise BadInput(f"{data}: no problem can be used; see the reasons with: mwp data info {data}")
    outcomes = _score_problems(file, predictions, reading.problems)
    compared = _compare(outcomes, _score_problems(against, others, reading.problems)) if against else None
    kept = [outcome for outcome in outcomes if outcome.predicted or not only_predicted]
    return Rescoring(
        scores=summarise(kept), against=compared, dropped=len(reading.drops), left_out=len(outcomes) - len(kept)
    )


def _score_problems(file: Path, predictions: list[Prediction], problems: list[Problem]) -> list[ScoredProblem]:
    return score_problems(predictions, problems, str(file), progress_for(f"scoring {file.name}"))


def _compare(outcomes: list[ScoredProblem], others: list[ScoredProblem]) -> dict[ScorerName, Comparison]:
    return {scorer: compare(first_right(outcomes, scorer), first_right(others, scorer)) for scorer in SCORERS}
