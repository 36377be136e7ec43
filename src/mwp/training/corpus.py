"""The problems of one training by key, `dataset/id`, the buffer that it starts with, and its batches."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from mwp.data.folds import Fold
from mwp.data.problems import Problem
from mwp.data.vocabulary import Vocabulary
from mwp.errors import BadInput
from mwp.solvers.batch import EncodedProblem
from mwp.solvers.decoding import sorted_batches
from mwp.training.buffer import SolutionBuffer, seed_with_candidates, seed_with_gold
from mwp.training.config import SeedConfig, Setting
from mwp.wda.labels import Label

# Batches are cut from pools of so many, sorted by length: little padding, yet other batches every epoch.
POOL = 20


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
    """The vocabulary comes from the training parts alone."""
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


def seed_buffer(
    datasets: Sequence[Dataset], corpus: Corpus, setting: Setting, config: SeedConfig, max_solutions: int | None
) -> SolutionBuffer:
    """full: ground truths. weak: candidates of the search. semi: ground truths for the first dataset, candidates or
    nothing for the second."""
    buffer = SolutionBuffer(corpus.train, max_solutions)
    for position, dataset in enumerate(datasets):
        if setting == "full" or (setting == "semi" and position == 0):
            seed_with_gold(buffer, dataset.keyed())
        elif config.strategy != "none":
            seed_with_candidates(buffer, dataset.keyed(), dataset.labels, config.max_candidates)
    return buffer


def training_batches(
    keys: Sequence[str], encoded: Mapping[str, EncodedProblem], size: int, seed: int, epoch: int
) -> list[list[str]]:
    rng = Random(f"{seed}/batches/{epoch}")
    order = rng.sample(list(keys), len(keys))
    pools = [order[start : start + size * POOL] for start in range(0, len(order), size * POOL)]
    batches = [batch for pool in pools for batch in sorted_batches(pool, encoded, size)]
    rng.shuffle(batches)
    return batches
