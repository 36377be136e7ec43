"""What a grid would cost here: two short epochs of every kind of training on the sample, scaled to the true counts."""

import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from mwp.data.cleaning import clean
from mwp.data.folds import make_folds
from mwp.data.problems import Problem
from mwp.data.readers import read_problems
from mwp.data.soundness import SoundnessCache
from mwp.errors import BadInput
from mwp.pipeline.grid import FULL, WEAK, RunSpec
from mwp.pipeline.params import FoldsParams, Params
from mwp.report.tables import table
from mwp.training.config import SeedConfig, TrainConfig
from mwp.training.corpus import Dataset, make_corpus, seed_buffer
from mwp.training.learner import make_accelerator, settled
from mwp.training.progress import Callback
from mwp.training.trainer import Trainer

SAMPLE = Path("data/sample/math23k.json")
# Batches of a calibration's epoch, and the share of its problems that tests and checks take.
BATCHES = 4
HELD_OUT = 0.5


@dataclass(frozen=True)
class Timing:
    """Seconds a problem: in a step of training, in an update of the buffer, in the check after an epoch."""

    step: float
    update: float
    check: float


@dataclass(frozen=True)
class CostEstimate:
    """`seconds` of one training on `problems`; None where `reason` says why it could not be measured."""

    spec: RunSpec
    problems: int
    seconds: float | None
    reason: str = ""


@dataclass
class Stopwatch(Callback):
    started: dict[int, float] = field(default_factory=dict)
    last_step: dict[int, float] = field(default_factory=dict)
    done: dict[int, float] = field(default_factory=dict)

    def epoch_started(self, epoch: int, steps: int) -> None:
        self.started[epoch] = time.perf_counter()

    def step_done(self, problems: int) -> None:
        self.last_step[len(self.done)] = time.perf_counter()

    def epoch_done(self, epoch: int, metrics: Mapping[str, float]) -> None:
        self.done[epoch] = time.perf_counter()


def estimate_costs(params: Params, specs: Sequence[RunSpec]) -> list[CostEstimate]:
    counts = {FULL: _count(params.data.full), WEAK: _count(params.data.weak)}
    sample = clean(read_problems(SAMPLE).problems).kept
    known: dict[TrainConfig, Timing | str] = {}
    costs = []
    for spec in specs:
        if spec.config not in known:
            known[spec.config] = _measured(spec.config, sample)
        problems = sum(counts[name] for name in spec.datasets)
        costs.append(_cost(spec, problems, params.folds, known[spec.config]))
    return costs


def _count(path: Path) -> int:
    if not path.exists():
        raise BadInput(f"{path} is not there, so its problems cannot be counted; get it first: mwp data get")
    return len(clean(read_problems(path).problems).kept)


def _measured(config: TrainConfig, sample: Sequence[Problem]) -> Timing | str:
    try:
        return calibrate(config, sample)
    except BadInput as error:
        return str(error)


def _cost(spec: RunSpec, problems: int, folds: FoldsParams, speed: Timing | str) -> CostEstimate:
    training = round(problems * (1 - 1 / folds.count))
    if isinstance(speed, str):
        return CostEstimate(spec, training, None, speed)
    checked = training * folds.valid if folds.valid < 1 else folds.valid
    epochs = spec.config.optimizer.epochs
    each = (training - checked) * speed.step + checked * speed.check
    return CostEstimate(spec, training, epochs * each + updates(spec.config) * training * speed.update)


def updates(config: TrainConfig) -> int:
    """How often a training fills its buffer."""
    epochs = config.optimizer.epochs
    if config.variant == "lbf":
        return -(-epochs // config.lbf.update_every)
    return (epochs - 1) // config.diversity.update_every if config.variant == "diversified" else 0


def calibrate(config: TrainConfig, sample: Sequence[Problem]) -> Timing:
    """The second epoch is timed, which has every kind of work of a training."""
    watch, config = Stopwatch(), settled(config)
    count = min(len(sample), round(BATCHES * config.optimizer.batch_size / HELD_OUT))
    fold = make_folds(sample[:count], FULL, "paper", 2, HELD_OUT / 2, 0)[0]
    datasets = [Dataset(FULL, sample[:count], fold, ())]
    corpus = make_corpus(datasets, 1)
    buffer = seed_buffer(datasets, corpus, "full", SeedConfig(strategy="none", max_candidates=1), None)
    with tempfile.TemporaryDirectory() as folder:
        accelerator, soundness = make_accelerator(config.optimizer.precision), SoundnessCache(corpus.problems)
        Trainer(corpus, buffer, _short(config), accelerator, Path(folder), watch, soundness).train()
    train, valid = len(corpus.train), len(corpus.valid)
    return Timing(
        step=(watch.last_step[1] - watch.started[1]) / train,
        update=max(0.0, watch.started[1] - watch.done[0]) / train,
        check=(watch.done[1] - watch.last_step[1]) / valid,
    )


def _short(config: TrainConfig) -> TrainConfig:
    return config.model_copy(
        update={
            "optimizer": config.optimizer.model_copy(update={"epochs": 2, "patience": 0}),
            "diversity": config.diversity.model_copy(update={"update_every": 1, "second_stage_start": 0.5}),
            "lbf": config.lbf.model_copy(update={"update_every": 1}),
        }
    )


def costs_table(rows: Sequence[tuple[str, int, int, float | None]]) -> str:
    """Rows of (system, fold, training problems, seconds or None)."""
    return table(
        ("system", "fold", "problems", "estimate"),
        [
            (name, str(fold), f"{problems:,}", duration(seconds) if seconds is not None else "unknown")
            for name, fold, problems, seconds in rows
        ],
    )


def duration(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.0f} s"
    minutes = seconds / 60
    return f"{minutes:.0f} min" if minutes < 120 else f"{minutes / 60:.0f} h"
