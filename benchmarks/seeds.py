"""What diversification adds on the embedded sample, seed after seed: is it luck?

    python -m benchmarks.seeds --seeds 1 2 3 [--settings full weak]

Trains GTS and D-GTS with the values of params.yaml on fold 0 and prints paired differences with 95 % intervals. Needs
the outputs of the stages before training: dvc repro stages/wda/dvc.yaml stages/folds/dvc.yaml
"""

import argparse
import tempfile
from pathlib import Path

import torch

from mwp.data.files import read_records
from mwp.data.folds import Fold
from mwp.data.problems import Problem
from mwp.evaluation.outcomes import ScoredProblem, score_problems
from mwp.evaluation.statistics import Estimate, estimate
from mwp.inference.solver import Solver
from mwp.pipeline.grid import folds_file, make_run_spec, problems_file
from mwp.pipeline.params import Params, read_params
from mwp.pipeline.train import make_run

KS = (1, 3, 5)


def outcomes(params: Params, setting: str, variant: str) -> dict[str, list[ScoredProblem]]:
    """Train, solve the test part, judge; by dataset."""
    spec = make_run_spec(params.train, setting, "gts", variant, 0)
    with tempfile.TemporaryDirectory() as folder:
        run = make_run(spec, Path(folder))
        run.train()
        Solver.from_training(run, {}).save(Path(folder) / "model.pt")
        model = Solver.load(Path(folder) / "model.pt")
    found = {}
    for dataset in spec.datasets:
        problems = {problem.id: problem for problem in read_records(problems_file(dataset), Problem)}
        test = [problems[id] for id in read_records(folds_file(dataset), Fold)[0].test]
        found[dataset] = score_problems(
            model.predict(test, params.evaluate.beam_size, params.evaluate.batch_size), test
        )
    return found


def right(outcomes: list[ScoredProblem], k: int) -> list[int]:
    return [len(outcome.right("exact", k)) for outcome in outcomes]


def points(value: Estimate, signed: bool = False) -> str:
    sign = "+" if signed else ""
    return f"{100 * value.value:{sign}.1f} ({100 * value.low:{sign}.1f} to {100 * value.high:{sign}.1f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0] if __doc__ else None)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--settings", nargs="+", default=["full", "semi", "weak"])
    given = parser.parse_args()
    torch.set_num_threads(1)
    params = read_params()
    for setting in given.settings:
        for seed in given.seeds:
            seeded = params.model_copy(update={"train": params.train.model_copy(update={"seed": seed})})
            plain, ours = (outcomes(seeded, setting, variant) for variant in ("plain", "diversified"))
            for dataset in plain:
                for k in KS:
                    a, b = right(plain[dataset], k), right(ours[dataset], k)
                    gain = estimate([y - x for x, y in zip(a, b, strict=True)], per=k)
                    scores = f"GTS {points(estimate(a, per=k))}, D-GTS {points(estimate(b, per=k))}"
                    print(f"{setting} {dataset} seed {seed} top-{k}: {scores}, gain {points(gain, True)}", flush=True)


if __name__ == "__main__":
    main()
