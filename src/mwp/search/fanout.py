"""Many problems at once: over the cores of this machine, or over a Dask cluster."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from joblib import Parallel, delayed, parallel_config

from mwp.data.problems import Problem
from mwp.errors import BadInput
from mwp.search.labels import Label
from mwp.search.orders import Order
from mwp.search.tasks import task_of

BATCH = 128


def label_batch(problems: Sequence[Problem], order: Order) -> list[Label]:
    return [order.search(task_of(problem)) for problem in problems]


def label_all(
    problems: Sequence[Problem], order: Order, jobs: int = 0, scheduler: str | None = None
) -> Iterator[Label]:
    """Labels in the order of the problems, as they come. `jobs` 0 means one process a core."""
    batches = [problems[start : start + BATCH] for start in range(0, len(problems), BATCH)]
    if scheduler is None and (jobs == 1 or len(batches) == 1):
        for batch in batches:
            yield from label_batch(batch, order)
        return
    with _workers(jobs or os.cpu_count() or 1, scheduler):
        for labels in Parallel(return_as="generator")(delayed(label_batch)(batch, order) for batch in batches):
            yield from labels


@contextmanager
def _workers(jobs: int, scheduler: str | None) -> Iterator[None]:
    if scheduler is None:
        with parallel_config(backend="loky", n_jobs=jobs, inner_max_num_threads=1):
            yield
        return
    try:
        from distributed import Client
    except ImportError as error:
        raise BadInput("a scheduler needs Dask: pip install 'mwp[cluster]'") from error
    try:
        client = Client(scheduler, timeout=10)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        raise BadInput(f"no Dask scheduler answers at {scheduler}: start one with 'dask scheduler'") from error
    with client, parallel_config(backend="dask", client=client):
        yield
