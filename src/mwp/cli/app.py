"""The command tree. A failure is one line; exit code 2 for bad input, 1 for a failure, 130 if interrupted."""

import os
import re
import subprocess
import sys
import traceback
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import typer

import mwp
from mwp import upgrades
from mwp.cli import data, files, pipeline, solve
from mwp.cli.groups import Commands, extra_of
from mwp.errors import BadInput

WORDS = """
Words: a system is a network (backbone) trained in a setting: full (from equations), semi (some problems have equations,
others answers only) or weak (answers only). Its buffer holds the solutions that the training has found for each
problem; lbf is learning by fixing, another way to learn from answers. D-Math23k is Math23k without what is no word
problem. Algorithm 1 is the paper's search for equations that give the answer (weak data augmentation, WDA).
docs/glossary.md explains more.
"""
app = typer.Typer(
    help="Train and compare math word problem solvers under full, semi-weak and weak supervision.",
    epilog=WORDS,
    cls=Commands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
_debug = False
app.add_typer(data.app, name="data", cls=Commands)
app.add_typer(pipeline.app, name="stage", cls=Commands)
app.add_typer(pipeline.results, name="results", cls=Commands)
app.command("solve")(solve.solve)
app.command("serve")(solve.serve)
app.command("explain")(solve.explain)
app.command("search")(files.search)
app.command("score")(files.score)
app.command("repro")(pipeline.repro)
app.command("why-stale")(pipeline.why_stale)
app.command("ui")(pipeline.ui)


def _show_version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        print(f"mwp {version('mwp')}")
        raise typer.Exit


@app.callback()
def options(
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of a failure.")] = False,
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", is_eager=True, callback=_show_version)
    ] = False,
) -> None:
    global _debug
    _debug = debug


def main() -> None:
    _use_the_projects_source()
    # Threads that wait by spinning slow two trainings on the same cores down ten times and more; before torch loads.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    sys.exit(run(app))


def _use_the_projects_source() -> None:
    """In a checkout the command runs that checkout's code, whichever one is installed: DVC runs an experiment in a copy
    of the project, and what the copy records must be what was run."""
    source = Path("src").resolve()
    if not (source / "mwp/cli/app.py").is_file() or not Path("dvc.yaml").is_file():
        return
    if Path(mwp.__file__).resolve().is_relative_to(source):
        return
    paths = os.pathsep.join(filter(None, (str(source), os.environ.get("PYTHONPATH"))))
    command = [sys.executable, "-m", "mwp.cli.app", *sys.argv[1:]]
    os.environ["PYTHONPATH"] = paths
    if os.name == "posix":
        os.execv(sys.executable, command)
    sys.exit(subprocess.run(command, check=False).returncode)


def run(command: Any) -> int:
    try:
        return command(standalone_mode=False) or 0
    except (KeyboardInterrupt, typer.Abort):
        return _tell(["interrupted"], 130)
    except BadInput as error:
        return _tell(error.lines, 2)
    except BrokenPipeError:
        return 1
    except ModuleNotFoundError as error:
        if extra := extra_of(error.name or ""):
            return _tell([f"this command needs {error.name}, which is not installed: pip install 'mwp[{extra}]'"], 2)
        return _tell([f"{type(error).__name__}: {error}"], 1)
    except Exception as error:
        if hasattr(error, "format_message"):  # a mistake in the call itself
            return _tell([_old_command(error) or f"{error.format_message()} See: mwp --help"], 2)
        return _tell([f"{type(error).__name__}: {error} (run again with mwp --debug for the traceback)"], 1)


def _old_command(error: Any) -> str | None:
    """The command or option of the first edition that was typed, with what took its place."""
    unknown = re.search(r"No such (?:command '|option:? '?)([\w-]+)", error.format_message())
    names, context = [unknown[1]] if unknown else [], getattr(error, "ctx", None)
    while context is not None and context.parent is not None:
        names.insert(0, context.info_name)
        context = context.parent
    typed = " ".join(["mwp", *names])
    return f"{typed} is now: {upgrades.COMMANDS[typed]}" if unknown and typed in upgrades.COMMANDS else None


def _tell(mistakes: Iterable[str], code: int) -> int:
    """A line for each mistake, whatever is in it."""
    if _debug:
        traceback.print_exc()
    for mistake in mistakes:
        print(f"error: {' '.join(mistake.split())}", file=sys.stderr)
    return code


if __name__ == "__main__":
    main()
