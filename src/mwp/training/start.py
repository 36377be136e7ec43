"""A training from lists of problems: its datasets, what its buffer starts with, and the folder where it may go on."""

import hashlib
import json
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import torch
from accelerate.state import AcceleratorState

from mwp.data.files import read_text, write_json
from mwp.data.folds import hold_out
from mwp.data.problems import Problem, Record
from mwp.data.soundness import SoundnessCache
from mwp.errors import BadInput
from mwp.training.buffer import SolutionBuffer
from mwp.training.config import SeedConfig, Setting, TrainConfig
from mwp.training.corpus import Corpus, Dataset, make_corpus, seed_buffer
from mwp.training.learner import make_accelerator
from mwp.training.progress import Callback
from mwp.training.trainer import STATE, Trainer
from mwp.wda.labels import Label

# What a folder is claimed for, so that no other training goes on from its state.
NOTE = "training.json"
FULL, WEAK, VALIDATION = "full", "weak", "validation"


@dataclass(frozen=True)
class TrainingInputs:
    """All that the result of a training depends on, but for the machine.

    `labels` are those of the problems whose equations are not used: the weak ones in setting semi, all in setting weak.
    `validation` is the fraction that is held out of each list, or problems beside them.
    """

    setting: Setting
    config: TrainConfig
    problems: Sequence[Problem]
    weak_problems: Sequence[Problem]
    labels: Sequence[Label]
    validation: float | Sequence[Problem]

    @cached_property
    def datasets(self) -> list[Dataset]:
        """As a run of the pipeline has them, so that both give the same solver on the same split."""
        weak_labels = self.labels if self.setting == "semi" else ()
        datasets = [self._dataset(FULL, self.problems, self.labels if self.setting == "weak" else ())]
        if self.weak_problems:
            datasets.append(self._dataset(WEAK, self.weak_problems, weak_labels))
        if not isinstance(self.validation, float):
            ids = tuple(problem.id for problem in self.validation)
            fold = hold_out((), VALIDATION, 0.0, self.config.seed).model_copy(update={"valid": ids})
            datasets.append(Dataset(VALIDATION, self.validation, fold, ()))
        return datasets

    def _dataset(self, name: str, problems: Sequence[Problem], labels: Sequence[Label]) -> Dataset:
        fraction = self.validation if isinstance(self.validation, float) else 0.0
        return Dataset(name, problems, hold_out(problems, name, fraction, self.config.seed), labels)

    @property
    def seeding(self) -> SeedConfig:
        """A plain solver learns from one solution a problem."""
        if not self.labels:
            return SeedConfig(strategy="none", max_candidates=1)
        most = max(1, *(len(label.candidates) for label in self.labels))
        return SeedConfig(max_candidates=1 if self.config.variant == "plain" else most)

    @cached_property
    def corpus(self) -> Corpus:
        return make_corpus(self.datasets, self.config.solver.min_count)

    def check(self) -> None:
        """What would fail later, or train without learning anything."""
        config, corpus = self.config.optimizer, self.corpus
        if not corpus.train:
            raise BadInput("problems: none is left to train on; lower validation")
        if not corpus.valid and self.validation:
            warnings.warn(
                f"validation: {self.validation} of {len(corpus.train):,} problems is none; the last epoch is kept",
                stacklevel=3,
            )
        if config.patience and not corpus.valid:
            raise BadInput(
                f"config.optimizer.patience: expected 0 without validation problems, found {config.patience}; "
                "there is nothing on which a solver could stop getting better"
            )
        steps = config.epochs * -(-len(corpus.train) // config.batch_size)
        if config.warmup_steps >= steps:
            warnings.warn(
                f"config.optimizer.warmup_steps: {config.warmup_steps:,} is not less than the {steps:,} steps of this "
                "training, so the learning rate never rises to its full height; lower it or train for more epochs",
                stacklevel=3,
            )

    def buffer(self) -> SolutionBuffer:
        diversified = self.config.variant == "diversified"
        most = self.config.diversity.max_solutions if diversified else None
        buffer = seed_buffer(self.datasets, self.corpus, self.setting, self.seeding, most)
        if buffer.size or self.config.variant == "lbf":
            return buffer
        reasons = "; ".join(f"{count:,}: {reason}" for reason, count in buffer.refusals.most_common(3))
        raise BadInput(
            f"problems: none of {len(self.corpus.train):,} has a solution to start with in setting {self.setting!r}"
            + (f" ({reasons})" if reasons else "")
            + ("; give equations, or setting='weak'" if self.setting != "weak" else "; give labels by another search")
        )

    def trainer(self, folder: Path | None, callback: Callback) -> Trainer:
        return Trainer(
            corpus=self.corpus,
            buffer=self.buffer(),
            config=self.config,
            accelerator=make_accelerator(self.config.optimizer.precision),
            folder=folder,
            callback=callback,
            soundness=SoundnessCache(self.corpus.problems),
        )

    def described(self) -> dict[str, Any]:
        """Enough to tell whether another training is the same."""
        held_out = self.validation if isinstance(self.validation, float) else _digest(self.validation)
        return {
            "setting": self.setting,
            "config": self.config.model_dump(),
            "problems": _digest(self.problems),
            "weak_problems": _digest(self.weak_problems),
            "labels": _digest(self.labels),
            "validation": held_out,
        }


def claim(folder: Path, inputs: TrainingInputs) -> None:
    """Note in the folder which training goes on there; refuse one that belongs to another."""
    note, described = folder / NOTE, inputs.described()
    if note.exists():
        before = dict(_flat(json.loads(read_text(note))))
        differing = [name for name, value in _flat(described) if before.get(name) != value]
        if differing:
            raise BadInput(
                f"folder: {folder} holds another training, which differs in {', '.join(differing[:5])}; "
                "give another folder, or delete this one to start anew"
            )
    elif (folder / STATE).exists():
        raise BadInput(f"folder: {folder} holds the state of a training that mwp.train did not start; give another")
    write_json(note, described)


def _digest(records: Iterable[Record]) -> str:
    digest = hashlib.sha256()
    for record in records:
        digest.update(record.model_dump_json().encode() + b"\n")
    return digest.hexdigest()


def _flat(values: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in values.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{path}{name}.")
        else:
            yield f"{path}{name}", value


@contextmanager
def leaving_no_trace() -> Iterator[None]:
    """Random numbers, threads and accelerate's settings of the process are afterwards what they were before."""
    threads, settings = torch.get_num_threads(), dict(AcceleratorState._shared_state)
    try:
        with torch.random.fork_rng():
            yield
    finally:
        AcceleratorState._shared_state.clear()
        AcceleratorState._shared_state.update(settings)
        if torch.get_num_threads() != threads:
            torch.set_num_threads(threads)
