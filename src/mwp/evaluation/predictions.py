"""What a solver answers: a beam of solutions for each problem, best first, one JSON line a problem."""

from collections.abc import Sequence
from pathlib import Path
from typing import Self

from pydantic import FiniteFloat

from mwp.arith.expressions import Expression
from mwp.arith.prefix import from_prefix
from mwp.arith.values import evaluate
from mwp.data.files import read_records
from mwp.data.problems import Problem, Rational, Record
from mwp.errors import BadInput


class Beam(Record):
    """A solution as prefix tokens with its exact value; None where it has no value, as 1/(N0-N0).

    `fitness` is the discriminator's score, None where the system has no discriminator. `plausibility` is how likely
    this beam is right if one of the problem's is, by what shows once the numbers are put in.
    """

    solution: tuple[str, ...]
    log_prob: FiniteFloat
    value: Rational | None = None
    fitness: FiniteFloat | None = None
    plausibility: FiniteFloat | None = None

    @property
    def expression(self) -> Expression:
        return from_prefix(self.solution)

    def rounded(self, decimals: int) -> Self:
        """For files: its scores with so many decimals."""
        scores = {"log_prob": self.log_prob, "fitness": self.fitness, "plausibility": self.plausibility}
        return self.model_copy(
            update={name: None if score is None else round(score, decimals) for name, score in scores.items()}
        )


class Prediction(Record):
    """The beams of one problem in the solver's order, which need not be that of their log-probabilities."""

    id: str
    beams: tuple[Beam, ...]


def beam(
    solution: Sequence[str],
    log_prob: float,
    problem: Problem,
    fitness: float | None = None,
    plausibility: float | None = None,
) -> Beam:
    value = evaluate(from_prefix(solution), problem.values)
    return Beam(solution=tuple(solution), log_prob=log_prob, value=value, fitness=fitness, plausibility=plausibility)


def read_predictions(path: Path) -> list[Prediction]:
    predictions = read_records(path, Prediction)
    if not predictions:
        raise BadInput(f"{path} is empty; expected one prediction a line")
    return predictions
