"""A small study without training: real problems, searches, folds and scores; the solvers' answers are written here."""

import contextlib
import json
from collections.abc import Sequence
from pathlib import Path

import yaml

from mwp.arith.expressions import Constant, Operation
from mwp.arith.notation import from_prefix, leaf_token, to_prefix
from mwp.data.files import read_records, write_json, write_records
from mwp.data.folds import Fold
from mwp.data.formats import read_objects
from mwp.data.problems import Problem
from mwp.evaluation.scores import score
from mwp.inference.predictions import Hypothesis, Prediction, make_hypothesis
from mwp.pipeline.clean import run_clean
from mwp.pipeline.folds import run_folds
from mwp.pipeline.grid import (
    HISTORY_FILE,
    MODELS,
    ORIGIN_FILE,
    PREDICTIONS,
    SCORES_FILE,
    RunSpec,
    folds_file,
    grid_run_specs,
    problems_file,
)
from mwp.pipeline.params import Params, read_params
from mwp.pipeline.report import run_report
from mwp.pipeline.wda import run_wda
from mwp.report.pooled_scores import RunLink

ROOT = Path(__file__).parents[2]
SYSTEMS = {
    "full-gts": {"setting": "full", "variant": "plain"},
    "full-d-gts": {"setting": "full"},
    "semi-d-gts": {"setting": "semi"},
    "weak-gts": {"setting": "weak", "variant": "plain"},
}
SIZES = {"math23k.json": 60, "weak12k.json": 25}
RUN = "0123456789abcdef0123456789abcdef"


def make_study(folder: Path) -> Params:
    """Everything that the stage report reads, in `folder`, and its own outputs."""
    with contextlib.chdir(folder):
        params = _write_params()
        run_clean(params.data)
        run_folds(params.folds)
        run_wda(params.wda, jobs=1)
        for item in grid_run_specs(params.train):
            _answer(item)
        run_report(params, lambda spec: RunLink(fold=spec.fold, run=RUN, experiment="1"))
    return params


def _write_params() -> Params:
    content = yaml.safe_load((ROOT / "params.yaml").read_text(encoding="utf8"))
    content["train"] |= {"systems": SYSTEMS, "folds": [0, 1]}
    content["wda"] |= {"max_tries": 2_000, "max_expressions": 2_000}
    content["data"] = {"full": "math23k.json", "weak": "weak12k.json"}
    Path("params.yaml").write_text(yaml.safe_dump(content, sort_keys=False), encoding="utf8")
    for name, size in SIZES.items():
        records = read_objects(ROOT / "data/sample" / name)[:size]
        Path(name).write_text(json.dumps(records, ensure_ascii=False), encoding="utf8")
    return read_params()


def _answer(item: RunSpec) -> None:
    """What the stages train and evaluate leave."""
    results = {}
    for dataset in item.datasets:
        problems = {problem.id: problem for problem in read_records(problems_file(dataset), Problem)}
        fold = read_records(folds_file(dataset), Fold)[item.fold]
        test = [problems[id] for id in fold.test]
        predictions = [
            Prediction(id=problem.id, hypotheses=tuple(hypotheses_of(item, problem, position)))
            for position, problem in enumerate(test)
        ]
        write_records(item.folder(PREDICTIONS) / f"{dataset}.jsonl", predictions)
        scores = score(predictions, test, [problems[id] for id in fold.train])
        results[dataset] = scores.model_dump(mode="json")
    write_json(item.folder(PREDICTIONS) / SCORES_FILE, results)
    write_json(item.folder(PREDICTIONS) / ORIGIN_FILE, {"fingerprint": "f00d"})
    epochs = [{"loss": 2.0 / epoch, "valid_accuracy": epoch / 10, "buffer_size": 40.0 + epoch} for epoch in range(1, 5)]
    write_json(item.folder(MODELS) / HISTORY_FILE, epochs)


def hypotheses_of(item: RunSpec, problem: Problem, position: int) -> Sequence[Hypothesis]:
    """The plain solver misses every other problem; the diversified one gives a turned and a spurious solution too."""
    wrong, spurious = ("-", "N0", "N0"), (leaf_token(Constant(problem.answer)),)
    right = problem.gold[0] if problem.gold else spurious
    diversified = item.system.variant == "diversified"
    if not diversified:
        return [
            make_hypothesis(solution, -1.0 - rank, problem)
            for rank, solution in enumerate([wrong, right][:: 1 - 2 * (position % 2)])
        ]
    solutions = [spurious, right] if position % 7 == 3 else [right, _turned(right), spurious, wrong]
    fits = {right: 0.9, _turned(right): 0.8, spurious: 0.3, wrong: 0.1}
    return [
        make_hypothesis(solution, -0.5 - rank, problem, fits[solution]).model_copy(
            update={"verified": 1 / len(solutions)}
        )
        for rank, solution in enumerate(solutions)
    ]


def _turned(solution: tuple[str, ...]) -> tuple[str, ...]:
    """An equal one: the operands of the root in the other order, where that is allowed, else once more the same."""
    root = from_prefix(solution)
    if isinstance(root, Operation) and root.operator in "+*":
        return to_prefix(Operation(root.operator, root.right, root.left))
    return ("*", *solution, "1")
