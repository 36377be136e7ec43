"""Where a run came from, as tags: the commit, the DVC stage and experiment, and the process that writes it."""

import getpass
import os
import shlex
import socket
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import psutil

HOST, PID, STARTED, COUNT = "process.host", "process.pid", "process.started", "process.count"


def git_tags(root: Path) -> dict[str, str]:
    """The commit, and whether anything but DVC's lock files differs from it; nothing outside a git repository."""
    commit = _git(root, "rev-parse", "HEAD")
    changes = _git(root, "status", "--porcelain", "--", ".", ":(exclude,glob)**/dvc.lock")
    if commit is None or changes is None:
        return {}
    return {"git.commit": commit, "git.dirty": str(bool(changes)).lower(), "mlflow.source.git.commit": commit}


def _git(root: Path, *arguments: str) -> str | None:
    command = ["git", "-C", str(root), *arguments]
    try:
        # No lock on the index: several runs may start at once, beside a git command of the user.
        answer = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"GIT_OPTIONAL_LOCKS": "0"})
    except OSError:  # git is not installed
        return None
    return answer.stdout.strip() if answer.returncode == 0 else None


def dvc_tags(environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """What DVC tells its commands; nothing when a stage is run by hand."""
    known = {"dvc.stage": environment.get("DVC_STAGE"), "dvc.experiment": environment.get("DVC_EXP_NAME")}
    return {name: value for name, value in known.items() if value}


def process_tags() -> dict[str, str]:
    own = psutil.Process()
    return {
        HOST: socket.gethostname(),
        PID: str(own.pid),
        STARTED: str(own.create_time()),
        COUNT: os.environ.get("WORLD_SIZE", "1"),  # set by a launcher of several that train together
        "mlflow.user": _user(),
        "mlflow.source.type": "LOCAL",
        "mlflow.source.name": shlex.join([Path(sys.argv[0]).name, *sys.argv[1:]]),
    }


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container may run under a number without a name
        return str(os.getuid())


def process_is_gone(tags: Mapping[str, str]) -> bool:
    """Only this host's processes can be judged. A pid may be given again, so the start time has to agree as well."""
    if tags.get(HOST) != socket.gethostname() or not {PID, STARTED} <= tags.keys():
        return False
    try:
        process = psutil.Process(int(tags[PID]))
        same = abs(process.create_time() - float(tags[STARTED])) < 2  # the clock may have been set since
        return not same or process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True
