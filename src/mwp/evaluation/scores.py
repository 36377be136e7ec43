"""Everything that is measured on a solver's predictions, as one record; accuracy by what makes problems hard."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from pydantic import Field

from mwp.arith.expressions import operator_count
from mwp.data.cleaning import twin_key
from mwp.data.problems import Problem, Record
from mwp.display import html_table, table
from mwp.evaluation.metrics import KS, Reranked, Soundness, TopK, measure_soundness, merged_top, top_k, verified_top
from mwp.evaluation.outcomes import SCORERS, ScoredProblem, ScorerName, reads_as_float, score_problems
from mwp.evaluation.statistics import SEED, Estimate, estimate, percent
from mwp.inference.predictions import Prediction

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


class Scores(Record):
    """`missing` problems have no prediction and count as wrong; `top` is by scorer, then by k; `merged` and
    `verified` by scorer, the latter None where the hypotheses are not verified.

    `no_value` counts hypotheses such as 1/(N0-N0), `no_float` the answers that the paper's scorer cannot read.
    """

    problems: int
    missing: int
    hypotheses: int = Field(validation_alias="beams")
    no_value: int
    no_float: int
    top: dict[ScorerName, dict[int, TopK]]
    merged: dict[ScorerName, Reranked]
    verified: dict[ScorerName, Reranked] | None = Field(None, validation_alias="plausible")
    soundness: Soundness | None
    breakdown: Breakdown

    def accuracy(self, scorer: ScorerName = "exact") -> Estimate:
        return self.top[scorer][1].precision

    def __str__(self) -> str:
        return f"{self._counts()}\n\n{table(self._header(), self._rows())}"

    def _repr_html_(self) -> str:
        return html_table(self._header(), self._rows(), self._counts())

    def _counts(self) -> str:
        silent = f", {self.missing:,} of them without a prediction" if self.missing else ""
        return f"{self.problems:,} problem{'s' * (self.problems != 1)}{silent}; with 95 % intervals"

    def _header(self) -> list[str]:
        return ["answers right", *self.top]

    def _rows(self) -> list[list[str]]:
        """One column a scorer: of all problems, how many have a right first answer or any right one."""
        picks = {"first": self._percents(1, "precision")}
        if self.verified:
            picks["first, by the verifier"] = [percent(self.verified[scorer].accuracy) for scorer in self.top]
        picks |= {f"any of the first {k}": self._percents(k, "pass_at_k") for k in KS if k > 1}
        return [[name, *cells] for name, cells in picks.items()]

    def _percents(self, k: int, name: str) -> list[str]:
        return [percent(getattr(by_k[k], name)) for by_k in self.top.values()]


def score(
    predictions: Sequence[Prediction],
    problems: Sequence[Problem],
    train_problems: Iterable[Problem] = (),
    seed: int = SEED,
) -> Scores:
    return summarise(score_problems(predictions, problems), train_problems, seed)


def summarise(outcomes: Sequence[ScoredProblem], train_problems: Iterable[Problem] = (), seed: int = SEED) -> Scores:
    hypotheses = [hypothesis for outcome in outcomes for hypothesis in outcome.hypotheses]
    known = all(hypothesis.hypothesis.verified is not None for hypothesis in hypotheses)
    return Scores(
        problems=len(outcomes),
        missing=sum(not outcome.predicted for outcome in outcomes),
        hypotheses=len(hypotheses),
        no_value=sum(hypothesis.value is None for hypothesis in hypotheses),
        no_float=sum(not reads_as_float(outcome.problem.answer_spelling) for outcome in outcomes),
        top={scorer: {k: top_k(outcomes, scorer, k, seed) for k in KS} for scorer in SCORERS},
        merged={scorer: merged_top(outcomes, scorer, seed) for scorer in SCORERS},
        verified={scorer: verified_top(outcomes, scorer, seed) for scorer in SCORERS} if known else None,
        soundness=measure_soundness(outcomes, seed),
        breakdown=break_down(outcomes, train_problems, seed),
    )


def break_down(
    outcomes: Sequence[ScoredProblem], train_problems: Iterable[Problem] = (), seed: int = SEED
) -> Breakdown:
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
    """The breakdown of all parts' problems together, each with the twins of its own training part."""
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
        scorer: sum(round(group.accuracy[scorer].value * group.problems) for group in groups)
        for scorer in groups[0].accuracy
        if all(scorer in group.accuracy for group in groups)  # saved scores may be older than a scorer
    }
    return Group(
        name=name,
        problems=problems,
        accuracy={
            scorer: estimate([position < right[scorer] for position in range(problems)], seed=seed) for scorer in right
        },
    )


def _size(count: int) -> str:
    return str(count) if count < MANY else f"{MANY}+"


def _groups(outcomes: Sequence[ScoredProblem], names: Sequence[str], seed: int) -> tuple[Group, ...]:
    members: dict[str, list[ScoredProblem]] = defaultdict(list)
    for outcome, name in zip(outcomes, names, strict=True):
        members[name].append(outcome)
    return tuple(_group(name, members[name], seed) for name in sorted(members))


def _group(name: str, outcomes: Sequence[ScoredProblem], seed: int) -> Group:
    return Group(
        name=name,
        problems=len(outcomes),
        accuracy={
            scorer: estimate([bool(outcome.right(scorer, 1)) for outcome in outcomes], seed=seed) for scorer in SCORERS
        },
    )
