"""The problems of the case browser with what each system answers: the paper's qualitative analysis."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import NamedTuple

from mwp.arith.expressions import operator_count
from mwp.data.problems import Problem, Record
from mwp.evaluation.outcomes import ScoredHypothesis, ScoredProblem

MAX_CASES = 500
# A value can have thousands of digits; the page shows so many characters.
MAX_CHARACTERS_OF_VALUE = 40
DECIMALS = 3


class CaseHypothesis(NamedTuple):
    """Written as a plain list, for there are many. `sound` is None without a ground truth; those of one problem with
    the same `group` are equal modulo the laws of arithmetic."""

    solution: str
    log_prob: float
    value: str | None
    qualification: float | None
    right: int
    sound: int | None
    group: int
    verified: float | None


class Case(Record):
    """`numbers` are the spans of N0, N1, ... in the text; `gold` the readings of the ground truth in prefix."""

    id: str
    dataset: str
    text: str
    numbers: tuple[tuple[int, int], ...]
    answer: str
    gold: tuple[str, ...]
    operators: int | None
    hypotheses: dict[str, tuple[CaseHypothesis, ...]]


class System(Record):
    name: str
    title: str


class CaseBook(Record):
    """`tested` counts the test problems by dataset, of which the cases may be a choice; `seed` made it.

    `datasets` says what the problems of each are called.
    """

    systems: tuple[System, ...]
    datasets: dict[str, str]
    tested: dict[str, int]
    seed: int
    cases: tuple[Case, ...]

    def shown(self, dataset: str) -> int:
        return sum(case.dataset == dataset for case in self.cases)


def choose(ids: Sequence[str], seed: int, most: int = MAX_CASES) -> list[str]:
    """All ids, or a seeded choice of `most`, in their order."""
    if len(ids) <= most:
        return list(ids)
    chosen = set(Random(seed).sample(ids, most))
    return [id for id in ids if id in chosen]


def make_case(problem: Problem, dataset: str, outcomes: Mapping[str, ScoredProblem]) -> Case:
    """`outcomes` by the systems' names."""
    return Case(
        id=problem.id,
        dataset=dataset,
        text=problem.text,
        numbers=tuple((number.start, number.end) for number in problem.numbers),
        answer=problem.answer_spelling,
        gold=tuple(" ".join(reading) for reading in problem.gold),
        operators=operator_count(problem.readings[0]) if problem.gold else None,
        hypotheses={name: _hypotheses(outcome) for name, outcome in outcomes.items()},
    )


def _hypotheses(outcome: ScoredProblem) -> tuple[CaseHypothesis, ...]:
    groups = {id(member): position for position, group in enumerate(outcome.merged) for member in group.members}
    return tuple(_case_hypothesis(scored, groups[id(scored.hypothesis)]) for scored in outcome.hypotheses)


def _case_hypothesis(scored: ScoredHypothesis, group: int) -> CaseHypothesis:
    hypothesis = scored.hypothesis.rounded(DECIMALS)
    return CaseHypothesis(
        solution=" ".join(hypothesis.solution),
        log_prob=hypothesis.log_prob,
        value=None if scored.value is None else str(scored.value)[:MAX_CHARACTERS_OF_VALUE],
        qualification=hypothesis.qualification,
        right=int("exact" in scored.right),
        sound=int(scored.sound) if scored.problem.gold else None,
        group=group,
        verified=hypothesis.verified,
    )
