"""Tune the weights of the ranked search's prior on the odd ids of a file with equations; report on the even ones.

    python -m benchmarks.prior FILE [--write]

The loss is the negative log of the share that the prior gives to sound candidates among all rivals, with a small
quadratic penalty. `--write` puts the weights into src/mwp/wda/prior.json.
"""

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_matrix, vstack

from mwp.data.cleaning import clean
from mwp.data.problems import Problem
from mwp.data.readers import read_problems
from mwp.data.soundness import is_sound
from mwp.wda.features import NAMES, feature_counts
from mwp.wda.space import enumerate_space
from mwp.wda.tasks import Floats, expression_at, task_of

BUDGET = 1_000_000
PENALTY = 1.0
WEIGHTS = Path(__file__).parents[1] / "src/mwp/wda/prior.json"


@dataclass(frozen=True)
class Alternatives:
    """All hits of one problem: their features, which function each is, and whether that function is sound."""

    tuning: bool
    features: csr_matrix
    functions: NDArray[np.int64]
    sound: NDArray[np.bool_]


def is_tuning(problem: Problem) -> bool:
    return problem.id[-1:] in "13579"


def rivals_of(problem: Problem) -> Alternatives:
    task = task_of(problem)
    table, hits, _ = enumerate_space(task.values, task.quantities, task.answer, task.tolerance, BUDGET)
    counts, functions = feature_counts(table, hits, task)
    hypotheses: dict[int, bool] = {}
    for entry, function in zip(hits.tolist(), functions.tolist(), strict=True):
        if function not in hypotheses:
            hypotheses[function] = is_sound(expression_at(table, entry, task.quantities), problem)
    sound = np.array([hypotheses[function] for function in functions.tolist()], dtype=bool)
    return Alternatives(is_tuning(problem), csr_matrix(counts), functions, sound)


def tune(groups: Sequence[Alternatives]) -> Floats:
    informative = [group for group in groups if group.sound.any() and not group.sound.all()]
    features = vstack([group.features for group in informative]).tocsr()
    sound = np.concatenate([group.sound for group in informative])
    sizes = [len(group.sound) for group in informative]
    starts, problem_index = np.cumsum([0, *sizes[:-1]]), np.repeat(np.arange(len(informative)), sizes)

    def loss(weights: Floats) -> tuple[float, Floats]:
        score = features @ weights
        weight = np.exp(score - np.maximum.reduceat(score, starts)[problem_index])
        sound_weight = np.where(sound, weight, 0.0)
        total, good = np.add.reduceat(weight, starts), np.add.reduceat(sound_weight, starts) + 1e-300
        gradient = features.T @ (weight / total[problem_index] - sound_weight / good[problem_index])
        return float(np.log(total / good).sum() + PENALTY * weights @ weights / 2), gradient + PENALTY * weights

    found = minimize(loss, np.zeros(len(NAMES)), jac=True, method="L-BFGS-B", options={"maxiter": 300})
    weights: Floats = np.round(found.x, 3)
    return weights


def sound_within(group: Alternatives, weights: Floats, first: int) -> bool:
    order = np.argsort(-(group.features @ weights), kind="stable")
    _, positions = np.unique(group.functions[order], return_index=True)
    return bool(group.sound[order[np.sort(positions)[:first]]].any())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0] if __doc__ else None)
    parser.add_argument("file", type=Path)
    parser.add_argument("--write", action="store_true", help="replace the stored weights")
    arguments = parser.parse_args()
    problems = clean(read_problems(arguments.file).problems).kept
    groups = [rivals_of(problem) for problem in problems]
    weights = tune([group for group in groups if group.tuning])
    for name, half in (("tuned on", True), ("held out", False)):
        part = [group for group in groups if group.tuning is half]
        shares = {
            first: sum(sound_within(group, weights, first) for group in part) / len(part) for first in (1, 3, 5, 10)
        }
        reach = sum(group.sound.any() for group in part) / len(part)
        print(f"{name}: {len(part):,} problems, sound first " + ", ".join(f"@{k} {v:.2%}" for k, v in shares.items()))
        print(f"  a sound candidate is among all rivals for {reach:.2%}")
    if arguments.write:
        stored = {name: float(weight) for name, weight in zip(NAMES, weights, strict=True) if weight}
        WEIGHTS.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf8")
        print(f"written: {WEIGHTS.name}, {len(stored)} weights of {len(NAMES)} features")


if __name__ == "__main__":
    main()
