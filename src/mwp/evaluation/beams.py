"""What a trained model makes of problems: beams with their probabilities, and what else speaks for each."""

from collections.abc import Iterator, Sequence

from mwp.data.problems import Problem
from mwp.evaluation.answers import Answer, make_answer
from mwp.evaluation.merging import Merged, by_plausibility, merge
from mwp.evaluation.predictions import Prediction, beam
from mwp.training.decoding import candidates_of
from mwp.training.models import Model
from mwp.training.plausibility import Plausibility
from mwp.training.traits import Candidate

# Beams that are searched however few are shown: what comes first must not depend on how many one asks for.
WIDTH = 10
BATCH = 32


def predict(model: Model, problems: Sequence[Problem], width: int, batch: int) -> list[Prediction]:
    """`width` beams for each problem, in the order of the problems; ids must differ."""
    by_id = {problem.id: problem for problem in problems}
    encoded = {id: model.solver.encoder.prepare(problem) for id, problem in by_id.items()}
    found = candidates_of(model.solver, model.discriminator, list(by_id), encoded, width, batch)
    return [_prediction(problem, found[id], model.plausibility) for id, problem in by_id.items()]


def _prediction(problem: Problem, found: Sequence[Candidate], plausibility: Plausibility | None) -> Prediction:
    shares: Sequence[float | None] = plausibility.shares(problem, found) if plausibility else [None] * len(found)
    scored = zip(found, shares, strict=True)
    return Prediction(id=problem.id, beams=tuple(beam(*one[:2], problem, one.fitness, share) for one, share in scored))


def answer_all(model: Model, problems: Sequence[Problem], k: int, raw: bool = False) -> Iterator[Answer]:
    """Up to `k` equations of each problem, the most plausible ones; those equal modulo the laws are one.

    `raw` are the beams as the solver has them.
    """
    numbered = [problem.model_copy(update={"id": str(place)}) for place, problem in enumerate(problems)]
    for problem, prediction in zip(problems, predict(model, numbered, max(WIDTH, k), BATCH), strict=True):
        beams = prediction.beams
        groups = [Merged((beam,), beam.log_prob) for beam in beams] if raw else by_plausibility(merge(beams))
        yield make_answer(problem, groups[:k])
