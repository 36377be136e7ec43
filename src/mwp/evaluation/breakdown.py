"""Answer accuracy by what makes a problem hard or easy."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from mwp.arith.expressions import operator_count
from mwp.data.problems import Problem, Record
from mwp.data.twins import twin_key
from mwp.evaluation.intervals import SEED, Estimate, estimate
from mwp.evaluation.outcomes import Outcome
from mwp.evaluation.scorers import SCORER_NAMES, ScorerName

MANY = 6


class Group(Record):
    name: str
    problems: int
    accuracy: dict[ScorerName, Estimate]


class Breakdown(Record):
    """By the operators of the ground truth, by the numbers of the text (`6+`: six and more), with and without a twin.

    A problem has a twin if the training part holds one that is equal up to its numbers. Empty groups are left out.
    """

    operators: tuple[Group, ...]
    numbers: tuple[Group, ...]
    twins: tuple[Group, ...]


def break_down(outcomes: Sequence[Outcome], train_problems: Iterable[Problem] = (), seed: int = SEED) -> Breakdown:
    known = [outcome for outcome in outcomes if outcome.problem.gold]
    trained = {twin_key(problem) for problem in train_problems}
    compared = outcomes if trained else ()
    return Breakdown(
        operators=_groups(known, [_size(operator_count(outcome.problem.readings[0])) for outcome in known], seed),
        numbers=_groups(outcomes, [_size(len(outcome.problem.numbers)) for outcome in outcomes], seed),
        twins=_groups(
            compared,
            ["with" if twin_key(outcome.problem) in trained else "without" for outcome in compared],
            seed,
        ),
    )


def pool(parts: Sequence[Breakdown], seed: int = SEED) -> Breakdown:
    """That of all parts' problems together, each with the twins that it had in its own training part."""
    return Breakdown(
        operators=_pooled([part.operators for part in parts], seed),
        numbers=_pooled([part.numbers for part in parts], seed),
        twins=_pooled([part.twins for part in parts], seed),
    )


def _pooled(parts: Sequence[Sequence[Group]], seed: int) -> tuple[Group, ...]:
    members: dict[str, list[Group]] = defaultdict(list)
    for group in (group for part in parts for group in part):
        members[group.name].append(group)
    return tuple(_union(name, members[name], seed) for name in sorted(members))


def _union(name: str, groups: Sequence[Group], seed: int) -> Group:
    """A share of whole problems says how many are right, and the bootstrap needs no more than that."""
    problems = sum(group.problems for group in groups)
    right = {
        scorer: sum(round(group.accuracy[scorer].value * group.problems) for group in groups) for scorer in SCORER_NAMES
    }
    return Group(
        name=name,
        problems=problems,
        accuracy={
            scorer: estimate([place < right[scorer] for place in range(problems)], seed=seed) for scorer in SCORER_NAMES
        },
    )


def _size(count: int) -> str:
    return str(count) if count < MANY else f"{MANY}+"


def _groups(outcomes: Sequence[Outcome], names: Sequence[str], seed: int) -> tuple[Group, ...]:
    members: dict[str, list[Outcome]] = defaultdict(list)
    for outcome, name in zip(outcomes, names, strict=True):
        members[name].append(outcome)
    return tuple(_group(name, members[name], seed) for name in sorted(members))


def _group(name: str, outcomes: Sequence[Outcome], seed: int) -> Group:
    return Group(
        name=name,
        problems=len(outcomes),
        accuracy={
            scorer: estimate([bool(outcome.right(scorer, 1)) for outcome in outcomes], seed=seed)
            for scorer in SCORER_NAMES
        },
    )
