"""The three orders of a search behind one interface: a Task in, a Label out."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np

from mwp.arith.prefix import to_prefix
from mwp.search.algorithm1 import NOT_FOUND, paper_order, published_order
from mwp.search.features import describe
from mwp.search.labels import Candidate, Label, OrderName
from mwp.search.prior import scores
from mwp.search.space import enumerate_space
from mwp.search.tasks import Task
from mwp.search.workings import Floats, Integers, Workings, expression_at

FirstHit = Callable[[Floats, int, float, float, int], tuple[Workings, int, int]]


class Order(Protocol):
    def search(self, task: Task) -> Label: ...


@dataclass(frozen=True)
class FirstFound:
    """Algorithm 1: the first expression that leads to the answer is the label."""

    name: str
    kernel: FirstHit
    tries: int

    def search(self, task: Task) -> Label:
        workings, hit, tried = self.kernel(task.values, task.quantities, task.answer, task.tolerance, self.tries)
        found = () if hit == NOT_FOUND else (_candidate(workings, hit, task, 0.0),)
        return Label(id=task.id, order=self.name, candidates=found, rivals=0, tries=tried)


@dataclass(frozen=True)
class Ranked:
    """Every plausible expression that leads to the answer, the best `keep` functions by the prior.

    Where there is none, the orders of Algorithm 1 have their turn.
    """

    name: ClassVar[str] = "ranked"
    budget: int
    tries: int
    keep: int

    def search(self, task: Task) -> Label:
        workings, hits, tried = enumerate_space(task.values, task.quantities, task.answer, task.tolerance, self.budget)
        for kernel in (published_order, paper_order):
            if len(hits):
                break
            workings, hit, more = kernel(task.values, task.quantities, task.answer, task.tolerance, self.tries)
            hits, tried = np.array([hit] if hit != NOT_FOUND else [], np.int32), tried + more
        best, rivals = self._best(workings, hits, task)
        return Label(id=task.id, order=self.name, candidates=best, rivals=rivals, tries=tried)

    def _best(self, workings: Workings, hits: Integers, task: Task) -> tuple[tuple[Candidate, ...], int]:
        """The most plausible form of each function, functions by falling score, and how many rivals each has."""
        if not len(hits):
            return (), 0
        counts, fingerprints = describe(workings, hits, task)
        score = scores(counts)
        order = np.argsort(-score, kind="stable")
        _, firsts = np.unique(fingerprints[order], return_index=True)
        forms = order[np.sort(firsts)]
        total = float(np.logaddexp.reduce(score[forms]))
        best = tuple(
            _candidate(workings, int(hits[form]), task, round(float(score[form]) - total, 6))
            for form in forms[: self.keep]
        )
        return best, len(forms) - 1


def _candidate(workings: Workings, entry: int, task: Task, score: float) -> Candidate:
    return Candidate(solution=to_prefix(expression_at(workings, entry, task.quantities)), score=score)


def make_order(name: OrderName, tries: int, budget: int, keep: int) -> Order:
    if name == "ranked":
        return Ranked(budget=budget, tries=tries, keep=keep)
    return FirstFound(name, paper_order if name == "paper" else published_order, tries)
