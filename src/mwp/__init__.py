"""Train and compare math word problem solvers under full, semi-weak and weak supervision.

The public names are loaded when they are first used, so that `import mwp` itself takes no time.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mwp.api import evaluate as evaluate
    from mwp.api import load as load
    from mwp.api import read_problems as read_problems
    from mwp.api import search as search
    from mwp.api import train as train
    from mwp.data.problems import Problem as Problem
    from mwp.inference.answers import Answer as Answer
    from mwp.inference.solver import Solver as Solver
    from mwp.training.config import TrainConfig as TrainConfig

    __version__: str

_MODULES = {
    "load": "mwp.api",
    "read_problems": "mwp.api",
    "search": "mwp.api",
    "train": "mwp.api",
    "evaluate": "mwp.api",
    "Solver": "mwp.inference.solver",
    "Problem": "mwp.data.problems",
    "Answer": "mwp.inference.answers",
    "TrainConfig": "mwp.training.config",
}
__all__ = [
    "Answer",
    "Problem",
    "Solver",
    "TrainConfig",
    "__version__",
    "evaluate",
    "load",
    "read_problems",
    "search",
    "train",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("mwp")
    if name not in _MODULES:
        raise AttributeError(f"module 'mwp' has no attribute {name!r}; it has {', '.join(__all__)}")
    found = getattr(import_module(_MODULES[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
