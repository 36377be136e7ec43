"""The project's experiment in a store: created once, its runs found by their tags.

Where a run came from, as tags: the commit, the DVC stage and experiment, and the process that writes it."""

import getpass
import logging
import os
import shlex
import socket
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import psutil
from mlflow import MlflowClient
from mlflow.entities import Run
from mlflow.exceptions import MlflowException

from mwp.errors import BadInput
from mwp.tracking.store import ELSEWHERE, EXPERIMENT, Store

ROLE, GROUP, IDENTITY = "role", "group", "identity"
HOST, PID, STARTED, COUNT = "process.host", "process.pid", "process.started", "process.count"


class Status(StrEnum):
    """The status of a run, in MLflow's words."""

    RUNNING = "RUNNING"
    FINISHED = "FINISHED"
    FAILED = "FAILED"
    KILLED = "KILLED"


for chatty in ("mlflow", "alembic"):  # the migrations of a new database are announced as INFO
    logging.getLogger(chatty).setLevel(logging.WARNING)


@dataclass(frozen=True)
class Experiment:
    client: MlflowClient
    id: str

    def find(self, run_id: str) -> Run | None:
        """A run by its id, unless it is in another store or deleted."""
        try:
            run = self.client.get_run(run_id)
        except MlflowException as error:
            if error.error_code in ("RESOURCE_DOES_NOT_EXIST", "INVALID_PARAMETER_VALUE"):
                return None
            raise
        return run if run.info.lifecycle_stage == "active" and run.info.experiment_id == self.id else None

    def describe(self, note: str) -> None:
        """The Markdown above the runs."""
        self.client.set_experiment_tag(self.id, "mlflow.note.content", note)

    def trained(self, fingerprint: str) -> Run | None:
        """The last run that trained a model of this fingerprint."""
        wanted = f"tags.fingerprint = '{fingerprint}'"
        return next(iter(self.client.search_runs([self.id], wanted, order_by=["start_time DESC"])), None)

    def newest(self, identity: str) -> Run | None:
        """The last run of an identity that began."""
        runs = self.client.search_runs([self.id], f"tags.{IDENTITY} = '{identity}'", order_by=["start_time DESC"])
        return next(iter(runs), None)

    def mark_killed(self, identity: str, but: Run | None = None) -> None:
        """A killed process leaves its run as running; the next one with the same identity marks it as killed."""
        for run in self.client.search_runs([self.id], f"attributes.status = '{Status.RUNNING}'"):
            ours = run.data.tags.get(IDENTITY) == identity and (but is None or run.info.run_id != but.info.run_id)
            if ours and process_is_gone(run.data.tags):
                self.client.set_terminated(run.info.run_id, Status.KILLED)

    def group_id(self, group: str) -> str:
        """The run under which MLflow shows a group's runs. Call it with the store locked, else two may be made."""
        for run in self.client.search_runs([self.id], f"tags.{ROLE} = '{GROUP}'"):
            if run.data.tags[GROUP] == group:
                return str(run.info.run_id)
        run = self.client.create_run(self.id, tags={ROLE: GROUP, GROUP: group}, run_name=group)
        self.client.set_terminated(run.info.run_id, Status.FINISHED)  # it only groups others and never runs itself
        return str(run.info.run_id)


def open_experiment(store: Store) -> Experiment:
    """Under the lock, because two that create the database at once fail in MLflow."""
    with store.locked():
        store.check()
        try:
            client = MlflowClient(tracking_uri=store.uri)
            found = client.get_experiment_by_name(EXPERIMENT)
            if found is None:
                artifacts = str(store.artifacts) if store.artifacts else None
                return Experiment(client, client.create_experiment(EXPERIMENT, artifacts))
        except MlflowException as error:
            raise BadInput(f"cannot open the run store {store.name}: {error.message}; {ELSEWHERE}") from error
    if found.lifecycle_stage == "deleted":
        restore = f"MLFLOW_TRACKING_URI={store.uri} mlflow experiments restore -x {found.experiment_id}"
        raise BadInput(f"the experiment {EXPERIMENT} in {store.name} was deleted; bring it back with: {restore}")
    return Experiment(client, found.experiment_id)


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
    """Only this host's processes can be checked. A pid may be used again, so the start time must agree as well."""
    if tags.get(HOST) != socket.gethostname() or not {PID, STARTED} <= tags.keys():
        return False
    try:
        process = psutil.Process(int(tags[PID]))
        same = abs(process.create_time() - float(tags[STARTED])) < 2  # the clock may have been set since
        return not same or process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True
