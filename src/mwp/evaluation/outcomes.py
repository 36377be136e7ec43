"""Predictions brought together with their problems: each hypothesis scored once, for every metric to read."""

from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from mwp.arith.equality import canonical
from mwp.arith.expressions import Expression, evaluate, matches_answer
from mwp.arith.notation import PrefixError
from mwp.data.problems import Problem
from mwp.data.soundness import is_sound
from mwp.errors import BadInput
from mwp.inference.predictions import Hypothesis, MergedHypothesis, Prediction, by_verified, merge

Progress = Callable[[Sequence[Prediction]], Iterable[Prediction]]
ScorerName = str
Scorer = Callable[[Fraction | None, Problem], bool]


@dataclass(frozen=True)
class ScoredHypothesis:
    """One solution of a problem; what is expensive to compute is computed when asked for."""

    problem: Problem
    hypothesis: Hypothesis
    expression: Expression
    value: Fraction | None
    right: frozenset[ScorerName]

    @cached_property
    def name(self) -> str:
        """The same for solutions that are equal modulo the laws of arithmetic."""
        return canonical(self.expression)

    @cached_property
    def sound(self) -> bool:
        return is_sound(self.expression, self.problem)


@dataclass(frozen=True)
class ScoredProblem:
    """A problem with its scored hypotheses, best first; `predicted` is False without a prediction."""

    problem: Problem
    hypotheses: tuple[ScoredHypothesis, ...]
    predicted: bool

    def right(self, scorer: ScorerName, k: int) -> list[ScoredHypothesis]:
        """The right hypotheses among the first k; missing ones are not among them."""
        return [hypothesis for hypothesis in self.hypotheses[:k] if scorer in hypothesis.right]

    @cached_property
    def merged(self) -> list[MergedHypothesis]:
        """The hypotheses with those that are equal modulo the laws as one, most probable first."""
        return merge([hypothesis.hypothesis for hypothesis in self.hypotheses])

    @property
    def merged_first(self) -> ScoredHypothesis | None:
        """The best hypothesis of the most probable group; None where there is none."""
        return self._on(self.merged)

    @property
    def verified_first(self) -> ScoredHypothesis | None:
        """The best hypothesis of the group that the verifier believes most."""
        return self._on(by_verified(self.merged))

    def _on(self, groups: Sequence[MergedHypothesis]) -> ScoredHypothesis | None:
        return next((hypothesis for hypothesis in self.hypotheses if hypothesis.hypothesis is groups[0].best), None)


def score_problems(
    predictions: Sequence[Prediction],
    problems: Sequence[Problem],
    where: str = "the predictions",
    progress: Progress = iter,
) -> list[ScoredProblem]:
    """One outcome a problem, in the problems' order; a problem without a prediction has no hypotheses.

    `where` names the predictions in errors, e.g. by their file; `progress` may wrap them.
    """
    by_id = {problem.id: problem for problem in problems}
    _check_problems(problems)
    _check_predictions([prediction.id for prediction in predictions], by_id, where)
    scored: dict[str, tuple[ScoredHypothesis, ...]] = {}
    for line, prediction in enumerate(progress(predictions), 1):
        problem = by_id[prediction.id]
        try:
            scored[problem.id] = tuple(_scored_hypothesis(one, problem) for one in prediction.hypotheses)
        except PrefixError as error:
            raise BadInput(f"{where}, line {line}, problem {problem.id!r}: no prefix solution: {error}") from error
        except _OtherValue as error:
            raise BadInput(f"{where}, line {line}, problem {problem.id!r}: {error}") from error
    return [ScoredProblem(problem, scored.get(problem.id, ()), problem.id in scored) for problem in problems]


def first_right(outcomes: Iterable[ScoredProblem], scorer: ScorerName) -> dict[str, bool]:
    """Whether the first hypothesis is right, by id, of the problems with a prediction: two runs are compared on it."""
    return {outcome.problem.id: bool(outcome.right(scorer, 1)) for outcome in outcomes if outcome.predicted}


class _OtherValue(Exception):
    pass


def _scored_hypothesis(hypothesis: Hypothesis, problem: Problem) -> ScoredHypothesis:
    expression = hypothesis.expression
    value = evaluate(expression, problem.values)
    if hypothesis.value is not None and hypothesis.value != value:
        # Most datasets count their ids from 1, so only the values show that the problems are others.
        raise _OtherValue(
            f"{' '.join(hypothesis.solution)} is {_show(value)} here but {_show(hypothesis.value)} in the prediction; "
            "give the problems that were predicted"
        )
    right = frozenset(name for name, scorer in SCORERS.items() if scorer(value, problem))
    return ScoredHypothesis(problem, hypothesis, expression, value, right)


def _show(value: Fraction | None) -> str:
    return "without a value" if value is None else str(value)[:40]


def _check_problems(problems: Sequence[Problem]) -> None:
    if not problems:
        raise BadInput("expected problems to score, found none")
    if repeated := _repeated([problem.id for problem in problems]):
        raise BadInput(
            f"the problems: expected every id once, found {repeated[0]!r} again ({len(repeated):,} such ids)"
        )


def _check_predictions(ids: Sequence[str], known: Container[str], where: str) -> None:
    if repeated := _repeated(ids):
        raise BadInput(
            f"{where}: expected one prediction a problem, found several for {repeated[0]!r} "
            f"({len(repeated):,} such ids)"
        )
    if strange := [name for name in ids if name not in known]:
        raise BadInput(
            f"{where}: {len(strange):,} of {len(ids):,} predictions are for problems that are not in the data, "
            f"e.g. {strange[0]!r}; give the problems that were predicted"
        )


def _repeated(ids: Sequence[str]) -> list[str]:
    return [name for name, times in Counter(ids).items() if times > 1]


def exact(value: Fraction | None, problem: Problem) -> bool:
    """The headline: the answer as a rational, within 1e-3 or a ten-thousandth of the answer."""
    return matches_answer(value, problem.known_answer)


def paper(value: Fraction | None, problem: Problem) -> bool:
    """The published evaluation in effect: what `float()` cannot read (`(1/2)`, `3(1/2)`, `25%`) is always wrong."""
    return reads_as_float(problem.answer_spelling) and exact(value, problem)


def reads_as_float(spelling: str) -> bool:
    try:
        float(spelling)
    except ValueError:
        return False
    return True


# What `mwp score` counts by, in this order. The study's own tables take `exact` and `paper` by name.
SCORERS: Mapping[ScorerName, Scorer] = {"exact": exact, "paper": paper}
