"""Stage folds: each dataset folded apart, with the training part's words."""

from mwp.data.files import read_records, write_records
from mwp.data.folds import Fold, make_folds
from mwp.data.problems import Problem
from mwp.stages.layout import DATASETS, folds_file, problems_file
from mwp.stages.params import FoldsParams


def run_folds(params: FoldsParams) -> list[Fold]:
    every = []
    for dataset in DATASETS:
        problems = read_records(problems_file(dataset), Problem)
        folds = make_folds(problems, dataset, params.scheme, params.count, params.valid, params.seed)
        write_records(folds_file(dataset), folds)
        every += folds
    return every
