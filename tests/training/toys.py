"""A small corpus from the embedded sample and a small configuration."""

from pathlib import Path
from typing import Any

from accelerate import Accelerator

from mwp.data.files import write_records
from mwp.data.folds import make_folds
from mwp.data.problems import Problem
from mwp.data.soundness import SoundnessCache
from mwp.inference.solver import Solver
from mwp.training.buffer import write_buffer
from mwp.training.config import SeedConfig, Setting, TrainConfig
from mwp.training.corpus import Dataset, make_corpus, seed_buffer
from mwp.training.progress import Callback
from mwp.training.trainer import Trainer


def small_config(**changes: Any) -> TrainConfig:
    """Change a value by its name in any group: small_config(epochs=2, dropout=0)."""
    groups: dict[str, Any] = {
        "seed": 1,
        "backbone": "gts",
        "variant": "diversified",
        "solver": {"embedding": 8, "hidden": 12, "dropout": 0.2, "max_operators": 4, "min_count": 1},
        "optimizer": {
            "epochs": 4,
            "batch_size": 16,
            "kind": "adam",
            "learning_rate": 0.01,
            "weight_decay": 0.0,
            "schedule": "cosine",
            "halve_every": 2,
            "warmup_steps": 2,
            "max_grad_norm": 5.0,
            "patience": 0,
            "precision": "fp32",
        },
        "diversity": {
            "beam_size": 3,
            "update_every": 1,
            "second_stage_start": 0.5,
            "max_solutions": 4,
            "weighting": "qualification",
            "gold_weight": 0.0,
            "stages": 2,
            "discriminator_hidden": 8,
            "corruption_rate": 0.2,
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
    callback: Any = None,
) -> Trainer:
    fold = make_folds(problems, "full", "paper", 5, 0.1, 1)[0]
    datasets = [Dataset("full", problems, fold, [])]
    config = config or small_config()
    corpus = make_corpus(datasets, config.solver.min_count)
    return Trainer(
        corpus=corpus,
        buffer=seed_buffer(
            datasets, corpus, setting, SeedConfig(strategy="none", max_candidates=1), config.diversity.max_solutions
        ),
        config=config,
        accelerator=Accelerator(
            cpu=True, mixed_precision="no" if config.optimizer.precision == "fp32" else config.optimizer.precision
        ),
        folder=folder,
        callback=callback or Callback(),
        soundness=SoundnessCache(corpus.problems),
    )


def train_project(folder: Path, problems: list[Problem]) -> Path:
    """A folder with what the stages leave of one training, as far as one can ask it questions."""
    run = small_run(problems, folder / ".scratch", small_config(epochs=6, update_every=2, hidden=24))
    run.train()
    write_records(folder / "data/clean/full.jsonl", problems)
    write_records(folder / "data/folds/full.jsonl", make_folds(problems, "full", "paper", 5, 0.1, 1))
    Solver.from_training(run, {"fingerprint": "x"}).save(folder / "models/full-d-gts/fold-0/model.pt")
    write_buffer(folder / "models/full-d-gts/fold-0/buffer.jsonl.gz", run.buffer)
    return folder
