"""Stage evaluate: a trained solver on the test part of its fold, one beam search, every scorer."""

import sys
from pathlib import Path

from mwp.data.files import read_records, write_json, write_records
from mwp.data.folds import Fold
from mwp.data.problems import Problem
from mwp.errors import BadInput
from mwp.evaluation.scores import Scores, score
from mwp.inference.solver import Solver
from mwp.pipeline.grid import (
    MODEL_FILE,
    MODELS,
    ORIGIN_FILE,
    PREDICTIONS,
    SCORES_FILE,
    RunSpec,
    folds_file,
    problems_file,
)
from mwp.pipeline.params import EvaluateParams
from mwp.tracking.run import log_scores


def run_evaluate(params: EvaluateParams, spec: RunSpec) -> dict[str, Scores]:
    """Scores by dataset; the paper's top-5 needs five hypotheses."""
    model = Solver.load(spec.folder(MODELS) / MODEL_FILE)
    results = {}
    for dataset in spec.datasets:
        problems = {problem.id: problem for problem in read_records(problems_file(dataset), Problem)}
        fold = read_records(folds_file(dataset), Fold)[spec.fold]
        test = [problems[id] for id in fold.test]
        if not test:
            raise BadInput(f"{folds_file(dataset)}: fold {spec.fold} tests no problem of dataset {dataset}")
        predictions = model.predict(test, params.beam_size, params.batch_size)
        write_records(spec.folder(PREDICTIONS) / f"{dataset}.jsonl", predictions)
        train = [problems[id] for id in (*fold.train, *fold.valid)]
        results[dataset] = score(predictions, test, train)
    write_json(
        spec.folder(PREDICTIONS) / SCORES_FILE,
        {name: found.model_dump(mode="json") for name, found in results.items()},
    )
    write_json(spec.folder(PREDICTIONS) / ORIGIN_FILE, model.origin)
    _track(model, spec, results)
    return results


def _track(model: Solver, spec: RunSpec, results: dict[str, Scores]) -> None:
    """Add the scores and predictions to the run that trained the model, if it is in this project's store."""
    metrics = {
        f"{dataset}_{scorer}_{name}_{k}": getattr(top, name).value
        for dataset, found in results.items()
        for scorer, tops in found.top.items()
        for k, top in tops.items()
        for name in ("precision", "pass_at_k", "distinct_at_k")
    } | {
        f"{dataset}_{scorer}_{name}_1": picked.accuracy.value
        for dataset, found in results.items()
        for name, picks in (("merged", found.merged), ("verified", found.verified or {}))
        for scorer, picked in picks.items()
    }
    files: list[Path] = sorted(spec.folder(PREDICTIONS).iterdir())
    if not log_scores(str(model.origin["fingerprint"]), metrics, files):
        print("the run that trained this model is not in the store; its scores are in the files only", file=sys.stderr)
