"""What is served: a solver, and where MLflow is installed, replies in MLflow's protocol beside its answers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

from mwp.inference.solver import Solver
from mwp.inference.texts import answer_texts


class Served(Protocol):
    @property
    def name(self) -> str: ...

    @property
    def reply(self) -> Callable[[bytes, str], Any] | None:
        """To a body and its content type, by MLflow's protocol; None where there is no MLflow."""
        ...

    def answers(self, texts: Sequence[str], k: int, raw: bool) -> Sequence[dict[str, Any]]: ...


@dataclass(frozen=True)
class LocalSolver:
    """A solver from a file, without MLflow."""

    name: str
    solver: Solver
    reply: None = None

    def answers(self, texts: Sequence[str], k: int, raw: bool) -> Sequence[dict[str, Any]]:
        return answer_texts(self.solver, texts, k, raw)


def load_served(source: str | Path) -> Served:
    """From a model's file, or from an address in MLflow, which needs it."""
    if isinstance(source, Path) and find_spec("mlflow") is None:
        return LocalSolver(str(source), Solver.load(source))
    from mwp.tracking.models import load_scorer
    from mwp.tracking.store import Store

    return load_scorer(Store.of_project(), source)
