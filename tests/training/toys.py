"""A small corpus from the embedded sample and a small configuration."""

from pathlib import Path
from typing import Any

from accelerate import Accelerator

from mwp.data.files import write_records
from mwp.data.folds import make_folds
from mwp.data.problems import Problem
from mwp.evaluation.soundness import is_sound
from mwp.training.buffer import write_buffer
from mwp.training.config import Setting, StartConfig, TrainConfig
from mwp.training.corpus import Dataset, make_corpus, start_buffer
from mwp.training.loop import Run
from mwp.training.models import save_model
from mwp.training.progress import Observer
from mwp.training.purity import Judge


def small_config(**changes: Any) -> TrainConfig:
    """Change a value by its name in any group: small_config(epochs=2, dropout=0)."""
    groups: dict[str, Any] = {
        "seed": 1,
        "backbone": "gts",
        "variant": "diversified",
        "solver": {"embedding": 8, "hidden": 12, "dropout": 0.2, "max_operators": 4, "min_count": 1},
        "optimiser": {
            "epochs": 4,
            "batch": 16,
            "name": "adam",
            "rate": 0.01,
            "weight_decay": 0.0,
            "schedule": "cosine",
            "halve_every": 2,
            "warmup": 2,
            "clip": 5.0,
            "patience": 0,
            "amp": "no",
        },
        "diversity": {
            "beam": 3,
            "update_every": 1,
            "switch": 0.5,
            "cap": 4,
            "weights": "qualified",
            "anchor": 0.0,
            "stages": 2,
            "discriminator": 8,
            "disturbance": 0.2,
        },
        "lbf": {"update_every": 1, "rounds": 5},
    }
    for name, value in changes.items():
        group = next((group for group in groups.values() if isinstance(group, dict) and name in group), groups)
        assert name in group
        group[name] = value
    return TrainConfig.model_validate(groups)


def small_run(
    problems: list[Problem],
    folder: Path,
    config: TrainConfig | None = None,
    setting: Setting = "full",
    observer: Any = None,
) -> Run:
    fold = make_folds(problems, "full", "paper", 5, 0.1, 1)[0]
    datasets = [Dataset("full", problems, fold, [])]
    config = config or small_config()
    corpus = make_corpus(datasets, config.solver.min_count)
    return Run(
        corpus=corpus,
        buffer=start_buffer(datasets, corpus, setting, StartConfig(wda="none", keep=1), config.diversity.cap),
        config=config,
        accelerator=Accelerator(cpu=True, mixed_precision=config.optimiser.amp),
        folder=folder,
        observer=observer or Observer(),
        judge=Judge(corpus.problems, is_sound),
    )


def train_project(folder: Path, problems: list[Problem]) -> Path:
    """A folder with what the stages leave of one training, as far as one can ask it questions."""
    run = small_run(problems, folder / ".scratch", small_config(epochs=6, update_every=2, hidden=24))
    run.train()
    write_records(folder / "data/clean/full.jsonl", problems)
    write_records(folder / "data/folds/full.jsonl", make_folds(problems, "full", "paper", 5, 0.1, 1))
    save_model(folder / "models/full-d-gts/fold-0/model.pt", run, {"fingerprint": "x"})
    write_buffer(folder / "models/full-d-gts/fold-0/buffer.jsonl.gz", run.buffer)
    return folder
