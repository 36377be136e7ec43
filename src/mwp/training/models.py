"""A trained solver as one file: weights, shape, words and where it comes from."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from mwp.errors import BadInput
from mwp.solvers.registry import restore_solver
from mwp.solvers.solver import Solver
from mwp.training.buffer import reaches_answer
from mwp.training.checkpoint import load, save
from mwp.training.config import TrainConfig
from mwp.training.discriminator import Discriminator
from mwp.training.plausibility import Example, Plausibility, fit_plausibility
from mwp.training.traits import NAMES

if TYPE_CHECKING:  # reading a model needs neither accelerate nor an optimiser, which take seconds to import
    from mwp.training.loop import Run


@dataclass(frozen=True)
class Model:
    solver: Solver
    discriminator: Discriminator | None
    plausibility: Plausibility | None
    origin: dict[str, Any]


def save_model(path: Path, run: Run, origin: dict[str, Any]) -> None:
    """The solver that the run kept, the discriminator as it was at the end, and which solutions to believe."""
    discriminator = run.learner.discriminator
    save(
        path,
        {
            "solver": run.progress.best,
            "discriminator": None if discriminator is None else discriminator.state_dict(),
            "plausibility": _fitted(run).named,
            "config": run.config.model_dump(),
            "material": run.learner.solver.encoder.material,
            "origin": origin,
        },
    )


def _fitted(run: Run) -> Plausibility:
    """Fitted on the inner slice, by its answers alone."""
    examples = []
    for key, candidates in sorted(run.slice_candidates().items()):
        problem = run.corpus.problems[key]
        right = [reaches_answer(candidate.solution, problem) for candidate in candidates]
        examples.append(Example(problem, candidates, right))
    return fit_plausibility(examples)


def load_model(path: Path) -> Model:
    content = load(path)
    if missing := {"solver", "config", "material", "origin"} - content.keys():
        raise BadInput(f"{path}: expected a trained model, found a checkpoint without {min(missing)}; give a model.pt")
    config = _config(path, content["config"])
    solver = restore_solver(config.backbone, config.solver, content["material"])
    solver.load_state_dict(content["solver"])
    discriminator = _discriminator(content["discriminator"], solver.encoder.width, config.diversity.discriminator)
    return Model(solver.eval(), discriminator, _plausibility(path, content.get("plausibility")), content["origin"])


def _config(path: Path, content: Any) -> TrainConfig:
    try:
        return TrainConfig.model_validate(content)
    except ValidationError as error:
        raise _other_version(path, ".".join(map(str, error.errors()[0]["loc"]))) from error


def _plausibility(path: Path, weights: dict[str, float] | None) -> Plausibility | None:
    """None for a model from before there was any."""
    if weights is None:
        return None
    if tuple(weights) != NAMES:
        raise _other_version(path, "the traits of plausibility")
    return Plausibility(tuple(weights.values()))


def _other_version(path: Path, where: str) -> BadInput:
    return BadInput(f"{path} was trained by another version of mwp, which differs in {where}; train again")


def _discriminator(state: dict[str, Any] | None, problem_width: int, hidden: int) -> Discriminator | None:
    if state is None:
        return None
    discriminator = Discriminator(problem_width, hidden)
    discriminator.load_state_dict(state)
    return discriminator.eval()
