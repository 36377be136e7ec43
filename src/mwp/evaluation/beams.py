"""What a trained model makes of problems: beams with their probabilities and the discriminator's scores."""

from collections.abc import Iterator, Sequence

from mwp.data.problems import Problem
from mwp.evaluation.answers import Answer, make_answer
from mwp.evaluation.merging import Merged, merge
from mwp.evaluation.predictions import Prediction, beam
from mwp.training.decoding import Solutions, fitness_of, solve_all
from mwp.training.models import Model

# Beams that are searched however few are shown: what comes first must not depend on how many one asks for.
WIDTH = 10
BATCH = 32


def predict(model: Model, problems: Sequence[Problem], width: int, batch: int) -> list[Prediction]:
    """`width` beams for each problem, in the order of the problems; ids must differ."""
    by_id = {problem.id: problem for problem in problems}
    encoded = {id: model.solver.encoder.prepare(problem) for id, problem in by_id.items()}
    found = dict(solve_all(model.solver, list(by_id), encoded, width, batch))
    solutions = {id: [solution for solution, _ in beams] for id, beams in found.items()}
    fits: dict[str, list[float]] = {}
    if model.discriminator is not None:
        fits = dict(fitness_of(model.solver, model.discriminator, solutions, encoded, batch))
    return [_prediction(problem, found[id], fits.get(id)) for id, problem in by_id.items()]


def _prediction(problem: Problem, solutions: Solutions, fits: Sequence[float] | None) -> Prediction:
    known: Sequence[float | None] = fits or [None] * len(solutions)
    scored = zip(solutions, known, strict=True)
    beams = tuple(beam(solution, log_prob, problem, fitness) for (solution, log_prob), fitness in scored)
    return Prediction(id=problem.id, beams=beams)


def answer_all(model: Model, problems: Sequence[Problem], k: int, raw: bool = False) -> Iterator[Answer]:
    """Up to `k` equations of each problem, the best ones; those equal modulo the laws are one unless `raw`."""
    numbered = [problem.model_copy(update={"id": str(place)}) for place, problem in enumerate(problems)]
    for problem, prediction in zip(problems, predict(model, numbered, max(WIDTH, k), BATCH), strict=True):
        groups = [Merged((beam,), beam.log_prob) for beam in prediction.beams] if raw else merge(prediction.beams)
        yield make_answer(problem, groups[:k])
