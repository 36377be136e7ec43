"""`mwp keep`: what the grid's runs found, as small files for git."""

import json
import os
import platform
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mwp.arith.prefix import from_prefix
from mwp.data.files import read_records, read_text, write_records, write_text
from mwp.data.folds import Fold
from mwp.data.problems import Problem
from mwp.errors import BadInput
from mwp.evaluation.outcomes import judge
from mwp.evaluation.predictions import Prediction, read_predictions
from mwp.evaluation.scores import Scores
from mwp.evaluation.soundness import is_sound
from mwp.report.kept import RUN, BufferSummary, KeptRun, Stock, marks_file, marks_of, predictions_file
from mwp.stages.items import Item, grid_items
from mwp.stages.layout import (
    BUFFER_FILE,
    MODEL_FILE,
    MODELS,
    PREDICTIONS,
    RUN_FILE,
    SCORES_FILE,
    SCRATCH,
    folds_file,
    problems_file,
)
from mwp.stages.params import Params
from mwp.stages.progress import follow
from mwp.tracking.run import RunIdentity, read_epochs
from mwp.training.buffer import ProblemBuffer
from mwp.training.checkpoint import load
from mwp.training.precision import settled

# Of a log-probability, of a discriminator's score and of a plausibility.
DECIMALS = 4


@dataclass(frozen=True)
class _Trace:
    """What a training left: its values, its epochs, and the weights of plausibility if it is finished and has any."""

    config: dict[str, Any]
    history: Sequence[dict[str, float]]
    plausibility: dict[str, float] | None = None


def run_keep(params: Params, into: Path) -> tuple[list[Item], list[Item]]:
    """The runs that were kept, and those that never began; one that was broken off or not tested is kept as a trial."""
    items = grid_items(params.train)
    traces = {item.folder(into): _trace(item) for item in follow(items, len(items), "reading runs")}
    begun = [item for item in items if traces[item.folder(into)].history]
    if not begun:
        raise BadInput("none of the systems of params.yaml is trained; train them first with: dvc repro")
    for item in follow(begun, len(begun), "keeping runs"):
        _keep(item, item.folder(into), traces[item.folder(into)])
    return begun, [item for item in items if item not in begun]


def _keep(item: Item, folder: Path, trace: _Trace) -> None:
    scores = _scores(item)
    for dataset in scores:
        _keep_predictions(item, dataset, folder)
    run = KeptRun(
        system=item.name,
        title=item.title,
        setting=item.system.setting,
        fold=item.fold,
        config=trace.config,
        start=item.start.model_dump(),
        machine=f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}",
        history=tuple(trace.history),
        buffer=_buffer(item),
        plausibility=trace.plausibility,
        scores=scores,
    )
    write_text(folder / RUN, run.model_dump_json(indent=1) + "\n")


def _scores(item: Item) -> dict[str, Scores]:
    path = item.folder(PREDICTIONS) / SCORES_FILE
    content: dict[str, Any] = json.loads(read_text(path)) if path.exists() else {}
    return {dataset: Scores.model_validate(scores) for dataset, scores in content.items()}


def _keep_predictions(item: Item, dataset: str, folder: Path) -> None:
    """The marks let tables be made without the data; the predictions can be scored anew with it."""
    predictions = read_predictions(item.folder(PREDICTIONS) / f"{dataset}.jsonl")
    problems = {problem.id: problem for problem in read_records(problems_file(dataset), Problem)}
    test = [problems[id] for id in read_records(folds_file(dataset), Fold)[item.fold].test]
    write_records(marks_file(folder, dataset), [marks_of(outcome) for outcome in judge(predictions, test)])
    write_records(predictions_file(folder, dataset), [_rounded(prediction) for prediction in predictions])


def _rounded(prediction: Prediction) -> Prediction:
    return prediction.model_copy(update={"beams": tuple(beam.rounded(DECIMALS) for beam in prediction.beams)})


def _trace(item: Item) -> _Trace:
    """The epochs come from the tracked run, which alone knows how long each took; scores are no part of them."""
    path = item.folder(MODELS) / MODEL_FILE
    identity = RunIdentity(item.name, item.system.setting, item.system.backbone, item.system.variant, item.fold)
    if not path.exists():
        return _Trace(settled(item.config).model_dump(), read_epochs(identity.key))
    model = load(path)
    note = item.folder(SCRATCH) / str(model["origin"]["fingerprint"]) / RUN_FILE
    epochs = read_epochs(identity.key, str(json.loads(read_text(note))["run"]))
    weights: dict[str, float] = model.get("plausibility") or {}
    return _Trace(
        model["config"],
        [{name: value for name, value in epoch.items() if name in epochs[-1]} for epoch in epochs],
        {name: round(weight, DECIMALS) for name, weight in weights.items()} or None,
    )


def _buffer(item: Item) -> BufferSummary | None:
    """Of a finished training."""
    if not (item.folder(MODELS) / BUFFER_FILE).exists():
        return None
    records = read_records(item.folder(MODELS) / BUFFER_FILE, ProblemBuffer)
    problems = {
        f"{dataset}/{problem.id}": problem
        for dataset in item.datasets
        for problem in read_records(problems_file(dataset), Problem)
    }
    counts: dict[str, Counter[str]] = {}
    for record in records:
        problem = problems[record.problem]
        for entry in record.entries:
            judged = bool(problem.gold)
            sound = judged and is_sound(from_prefix(entry.solution), problem)
            counts.setdefault(entry.source, Counter()).update(solutions=1, judged=judged, sound=sound)
    return BufferSummary(
        sizes=dict(sorted(Counter(len(record.entries) for record in records).items())),
        sources={
            source: Stock(solutions=count["solutions"], judged=count["judged"], sound=count["sound"])
            for source, count in counts.items()
        },
    )
