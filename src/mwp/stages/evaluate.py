"""Stage evaluate: a trained solver on the test part of its fold, one beam search, every scorer."""

import json
import sys
from pathlib import Path

from mwp.data.files import read_records, read_text, write_json, write_records
from mwp.data.folds import Fold
from mwp.data.problems import Problem
from mwp.errors import BadInput
from mwp.evaluation.beams import predict
from mwp.evaluation.scores import Scores, score
from mwp.stages.items import Item
from mwp.stages.layout import (
    MODEL_FILE,
    MODELS,
    ORIGIN_FILE,
    PREDICTIONS,
    RUN_FILE,
    SCORES_FILE,
    SCRATCH,
    folds_file,
    problems_file,
)
from mwp.stages.params import EvaluateParams
from mwp.tracking.run import log_scores
from mwp.training.models import Model, load_model


def run_evaluate(params: EvaluateParams, item: Item) -> dict[str, Scores]:
    """Scores by dataset; the paper's top-5 needs five beams."""
    model = load_model(item.folder(MODELS) / MODEL_FILE)
    results = {}
    for dataset in item.datasets:
        problems = {problem.id: problem for problem in read_records(problems_file(dataset), Problem)}
        fold = read_records(folds_file(dataset), Fold)[item.fold]
        test = [problems[id] for id in fold.test]
        if not test:
            raise BadInput(f"{folds_file(dataset)}: fold {item.fold} tests no problem of dataset {dataset}")
        predictions = predict(model, test, params.beam, params.batch)
        write_records(item.folder(PREDICTIONS) / f"{dataset}.jsonl", predictions)
        train = [problems[id] for id in (*fold.train, *fold.valid)]
        results[dataset] = score(predictions, test, train)
    write_json(
        item.folder(PREDICTIONS) / SCORES_FILE,
        {name: found.model_dump(mode="json") for name, found in results.items()},
    )
    write_json(item.folder(PREDICTIONS) / ORIGIN_FILE, model.origin)
    _track(model, item, results)
    return results


def _track(model: Model, item: Item, results: dict[str, Scores]) -> None:
    """Add the scores and predictions to the run that trained the model, if it is in this project's store."""
    note = item.folder(SCRATCH) / str(model.origin["fingerprint"]) / RUN_FILE
    run_id = str(json.loads(read_text(note))["run"]) if note.exists() else ""
    metrics = {
        f"{dataset}_{scorer}_{name}_{k}": getattr(top, name).value
        for dataset, found in results.items()
        for scorer, tops in found.top.items()
        for k, top in tops.items()
        for name in ("precision", "any_right", "distinct_right")
    } | {
        f"{dataset}_{scorer}_{name}_1": picked.accuracy.value
        for dataset, found in results.items()
        for name, picks in (("merged", found.merged), ("plausible", found.plausible or {}))
        for scorer, picked in picks.items()
    }
    files: list[Path] = sorted(item.folder(PREDICTIONS).iterdir())
    if not run_id or not log_scores(run_id, metrics, files):
        print("the run that trained this model is not in the store; its scores are in the files only", file=sys.stderr)
