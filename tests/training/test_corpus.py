"""Which problems start with what: a dataset with equations may also serve as one with answers only."""

from pathlib import Path

import pytest

from mwp.data.cleaning import clean
from mwp.data.folds import make_folds
from mwp.data.problems import Problem
from mwp.data.readers import read_problems
from mwp.training.buffer import SolutionBuffer
from mwp.training.config import SeedConfig, Setting
from mwp.training.corpus import Dataset, make_corpus, seed_buffer


def started(full: list[Problem], weak: list[Problem], setting: Setting) -> SolutionBuffer:
    datasets = [
        Dataset(name, some, make_folds(some, name, "paper", 5, 0.1, 1)[0], ())
        for name, some in (("full", full), ("weak", weak))
    ]
    return seed_buffer(datasets, make_corpus(datasets, 1), setting, SeedConfig(strategy="none", max_candidates=1), None)


def sources(buffer: SolutionBuffer, dataset: str) -> set[str]:
    return {entry.source for key in buffer.sizes if key.startswith(f"{dataset}/") for entry in buffer.entries(key)}


def test_semi_leaves_the_equations_of_the_second_dataset_unseen(sample_problems: list[Problem]) -> None:
    buffer = started(sample_problems[:50], sample_problems[50:100], "semi")
    assert all(problem.gold for problem in sample_problems[:100])
    assert sources(buffer, "full") == {"gold"}
    assert sources(buffer, "weak") == set()
    assert buffer.empty == 36


@pytest.fixture
def ape(real_data: Path) -> list[Problem]:
    return clean(read_problems(real_data / "ape210k_valid.jsonl").problems).kept[:400]


def test_ape210k_serves_with_its_equations_and_without(ape: list[Problem]) -> None:
    supervised = started(ape[:200], ape[200:], "full")
    assert sources(supervised, "full") == {"gold"}
    assert supervised.size > 100
    answers_only = started(ape[200:], ape[:200], "semi")
    assert sources(answers_only, "weak") == set()
