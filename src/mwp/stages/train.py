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
from mwp.errors import BadInput
from mwp.evaluation.soundness import is_sound
from mwp.report.curves import draw_curves
from mwp.search.labels import Label
from mwp.stages.fingerprint import file_md5, fingerprint
from mwp.stages.items import Item
from mwp.stages.layout import (
    BUFFER_FILE,
    CLEAN,
    HISTORY_FILE,
    MODEL_FILE,
    MODELS,
    RUN_FILE,
    SCRATCH,
    folds_file,
    problems_file,
)
from mwp.stages.progress import TrainingProgress
from mwp.tracking.run import RunIdentity, TrackedRun, open_run
from mwp.tracking.solvers import log_solver
from mwp.tracking.store import Store
from mwp.training.buffer import Buffer, write_buffer
from mwp.training.corpus import Dataset, make_corpus, start_buffer
from mwp.training.loop import Run
from mwp.training.models import save_model
from mwp.training.precision import make_accelerator, settled
from mwp.training.progress import Observer
from mwp.training.purity import Judge


@dataclass
class Tracker(Observer):
    """Passes on what happens to the progress display and to the tracked run.

    `minutes` counts the time of all processes that a stopped run took; an epoch that was broken off counts from where
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

    def buffer_updated(self, epoch: int, buffer: Buffer) -> None:
        path = self.folder / f"buffer-{epoch:03}.jsonl.gz"
        write_buffer(path, buffer)
        self.run.log_file(path, "buffers")


def run_train(item: Item) -> Path:
    """The folder with the trained model; every process of a `torchrun` calls this, one of them writes."""
    identity = RunIdentity(item.name, item.system.setting, item.system.backbone, item.system.variant, item.fold)
    item = replace(item, config=settled(item.config))
    described = {**item.config.model_dump(), "start": item.start.model_dump()}
    mark = fingerprint({**described, **vars(identity)}, _checked(item.inputs))
    run = make_run(item, item.folder(SCRATCH) / mark)
    run.resume()
    target = item.folder(MODELS)
    if not run.accelerator.is_main_process:
        run.train()
        return target
    with open_run(
        Store.of_project(),
        identity,
        params=described,
        fingerprint=mark,
        data={f"{path.parent.name}-{path.stem}": file_md5(path) for path in item.inputs},
        resume_id=run.progress.notes.get("run"),
        last_step=run.progress.epoch - 1,
    ) as tracked:
        run.progress.notes["run"] = tracked.id
        for name in item.datasets:
            counts = {"problems": len(read_records(problems_file(name), Problem))}
            tracked.log_data(f"{CLEAN.name}-{name}", problems_file(name), counts)
        run.observer = Tracker(TrainingProgress(item.config.optimiser.epochs), tracked, run.folder)
        if not run.corpus.valid:
            print("no validation problems: the last epoch is kept", file=sys.stderr)
        run.train()
        _write_outputs(run, target, {**vars(identity), "fingerprint": mark, "run": tracked.id}, tracked)
        log_solver(tracked, identity, target / MODEL_FILE)
    return target


def make_run(item: Item, scratch: Path) -> Run:
    config, setting = item.config, item.system.setting
    datasets = [_dataset(item, name) for name in item.datasets]
    corpus = make_corpus(datasets, config.solver.min_count)
    if empty := [dataset.name for dataset in datasets if not dataset.fold.train]:
        raise BadInput(
            f"{folds_file(empty[0])}: fold {item.fold} has no training problem of dataset {empty[0]}, which setting "
            f"{setting} needs; give more problems, or fewer folds"
        )
    if config.optimiser.patience and not corpus.valid:
        raise BadInput(
            f"train.optimiser.patience {config.optimiser.patience}: fold {item.fold} has no validation problems on "
            "which a solver could stop getting better; set it to 0, or raise folds.valid"
        )
    cap = config.diversity.cap if config.variant == "diversified" else None
    buffer = start_buffer(datasets, corpus, setting, item.start, cap)
    if buffer.size == 0 and config.variant != "lbf":
        raise BadInput(
            f"setting {setting}: none of {len(corpus.train):,} training problems has a solution to start with; "
            "give equations, or the search's: wda: ranked"
        )
    return Run(
        corpus=corpus,
        buffer=buffer,
        config=config,
        accelerator=make_accelerator(config.optimiser.amp),
        folder=scratch,
        observer=Observer(),
        judge=Judge(corpus.problems, is_sound),
    )


def _checked(inputs: list[Path]) -> list[Path]:
    for path in inputs:
        if not path.exists():
            raise BadInput(f"{path} is not there yet; run the stages before: dvc repro wda folds")
    return inputs


def _dataset(item: Item, name: str) -> Dataset:
    folds = read_records(folds_file(name), Fold)
    if not 0 <= item.fold < len(folds):
        raise BadInput(f"fold {item.fold}: {folds_file(name)} has the folds 0 to {len(folds) - 1}")
    problems, labels = read_records(problems_file(name), Problem), item.labels(name)
    return Dataset(name, problems, folds[item.fold], read_records(labels, Label) if labels else ())


def _write_outputs(run: Run, target: Path, origin: dict[str, Any], tracked: TrackedRun) -> None:
    """The history holds what is the same in every repetition; times are in the tracked run alone."""
    shutil.rmtree(target, ignore_errors=True)
    save_model(target / MODEL_FILE, run, {name: value for name, value in origin.items() if name != "run"})
    write_buffer(target / BUFFER_FILE, run.buffer)
    write_json(target / HISTORY_FILE, run.progress.history)
    write_json(run.folder / RUN_FILE, {**origin, "experiment": tracked.experiment})
    draw_curves(run.progress.history, run.folder / "curves.png")
    for path in (target / BUFFER_FILE, target / HISTORY_FILE, run.folder / "curves.png"):
        tracked.log_file(path)
