"""`mwp results export`: what the grid's runs found, as small files for git."""

import json
import os
import platform
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mwp.arith.notation import from_prefix
from mwp.data.files import read_records, read_text, write_records, write_text
from mwp.data.folds import Fold
from mwp.data.problems import Problem
from mwp.data.soundness import is_sound
from mwp.errors import BadInput
from mwp.evaluation.outcomes import score_problems
from mwp.evaluation.scores import Scores
from mwp.inference.predictions import Prediction, read_predictions
from mwp.pipeline.grid import (
    BUFFER_FILE,
    MODEL_FILE,
    MODELS,
    PREDICTIONS,
    SCORES_FILE,
    RunSpec,
    folds_file,
    grid_run_specs,
    problems_file,
)
from mwp.pipeline.params import Params
from mwp.pipeline.progress import with_progress
from mwp.report.saved_runs import (
    RUN,
    BufferSummary,
    SavedRun,
    SourceCounts,
    correctness_file,
    correctness_of,
    predictions_file,
)
from mwp.tracking.run import RunIdentity, read_epochs
from mwp.training.buffer import ProblemBuffer
from mwp.training.checkpoint import load
from mwp.training.learner import settled

# Of a log-probability and of the scores of discriminator and verifier.
DECIMALS = 4


@dataclass(frozen=True)
class _TrainingLog:
    """What a training left: its values, its epochs, and the verifier's weights if it is finished and has one."""

    config: dict[str, Any]
    history: Sequence[dict[str, float]]
    verifier: dict[str, float] | None = None


def export_runs(params: Params, into: Path) -> tuple[list[RunSpec], list[RunSpec]]:
    """The runs that were saved, and those that never began; one that was broken off is saved without scores."""
    specs = grid_run_specs(params.train)
    logs = {spec.folder(into): _training_log(spec) for spec in with_progress(specs, len(specs), "reading runs")}
    begun = [spec for spec in specs if logs[spec.folder(into)].history]
    if not begun:
        raise BadInput("none of the systems of params.yaml is trained; train them first with: dvc repro")
    for spec in with_progress(begun, len(begun), "saving runs"):
        _save(spec, spec.folder(into), logs[spec.folder(into)])
    return begun, [spec for spec in specs if spec not in begun]


def _save(spec: RunSpec, folder: Path, log: _TrainingLog) -> None:
    scores = _scores(spec)
    for dataset in scores:
        _save_predictions(spec, dataset, folder)
    run = SavedRun(
        system=spec.name,
        title=spec.title,
        setting=spec.system.setting,
        fold=spec.fold,
        config=log.config,
        seeding=spec.seeding.model_dump(),
        machine=f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}",
        history=tuple(log.history),
        buffer=_buffer(spec),
        verifier=log.verifier,
        scores=scores,
    )
    write_text(folder / RUN, run.model_dump_json(indent=1) + "\n")


def _scores(spec: RunSpec) -> dict[str, Scores]:
    path = spec.folder(PREDICTIONS) / SCORES_FILE
    content: dict[str, Any] = json.loads(read_text(path)) if path.exists() else {}
    return {dataset: Scores.model_validate(scores) for dataset, scores in content.items()}


def _save_predictions(spec: RunSpec, dataset: str, folder: Path) -> None:
    """The correctness lets tables be made without the data; the predictions can be scored again with it."""
    predictions = read_predictions(spec.folder(PREDICTIONS) / f"{dataset}.jsonl")
    problems = {problem.id: problem for problem in read_records(problems_file(dataset), Problem)}
    test = [problems[id] for id in read_records(folds_file(dataset), Fold)[spec.fold].test]
    write_records(
        correctness_file(folder, dataset), [correctness_of(outcome) for outcome in score_problems(predictions, test)]
    )
    write_records(predictions_file(folder, dataset), [_rounded(prediction) for prediction in predictions])


def _rounded(prediction: Prediction) -> Prediction:
    return prediction.model_copy(update={"hypotheses": tuple(one.rounded(DECIMALS) for one in prediction.hypotheses)})


def _training_log(spec: RunSpec) -> _TrainingLog:
    """The epochs come from the tracked run, which alone knows how long each took; scores are no part of them."""
    path = spec.folder(MODELS) / MODEL_FILE
    identity = RunIdentity(spec.name, spec.system.setting, spec.system.backbone, spec.system.variant, spec.fold)
    if not path.exists():
        return _TrainingLog(settled(spec.config).model_dump(), read_epochs(identity.key))
    model = load(path)
    epochs = read_epochs(identity.key, str(model["origin"]["fingerprint"]))
    weights: dict[str, float] = model.get("verifier") or {}
    return _TrainingLog(
        model["config"],
        [{name: value for name, value in epoch.items() if name in epochs[-1]} for epoch in epochs],
        {name: round(weight, DECIMALS) for name, weight in weights.items()} or None,
    )


def _buffer(spec: RunSpec) -> BufferSummary | None:
    """Of a finished training."""
    if not (spec.folder(MODELS) / BUFFER_FILE).exists():
        return None
    records = read_records(spec.folder(MODELS) / BUFFER_FILE, ProblemBuffer)
    problems = {
        f"{dataset}/{problem.id}": problem
        for dataset in spec.datasets
        for problem in read_records(problems_file(dataset), Problem)
    }
    counts: dict[str, Counter[str]] = {}
    for record in records:
        problem = problems[record.problem]
        for entry in record.entries:
            checked = bool(problem.gold)
            sound = checked and is_sound(from_prefix(entry.solution), problem)
            counts.setdefault(entry.source, Counter()).update(solutions=1, checked=checked, sound=sound)
    return BufferSummary(
        sizes=dict(sorted(Counter(len(record.entries) for record in records).items())),
        sources={
            source: SourceCounts(solutions=count["solutions"], checked=count["checked"], sound=count["sound"])
            for source, count in counts.items()
        },
    )
