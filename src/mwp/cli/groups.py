"""Groups of commands whose help says what each does in whole sentences, and what a command needs to be installed."""

from importlib.util import find_spec
from typing import Any

from typer.core import TyperGroup

# What is installed with each extra; the first that has a module is named.
EXTRAS = {
    "pipeline": ("dvc", "mlflow", "ruamel", "jinja2", "markupsafe", "matplotlib", "psutil", "filelock"),
    "serve": ("fastapi", "starlette", "uvicorn"),
    "cluster": ("dask", "distributed"),
}


class Commands(TyperGroup):
    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Else the list would cut each line that does not fit."""
        for command in self.commands.values():
            command.short_help = command.short_help or " ".join((command.help or "").partition("\n\n")[0].split())
        super().format_commands(ctx, formatter)


def extra_of(module: str) -> str | None:
    """The extra of this package that installs a module."""
    top = module.partition(".")[0]
    return next((extra for extra, modules in EXTRAS.items() if top in modules), None)


def need(module: str) -> None:
    """For a command that runs another one's program."""
    if find_spec(module) is None:
        raise ModuleNotFoundError(f"No module named {module!r}", name=module)
