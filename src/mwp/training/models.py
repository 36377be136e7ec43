"""A trained solver as one file: weights, shape, words and where it comes from."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mwp.solvers.registry import restore_solver
from mwp.solvers.solver import Solver
from mwp.training.checkpoint import load, save
from mwp.training.config import TrainConfig
from mwp.training.discriminator import Discriminator
from mwp.training.loop import Run


@dataclass(frozen=True)
class Model:
    solver: Solver
    discriminator: Discriminator | None
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
            "material": run.learner.solver.encoder.material,
            "origin": origin,
        },
    )


def load_model(path: Path) -> Model:
    content = load(path)
    config = TrainConfig.model_validate(content["config"])
    solver = restore_solver(config.backbone, config.solver, content["material"])
    solver.load_state_dict(content["solver"])
    discriminator = _discriminator(content["discriminator"], solver.encoder.width, config.diversity.discriminator)
    return Model(solver.eval(), discriminator, content["origin"])


def _discriminator(state: dict[str, Any] | None, problem_width: int, hidden: int) -> Discriminator | None:
    if state is None:
        return None
    discriminator = Discriminator(problem_width, hidden)
    discriminator.load_state_dict(state)
    return discriminator.eval()
