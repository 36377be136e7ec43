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
from mwp.errors import BadInput
from mwp.evaluation.soundness import is_sound
from mwp.stages.items import Item
from mwp.stages.layout import FULL, WEAK
from mwp.stages.params import FoldsParams, Params
from mwp.training.config import StartConfig, TrainConfig
from mwp.training.corpus import Dataset, make_corpus, start_buffer
from mwp.training.loop import Run
from mwp.training.precision import make_accelerator, settled
from mwp.training.progress import Observer
from mwp.training.purity import Judge

SAMPLE = Path("data/sample/math23k.json")
# Batches of a calibration's epoch, and the share of its problems that tests and checks take.
BATCHES = 4
HELD_OUT = 0.5


@dataclass(frozen=True)
class Speed:
    """Seconds a problem: in a step of training, in an update of the buffer, in the check after an epoch."""

    step: float
    update: float
    check: float


@dataclass(frozen=True)
class Cost:
    """`seconds` of one training on `problems`; None where `why` says what kept it from being measured."""

    item: Item
    problems: int
    seconds: float | None
    why: str = ""


@dataclass
class Stopwatch(Observer):
    started: dict[int, float] = field(default_factory=dict)
    last_step: dict[int, float] = field(default_factory=dict)
    done: dict[int, float] = field(default_factory=dict)

    def epoch_started(self, epoch: int, steps: int) -> None:
        self.started[epoch] = time.perf_counter()

    def step_done(self, problems: int) -> None:
        self.last_step[len(self.done)] = time.perf_counter()

    def epoch_done(self, epoch: int, metrics: Mapping[str, float]) -> None:
        self.done[epoch] = time.perf_counter()


def estimate_costs(params: Params, items: Sequence[Item]) -> list[Cost]:
    counts = {FULL: _count(params.data.full), WEAK: _count(params.data.weak)}
    sample = clean(read_problems(SAMPLE).problems).kept
    known: dict[TrainConfig, Speed | str] = {}
    costs = []
    for item in items:
        if item.config not in known:
            known[item.config] = _measured(item.config, sample)
        problems = sum(counts[name] for name in item.datasets)
        costs.append(_cost(item, problems, params.folds, known[item.config]))
    return costs


def _count(path: Path) -> int:
    if not path.exists():
        raise BadInput(f"{path} is not there, so its problems cannot be counted; get it first: mwp data get")
    return len(clean(read_problems(path).problems).kept)


def _measured(config: TrainConfig, sample: Sequence[Problem]) -> Speed | str:
    try:
        return calibrate(config, sample)
    except BadInput as error:
        return str(error)


def _cost(item: Item, problems: int, folds: FoldsParams, speed: Speed | str) -> Cost:
    training = round(problems * (1 - 1 / folds.count))
    if isinstance(speed, str):
        return Cost(item, training, None, speed)
    checked = training * folds.valid if folds.valid < 1 else folds.valid
    epochs = item.config.optimiser.epochs
    each = (training - checked) * speed.step + checked * speed.check
    return Cost(item, training, epochs * each + updates(item.config) * training * speed.update)


def updates(config: TrainConfig) -> int:
    """How often a training fills its buffer."""
    epochs = config.optimiser.epochs
    if config.variant == "lbf":
        return -(-epochs // config.lbf.update_every)
    return (epochs - 1) // config.diversity.update_every if config.variant == "diversified" else 0


def calibrate(config: TrainConfig, sample: Sequence[Problem]) -> Speed:
    """The second epoch is timed, in which every kind of training does all that it ever does."""
    watch, config = Stopwatch(), settled(config)
    count = min(len(sample), round(BATCHES * config.optimiser.batch / HELD_OUT))
    fold = make_folds(sample[:count], FULL, "paper", 2, HELD_OUT / 2, 0)[0]
    datasets = [Dataset(FULL, sample[:count], fold, ())]
    corpus = make_corpus(datasets, 1)
    buffer = start_buffer(datasets, corpus, "full", StartConfig(wda="none", keep=1), None)
    with tempfile.TemporaryDirectory() as folder:
        accelerator, judge = make_accelerator(config.optimiser.amp), Judge(corpus.problems, is_sound)
        Run(corpus, buffer, _short(config), accelerator, Path(folder), watch, judge).train()
    train, valid = len(corpus.train), len(corpus.valid)
    return Speed(
        step=(watch.last_step[1] - watch.started[1]) / train,
        update=max(0.0, watch.started[1] - watch.done[0]) / train,
        check=(watch.done[1] - watch.last_step[1]) / valid,
    )


def _short(config: TrainConfig) -> TrainConfig:
    return config.model_copy(
        update={
            "optimiser": config.optimiser.model_copy(update={"epochs": 2, "patience": 0}),
            "diversity": config.diversity.model_copy(update={"update_every": 1, "switch": 0.5}),
            "lbf": config.lbf.model_copy(update={"update_every": 1}),
        }
    )
