"""What the evaluated runs left, read back for the report."""

import json
from collections.abc import Iterator, Sequence

from mwp.data.files import read_records, read_text
from mwp.data.folds import Fold
from mwp.data.problems import Problem
from mwp.evaluation.intervals import estimate
from mwp.evaluation.outcomes import Outcome, judge
from mwp.evaluation.predictions import read_predictions
from mwp.evaluation.scores import Scores
from mwp.report.systems import Gain, Scored
from mwp.stages.items import Item
from mwp.stages.layout import HISTORY_FILE, MODELS, PREDICTIONS, folds_file, problems_file


def read_scores(items: Sequence[Item]) -> Iterator[Scored]:
    for item in items:
        content = json.loads(read_text(item.folder(PREDICTIONS) / "scores.json"))
        for dataset, scores in content.items():
            yield Scored(
                name=item.name,
                title=item.title,
                setting=item.system.setting,
                fold=item.fold,
                dataset=dataset,
                scores=Scores.model_validate(scores),
            )


def read_gains(items: Sequence[Item]) -> Iterator[Gain]:
    """Paired differences wherever the plain form of a system was run on the same fold."""
    plain = {_family(item): item for item in items if item.system.variant == "plain"}
    for item in items:
        base = plain.get(_family(item))
        if base is None or base is item:
            continue
        for dataset in item.datasets:
            with_it, without = _outcomes(item, dataset), _outcomes(base, dataset)
            yield Gain(
                setting=item.system.setting,
                title=f"{item.title} over {base.title}",
                fold=item.fold,
                dataset=dataset,
                top={k: estimate(_differences(with_it, without, k), per=k) for k in (1, 3, 5)},
            )


def _family(item: Item) -> tuple[str, str, int]:
    return item.system.setting, item.system.backbone, item.fold


def _outcomes(item: Item, dataset: str) -> list[Outcome]:
    problems = {problem.id: problem for problem in read_records(problems_file(dataset), Problem)}
    test = read_records(folds_file(dataset), Fold)[item.fold].test
    predictions = read_predictions(item.folder(PREDICTIONS) / f"{dataset}.jsonl")
    return judge(predictions, [problems[id] for id in test])


def _differences(a: list[Outcome], b: list[Outcome], k: int) -> list[int]:
    return [len(left.right("exact", k)) - len(right.right("exact", k)) for left, right in zip(a, b, strict=True)]


def read_curves(items: Sequence[Item]) -> list[dict[str, str | float]]:
    """One row a run and epoch: what `dvc plots` draws."""
    rows: list[dict[str, str | float]] = []
    for item in items:
        name = f"{item.name} {item.fold}"
        history = json.loads(read_text(item.folder(MODELS) / HISTORY_FILE))
        rows += [{"run": name, "epoch": epoch, **metrics} for epoch, metrics in enumerate(history)]
    return rows
