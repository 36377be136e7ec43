"""A trained solver as one file: weights, shape, words and where it comes from."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mwp.data.vocabulary import Vocabulary
from mwp.solvers.solver import Solver
from mwp.training.checkpoint import load, save
from mwp.training.config import TrainConfig
from mwp.training.discriminator import Discriminator
from mwp.training.learner import build_solver
from mwp.training.loop import Run


@dataclass(frozen=True)
class Model:
    solver: Solver
    discriminator: Discriminator | None
    vocabulary: Vocabulary
    origin: dict[str, Any]


def save_model(path: Path, run: Run, origin: dict[str, Any]) -> None:
    """The best solver on the inner slice, and the discriminator as it was at the end."""
    discriminator = run.learner.discriminator
    save(
        path,
        {
            "solver": run.progress.best,
            "discriminator": None if discriminator is None else discriminator.state_dict(),
            "config": run.config.model_dump(),
            "words": list(run.corpus.vocabulary.tokens),
            "origin": origin,
        },
    )


def load_model(path: Path) -> Model:
    content = load(path)
    config = TrainConfig.model_validate(content["config"])
    vocabulary = Vocabulary(tokens=tuple(content["words"]))
    solver = build_solver(config.solver, len(vocabulary))
    solver.load_state_dict(content["solver"])
    return Model(solver.eval(), _discriminator(content["discriminator"], config), vocabulary, content["origin"])


def _discriminator(state: dict[str, Any] | None, config: TrainConfig) -> Discriminator | None:
    if state is None:
        return None
    discriminator = Discriminator(config.solver.hidden, config.diversity.discriminator)
    discriminator.load_state_dict(state)
    return discriminator.eval()
