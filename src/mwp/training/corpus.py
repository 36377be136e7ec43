"""The problems of one run by key, `dataset/id`, and the buffer that it starts with."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mwp.data.folds import Fold
from mwp.data.problems import Problem
from mwp.data.vocabulary import Vocabulary
from mwp.errors import BadInput
from mwp.search.labels import Label
from mwp.training.buffer import Buffer, give, label
from mwp.training.config import Setting, StartConfig


@dataclass(frozen=True)
class Dataset:
    """One dataset on one fold, with the labels that the search found for it."""

    name: str
    problems: Sequence[Problem]
    fold: Fold
    labels: Sequence[Label]

    def keyed(self) -> dict[str, Problem]:
        return {f"{self.name}/{problem.id}": problem for problem in self.problems}

    def keys(self, ids: Sequence[str]) -> list[str]:
        return [f"{self.name}/{id}" for id in ids]


@dataclass(frozen=True)
class Corpus:
    problems: Mapping[str, Problem]
    train: tuple[str, ...]
    valid: tuple[str, ...]
    vocabulary: Vocabulary


def make_corpus(datasets: Sequence[Dataset], min_count: int) -> Corpus:
    """The words come from the training parts alone."""
    vocabulary = Vocabulary.build((dataset.fold for dataset in datasets), min_count)
    train = [key for dataset in datasets for key in dataset.keys(dataset.fold.train)]
    valid = [key for dataset in datasets for key in dataset.keys(dataset.fold.valid)]
    every = {key: problem for dataset in datasets for key, problem in dataset.keyed().items()}
    if missing := [key for key in (*train, *valid) if key not in every]:
        raise BadInput(
            f"the folds name {missing[0]!r}, which is no problem ({len(missing):,} such); run dvc repro again"
        )
    problems = {key: every[key] for key in (*train, *valid)}
    return Corpus(problems, tuple(train), tuple(valid), vocabulary)


def start_buffer(
    datasets: Sequence[Dataset], corpus: Corpus, setting: Setting, config: StartConfig, cap: int | None
) -> Buffer:
    """full: ground truths. weak: candidates of the search. semi: ground truths for the first dataset, candidates or
    nothing for the second."""
    buffer = Buffer(corpus.train, cap)
    for place, dataset in enumerate(datasets):
        if setting == "full" or (setting == "semi" and place == 0):
            give(buffer, dataset.keyed())
        elif config.wda != "none":
            label(buffer, dataset.keyed(), dataset.labels, config.keep)
    return buffer
