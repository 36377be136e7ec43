"""Stage train: one solver in one setting on one fold, tracked and resumable."""

import shutil
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from mwp.data.files import read_records, write_json
from mwp.data.folds import Fold
from mwp.data.problems import Problem
from mwp.data.soundness import SoundnessCache
from mwp.errors import BadInput
from mwp.inference.solver import Solver
from mwp.pipeline.grid import (
    BUFFER_FILE,
    CLEAN,
    HISTORY_FILE,
    MODEL_FILE,
    MODELS,
    SCRATCH,
    RunSpec,
    folds_file,
    problems_file,
)
from mwp.pipeline.plan import file_md5, fingerprint, train_code, used_values
from mwp.pipeline.progress import TrainingProgress
from mwp.report.figures import draw_curves
from mwp.tracking.models import log_solver
from mwp.tracking.run import RunIdentity, TrackedRun, open_run
from mwp.tracking.store import Store
from mwp.training.buffer import SolutionBuffer, write_buffer
from mwp.training.corpus import Dataset, make_corpus, seed_buffer
from mwp.training.learner import make_accelerator, settled
from mwp.training.progress import Callback
from mwp.training.trainer import Trainer
from mwp.wda.labels import Label


@dataclass
class Tracker(Callback):
    """Reports the training to the progress display and to the tracked run.

    `minutes` counts the time of all processes that a stopped run took; an epoch that was stopped counts from where
    it went on.
    """

    shown: TrainingProgress
    run: TrackedRun
    folder: Path

    def __post_init__(self) -> None:
        self.started = time.perf_counter()

    def epoch_started(self, epoch: int, steps: int) -> None:
        self.shown.epoch_started(epoch, steps)

    def step_done(self, problems: int) -> None:
        self.shown.step_done(problems)

    def epoch_done(self, epoch: int, metrics: Mapping[str, float]) -> None:
        speed = self.shown.epoch_done(epoch, metrics)
        minutes = self.run.before("minutes") + (time.perf_counter() - self.started) / 60
        self.run.log_epoch(epoch, {**metrics, "problems_per_second": speed, "minutes": minutes})

    def buffer_updated(self, epoch: int, buffer: SolutionBuffer) -> None:
        path = self.folder / f"buffer-{epoch:03}.jsonl.gz"
        write_buffer(path, buffer)
        self.run.log_file(path, "buffers")


def run_train(spec: RunSpec) -> Path:
    """The folder with the trained model; every process of a `torchrun` calls this, one of them writes."""
    identity = RunIdentity(spec.name, spec.system.setting, spec.system.backbone, spec.system.variant, spec.fold)
    spec = replace(spec, config=settled(spec.config))
    values = used_values(spec)
    digest = fingerprint({"values": values, "code": train_code(spec), **vars(identity)}, _checked(spec.inputs))
    scratch = spec.folder(SCRATCH) / digest
    run = make_run(spec, scratch)
    run.resume()
    target = spec.folder(MODELS)
    if not run.accelerator.is_main_process:
        run.train()
        return target
    with open_run(
        Store.of_project(),
        identity,
        params=values,
        fingerprint=digest,
        data={f"{path.parent.name}-{path.stem}": file_md5(path) for path in spec.inputs},
        resume_id=run.state.run_id or None,
        last_step=run.state.epoch - 1,
    ) as tracked:
        run.state.run_id = tracked.id
        for name in spec.datasets:
            counts = {"problems": len(read_records(problems_file(name), Problem))}
            tracked.log_data(f"{CLEAN.name}-{name}", problems_file(name), counts)
        run.callback = Tracker(TrainingProgress(spec.config.optimizer.epochs), tracked, scratch)
        if not run.corpus.valid:
            print("no validation problems: the last epoch is used", file=sys.stderr)
        run.train()
        _write_outputs(run, scratch, target, {**vars(identity), "fingerprint": digest, "run": tracked.id}, tracked)
        log_solver(tracked, identity, target / MODEL_FILE)
    return target


def make_run(spec: RunSpec, scratch: Path) -> Trainer:
    config, setting = spec.config, spec.system.setting
    datasets = [_dataset(spec, name) for name in spec.datasets]
    corpus = make_corpus(datasets, config.solver.min_count)
    if empty := [dataset.name for dataset in datasets if not dataset.fold.train]:
        raise BadInput(
            f"{folds_file(empty[0])}: fold {spec.fold} has no training problem of dataset {empty[0]}, which setting "
            f"{setting} needs; give more problems, or fewer folds"
        )
    if config.optimizer.patience and not corpus.valid:
        raise BadInput(
            f"train.optimizer.patience {config.optimizer.patience}: fold {spec.fold} has no validation problems on "
            "which a solver could stop getting better; set it to 0, or raise folds.valid"
        )
    max_solutions = config.diversity.max_solutions if config.variant == "diversified" else None
    buffer = seed_buffer(datasets, corpus, setting, spec.seeding, max_solutions)
    if buffer.size == 0 and config.variant != "lbf":
        raise BadInput(
            f"setting {setting}: none of {len(corpus.train):,} training problems has a solution to start with; "
            "give equations, or the search's: wda: ranked"
        )
    return Trainer(
        corpus=corpus,
        buffer=buffer,
        config=config,
        accelerator=make_accelerator(config.optimizer.precision),
        folder=scratch,
        callback=Callback(),
        soundness=SoundnessCache(corpus.problems),
    )


def _checked(inputs: list[Path]) -> list[Path]:
    for path in inputs:
        if not path.exists():
            raise BadInput(f"{path} is not there yet; run the stages before: dvc repro wda folds")
    return inputs


def _dataset(spec: RunSpec, name: str) -> Dataset:
    folds = read_records(folds_file(name), Fold)
    if not 0 <= spec.fold < len(folds):
        raise BadInput(f"fold {spec.fold}: {folds_file(name)} has the folds 0 to {len(folds) - 1}")
    problems, labels = read_records(problems_file(name), Problem), spec.labels(name)
    return Dataset(name, problems, folds[spec.fold], read_records(labels, Label) if labels else ())


def _write_outputs(run: Trainer, scratch: Path, target: Path, origin: dict[str, Any], tracked: TrackedRun) -> None:
    """The history holds what is the same in every repetition; times are in the tracked run alone."""
    shutil.rmtree(target, ignore_errors=True)
    Solver.from_training(run, {name: value for name, value in origin.items() if name != "run"}).save(
        target / MODEL_FILE
    )
    write_buffer(target / BUFFER_FILE, run.buffer)
    write_json(target / HISTORY_FILE, run.state.history)
    draw_curves(run.state.history, scratch / "curves.png")
    for path in (target / BUFFER_FILE, target / HISTORY_FILE, scratch / "curves.png"):
        tracked.log_file(path)
