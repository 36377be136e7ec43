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
            yield Scored(**vars(item), dataset=dataset, scores=Scores.model_validate(scores))


def read_gains(items: Sequence[Item]) -> Iterator[Gain]:
    """Paired differences wherever both variants of a system were run on the same fold."""
    for item in items:
        plain = Item(item.setting, item.backbone, "plain", item.fold)
        if item.variant != "diversified" or plain not in items:
            continue
        for dataset in item.datasets:
            with_it, without = _outcomes(item, dataset), _outcomes(plain, dataset)
            yield Gain(
                setting=item.setting,
                backbone=item.backbone,
                fold=item.fold,
                dataset=dataset,
                top={k: estimate(_differences(with_it, without, k), per=k) for k in (1, 3, 5)},
            )


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
        name = f"{item.setting} {item.backbone} {item.variant} {item.fold}"
        history = json.loads(read_text(item.folder(MODELS) / HISTORY_FILE))
        rows += [{"run": name, "epoch": epoch, **metrics} for epoch, metrics in enumerate(history)]
    return rows
