"""Stage folds: folds of each dataset, with the vocabulary of their training parts."""

from collections.abc import Sequence

from mwp.data.files import read_records, write_records
from mwp.data.folds import Fold, make_folds
from mwp.data.problems import Problem
from mwp.pipeline.grid import DATASETS, folds_file, problems_file
from mwp.pipeline.params import FoldsParams


def run_folds(params: FoldsParams) -> list[Fold]:
    every = []
    for dataset in DATASETS:
        problems = read_records(problems_file(dataset), Problem)
        folds = make_folds(problems, dataset, params.scheme, params.count, params.valid, params.seed)
        write_records(folds_file(dataset), folds)
        every += folds
    return every


def empty_validation_splits(folds: Sequence[Fold], valid: float) -> list[str]:
    """A line for each dataset with folds that have an empty validation split, whether that was wanted or not."""
    empty: dict[str, list[str]] = {}
    for fold in folds:
        if not fold.valid:
            empty.setdefault(fold.dataset, []).append(str(fold.index))
    advice = "; give folds.valid more to choose by accuracy" if valid else ""
    return [
        f"{dataset}: no validation problems with folds.valid {valid:g} in fold {', '.join(some)}: "
        f"the last epoch is used where a training has no others{advice}"
        for dataset, some in empty.items()
    ]
