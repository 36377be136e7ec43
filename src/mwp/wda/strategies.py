"""The three strategies of a search behind one interface, over one process, the cores, or a Dask cluster."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np
from joblib import Parallel, delayed, parallel_config

from mwp.arith.notation import to_prefix
from mwp.data.problems import Problem
from mwp.errors import BadInput
from mwp.wda.algorithm1 import NOT_FOUND, paper_order, published_order
from mwp.wda.features import feature_counts
from mwp.wda.labels import Label, LabelCandidate
from mwp.wda.prior import scores
from mwp.wda.registry import SearchLimits
from mwp.wda.space import enumerate_space
from mwp.wda.tasks import ExpressionTable, Floats, Integers, Task, expression_at, task_of

FirstHit = Callable[[Floats, int, float, float, int], tuple[ExpressionTable, int, int]]
BATCH = 128


class SearchStrategy(Protocol):
    def search(self, task: Task) -> Label: ...


@dataclass(frozen=True)
class FirstFound:
    """Algorithm 1: the first expression that leads to the answer is the label."""

    name: str
    kernel: FirstHit
    max_tries: int

    def search(self, task: Task) -> Label:
        table, hit, tried = self.kernel(task.values, task.quantities, task.answer, task.tolerance, self.max_tries)
        found = () if hit == NOT_FOUND else (_candidate(table, hit, task, 0.0),)
        return Label(id=task.id, strategy=self.name, candidates=found, alternatives=0, tries=tried)


@dataclass(frozen=True)
class Ranked:
    """Every expression of the space that leads to the answer, the best `max_candidates` functions by the prior.

    If there is none, it falls back to the published strategy of Algorithm 1, then to the printed one.
    """

    name: ClassVar[str] = "ranked"
    max_expressions: int
    max_tries: int
    max_candidates: int

    def search(self, task: Task) -> Label:
        table, solutions, tried = enumerate_space(
            task.values, task.quantities, task.answer, task.tolerance, self.max_expressions
        )
        for kernel in (published_order, paper_order):
            if len(solutions):
                break
            table, hit, more = kernel(task.values, task.quantities, task.answer, task.tolerance, self.max_tries)
            solutions, tried = np.array([hit] if hit != NOT_FOUND else [], np.int32), tried + more
        best, alternatives = self._best(table, solutions, task)
        return Label(id=task.id, strategy=self.name, candidates=best, alternatives=alternatives, tries=tried)

    def _best(self, table: ExpressionTable, solutions: Integers, task: Task) -> tuple[tuple[LabelCandidate, ...], int]:
        """The most likely form of each function, functions by falling score, and how many alternatives each has."""
        if not len(solutions):
            return (), 0
        counts, fingerprints = feature_counts(table, solutions, task)
        score = scores(counts)
        ranking = np.argsort(-score, kind="stable")
        _, firsts = np.unique(fingerprints[ranking], return_index=True)
        forms = ranking[np.sort(firsts)]
        total = float(np.logaddexp.reduce(score[forms]))
        best = tuple(
            _candidate(table, int(solutions[form]), task, round(float(score[form]) - total, 6))
            for form in forms[: self.max_candidates]
        )
        return best, len(forms) - 1


def _candidate(table: ExpressionTable, entry: int, task: Task, score: float) -> LabelCandidate:
    return LabelCandidate(solution=to_prefix(expression_at(table, entry, task.quantities)), score=score)


def paper(limits: SearchLimits) -> SearchStrategy:
    """Algorithm 1 as printed."""
    return FirstFound("paper", paper_order, limits.max_tries)


def published(limits: SearchLimits) -> SearchStrategy:
    """Algorithm 1 in the order of the published code."""
    return FirstFound("published", published_order, limits.max_tries)


def ranked(limits: SearchLimits) -> SearchStrategy:
    return Ranked(limits.max_expressions, limits.max_tries, limits.max_candidates)


def label_batch(problems: Sequence[Problem], strategy: SearchStrategy) -> list[Label]:
    return [strategy.search(task_of(problem)) for problem in problems]


def label_all(
    problems: Sequence[Problem], strategy: SearchStrategy, jobs: int = 0, scheduler: str | None = None
) -> Iterator[Label]:
    """Labels in the order of the problems, as they come. `jobs` 0 means one process a core."""
    batches = [problems[start : start + BATCH] for start in range(0, len(problems), BATCH)]
    if scheduler is None and (jobs == 1 or len(batches) == 1):
        for batch in batches:
            yield from label_batch(batch, strategy)
        return
    with _workers(jobs or os.cpu_count() or 1, scheduler):
        for labels in Parallel(return_as="generator")(delayed(label_batch)(batch, strategy) for batch in batches):
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
