"""A tracked run: one training of one solver, written as it goes and continued under the same id after a stop."""

import json
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from mlflow import MlflowClient
from mlflow.entities import Dataset, DatasetInput, InputTag, Metric, Param, Run, RunTag
from mlflow.exceptions import MlflowException
from mlflow.system_metrics.system_metrics_monitor import SystemMetricsMonitor

from mwp.tracking.experiment import (
    GROUP,
    IDENTITY,
    ROLE,
    Experiment,
    Status,
    dvc_tags,
    git_tags,
    open_experiment,
    process_tags,
)
from mwp.tracking.params import batches, flatten
from mwp.tracking.store import Store, project_root

INTERRUPTED = 130


@dataclass(frozen=True)
class RunIdentity:
    """What tells one run of a study from another."""

    system: str
    setting: str
    backbone: str
    variant: str
    fold: int

    @property
    def name(self) -> str:
        return f"{self.system} fold {self.fold}"

    @property
    def key(self) -> str:
        return f"{self.system}/{self.fold}"


@dataclass(frozen=True)
class TrackedRun:
    """What a training writes to its run. `data` are the md5s of its inputs; `logged` the points of its curves from
    before it was resumed, by metric and step."""

    client: MlflowClient
    id: str
    data: Mapping[str, str]
    logged: Mapping[tuple[str, int], float]
    last_step: int

    @property
    def experiment(self) -> str:
        """The id of the experiment that holds it, which its address in MLflow's page needs."""
        return str(self.client.get_run(self.id).info.experiment_id)

    def before(self, metric: str) -> float:
        """The last value of a curve when the run was resumed; 0 in a new one."""
        return self.logged.get((metric, self.last_step), 0.0)

    def log_epoch(self, step: int, metrics: Mapping[str, float]) -> None:
        """One point of each curve, in one call. A resumed training repeats steps: what the run holds is not added."""
        if step > self.last_step:
            self._log({name: value for name, value in metrics.items() if (name, step) not in self.logged}, step)

    def log_metrics(self, metrics: Mapping[str, float]) -> None:
        """Final scores: values without a curve."""
        self._log({name: value for name, value in metrics.items() if self.logged.get((name, 0)) != value}, 0)

    def log_file(self, path: Path, folder: str | None = None) -> None:
        """Copy a file to the run's artifacts; one of the same name is replaced."""
        self.client.log_artifact(self.id, str(path), folder)

    def log_data(self, name: str, path: Path, counts: Mapping[str, int]) -> None:
        """Name an input among those whose md5 the run was opened with. MLflow keeps one profile a name and md5 for all
        runs, so the counts are those of the file, not of a fold."""
        source, profile = json.dumps({"uri": str(path)}), json.dumps(dict(counts))
        dataset = Dataset(name, self.data[name], source_type="local", source=source, profile=profile)
        self.client.log_inputs(self.id, [DatasetInput(dataset, [InputTag("mlflow.data.context", "training")])])

    def _log(self, metrics: Mapping[str, float], step: int) -> None:
        now = int(time.time() * 1000)
        points = [Metric(name, float(value), now, step) for name, value in metrics.items()]
        if points:
            self.client.log_batch(self.id, metrics=points, synchronous=True)


@contextmanager
def open_run(
    store: Store,
    identity: RunIdentity,
    *,
    params: Mapping[str, Any],
    fingerprint: str,
    data: Mapping[str, str],
    group: str | None = None,
    resume_id: str | None = None,
    last_step: int = -1,
    system_metrics: bool = False,
) -> Iterator[TrackedRun]:
    """A run for the length of a `with`: finished at its end, failed or killed by what breaks it off.

    `data` has the md5 of each input by name. The run is in `group`, by default that of its setting. With a
    `resume_id` that the store knows, that run goes on: its first params stay, steps up to `last_step` and points that
    it holds already are not logged again. So log an epoch before saving its checkpoint: no point is lost or doubled.
    """
    experiment = open_experiment(store)
    group = group or identity.setting
    previous_run = experiment.find(resume_id) if resume_id else None
    with store.locked():
        experiment.mark_killed(identity.key, but=previous_run)
        parent_id = experiment.group_id(group)
    flat = flatten({**params, **asdict(identity)})
    if previous_run:
        flat = {name: value for name, value in flat.items() if name not in previous_run.data.params}
        run = _reopen(experiment.client, previous_run, data, last_step)
    else:
        tags = {"mlflow.parentRunId": parent_id, ROLE: "training", GROUP: group, IDENTITY: identity.key}
        tags |= {"fingerprint": fingerprint} | {f"data.{name}": md5 for name, md5 in data.items()}
        tags |= {"resumed_from": resume_id} if resume_id else {}
        run = _start(experiment, identity.name, tags, data)
    measured = _system_metrics(run.id, store.uri) if system_metrics else nullcontext()
    with _ending(run), measured:
        for batch in batches(flat):
            run.client.log_batch(run.id, params=[Param(*item) for item in batch.items()], synchronous=True)
        yield run


