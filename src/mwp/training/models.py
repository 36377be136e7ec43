"""For models that 0.1 logged to MLflow, whose code imports this; for one release, then they are to be logged anew."""

from pathlib import Path

from mwp.inference.solver import Solver as Model

__all__ = ["Model", "load_model"]


def load_model(path: Path) -> Model:
    return Model.load(path)
