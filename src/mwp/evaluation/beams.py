"""For models that 0.1 logged to MLflow, whose code imports this; for one release, then they are to be logged anew.

Their signature promises an answer's names of that time, so these are given.
"""

from collections.abc import Iterator, Sequence

from mwp.data.problems import Problem, Rational, Record
from mwp.inference.answers import Answer, GivenNumber, SolvedProblem, Step
from mwp.inference.solver import Solver


class Suggestion(Record):
    equation: str
    worked: str
    solution: tuple[str, ...]
    steps: tuple[Step, ...]
    value: Rational | None
    answer: str | None
    probability: float
    fitness: float | None
    plausibility: float | None
    also: tuple[str, ...]


class SuggestedAnswer(Record):
    text: str
    numbers: tuple[GivenNumber, ...]
    answer: str | None
    suggestions: tuple[Suggestion, ...]


def answer_all(model: Solver, problems: Sequence[Problem], k: int, raw: bool = False) -> Iterator[SuggestedAnswer]:
    for solved in model.solve_all(problems, k, merge_equal=not raw):
        yield _suggested(solved)


def _suggested(solved: SolvedProblem) -> SuggestedAnswer:
    return SuggestedAnswer(
        text=solved.text,
        numbers=solved.numbers,
        answer=solved.answer,
        suggestions=tuple(map(_suggestion, solved.answers)),
    )


def _suggestion(answer: Answer) -> Suggestion:
    return Suggestion(
        equation=answer.equation,
        worked=answer.filled_in,
        solution=answer.solution,
        steps=answer.steps,
        value=answer.value,
        answer=answer.text,
        probability=answer.probability,
        fitness=answer.qualification,
        plausibility=answer.verified,
        also=answer.equal,
    )