def _start(experiment: Experiment, name: str, tags: Mapping[str, str], data: Mapping[str, str]) -> TrackedRun:
    every = {**tags, **git_tags(project_root()), **dvc_tags(), **process_tags()}
    created = experiment.client.create_run(experiment.id, tags=every, run_name=name)
    return TrackedRun(experiment.client, created.info.run_id, data, logged={}, last_step=-1)


def _reopen(client: MlflowClient, previous_run: Run, data: Mapping[str, str], last_step: int) -> TrackedRun:
    id = previous_run.info.run_id
    client.update_run(id, status=Status.RUNNING)
    client.log_batch(id, tags=[RunTag(*item) for item in process_tags().items()], synchronous=True)
    curves = (name for name in previous_run.data.metrics if not name.startswith("system/"))
    points = (point for name in curves for point in client.get_metric_history(id, name))
    return TrackedRun(client, id, data, {(point.key, point.step): point.value for point in points}, last_step)


@contextmanager
def _system_metrics(run_id: str, uri: str) -> Iterator[None]:
    monitor = SystemMetricsMonitor(run_id, resume_logging=True, tracking_uri=uri)  # type: ignore[no-untyped-call]
    monitor.start()  # type: ignore[no-untyped-call]
    try:
        yield
    finally:
        monitor.finish()  # type: ignore[no-untyped-call]


@contextmanager
def _ending(run: TrackedRun) -> Iterator[None]:
    try:
        yield
    except BaseException as error:
        with suppress(MlflowException):  # what broke the run off matters more than that its end cannot be written
            run.client.set_terminated(run.id, _status(error))
        raise
    run.client.set_terminated(run.id, Status.FINISHED)


def _status(error: BaseException) -> Status:
    if isinstance(error, SystemExit) and error.code in (None, 0):
        return Status.FINISHED
    interrupted = isinstance(error, KeyboardInterrupt) or (isinstance(error, SystemExit) and error.code == INTERRUPTED)
    return Status.KILLED if interrupted else Status.FAILED


@dataclass(frozen=True)
class RunAddress:
    """Where MLflow's page shows a run."""

    run: str
    experiment: str


def find_training(fingerprint: str) -> RunAddress | None:
    """The run that trained a model of this fingerprint, wherever that was, if this project's store has it."""
    store = Store.of_project()
    if store.is_empty:
        return None
    experiment = open_experiment(store)
    run = experiment.trained(fingerprint)
    return RunAddress(run.info.run_id, experiment.id) if run else None


def log_scores(fingerprint: str, metrics: Mapping[str, float], files: list[Path]) -> bool:
    """Add final scores and files to the run that trained a model; False if this project's store does not know it."""
    found = find_training(fingerprint)
    if found is None:
        return False
    experiment = open_experiment(Store.of_project())
    previous_run = experiment.client.get_run(found.run)
    logged = {(name, 0): value for name, value in previous_run.data.metrics.items()}
    run = TrackedRun(experiment.client, found.run, {}, logged, last_step=-1)
    run.log_metrics(metrics)
    for file in files:
        run.log_file(file, "predictions")
    return True


def read_epochs(key: str, fingerprint: str | None = None) -> list[dict[str, float]]:
    """The curves of a run of the project's store, a mapping an epoch: the one that trained the model of this
    fingerprint, else the newest of an identity's `key`; nothing where there is none."""
    experiment = open_experiment(Store.of_project())
    run = experiment.trained(fingerprint) if fingerprint else experiment.newest(key)
    if run is None:
        return []
    epochs: dict[int, dict[str, float]] = {}
    for name in run.data.metrics:
        for point in experiment.client.get_metric_history(run.info.run_id, name):
            epochs.setdefault(point.step, {})[name] = point.value
    return [epochs[step] for step in sorted(epochs)]
