"""What the evaluated runs left, read back for the report."""

import json
from collections.abc import Iterator, Sequence

from mwp.data.files import read_text
from mwp.evaluation.scores import Scores
from mwp.report.pictures import Training
from mwp.report.systems import Scored
from mwp.stages.items import Item
from mwp.stages.layout import HISTORY_FILE, MODELS, PREDICTIONS, SCORES_FILE


def read_scores(items: Sequence[Item]) -> Iterator[Scored]:
    for item in items:
        content = json.loads(read_text(item.folder(PREDICTIONS) / SCORES_FILE))
        for dataset, scores in content.items():
            yield Scored(
                name=item.name,
                title=item.title,
                setting=item.system.setting,
                fold=item.fold,
                dataset=dataset,
                scores=Scores.model_validate(scores),
            )


def read_trainings(items: Sequence[Item]) -> list[Training]:
    """One a system, with the history of each fold."""
    return [
        Training(item.title, item.system.setting, tuple(_history(one) for one in items if one.name == item.name))
        for item in {item.name: item for item in items}.values()
    ]


def read_curves(items: Sequence[Item]) -> list[dict[str, str | float]]:
    """One row a run and epoch: what `dvc plots` draws."""
    return [
        {"run": f"{item.name} {item.fold}", "epoch": epoch, **metrics}
        for item in items
        for epoch, metrics in enumerate(_history(item))
    ]


def _history(item: Item) -> list[dict[str, float]]:
    history: list[dict[str, float]] = json.loads(read_text(item.folder(MODELS) / HISTORY_FILE))
    return history
