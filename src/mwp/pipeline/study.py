"""The whole grid scored once: each system on the test problems of all its folds together."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from mwp.data.files import read_records, read_text
from mwp.data.folds import Fold
from mwp.data.problems import Problem
from mwp.evaluation.metrics import KS, measure_roc
from mwp.evaluation.outcomes import ScoredProblem, score_problems
from mwp.evaluation.scores import Scores, pool, summarise
from mwp.evaluation.statistics import estimate
from mwp.inference.predictions import read_predictions
from mwp.pipeline.grid import (
    HISTORY_FILE,
    MODELS,
    ORIGIN_FILE,
    PREDICTIONS,
    SCORES_FILE,
    RunSpec,
    folds_file,
    problems_file,
)
from mwp.pipeline.metrics import risk_and_coverage
from mwp.pipeline.progress import with_progress
from mwp.report.cases import CaseBook, System, choose, make_case
from mwp.report.page_charts import Training
from mwp.report.page_tables import PROBLEMS, SETTINGS
from mwp.report.pooled_scores import Gain, PooledScores, RunLink, Scored
from mwp.tracking.run import find_training

# (system, dataset)
Tested = tuple[str, str]
# The tracked run of a run of the grid, where there is one.
Link = Callable[[RunSpec], RunLink | None]


@dataclass(frozen=True)
class TestSet:
    """The problems of a dataset that the folds of the grid test, by fold, each in file order."""

    __test__ = False  # no test class, whatever pytest thinks of its name

    parts: Mapping[int, Sequence[Problem]]

    @cached_property
    def problems(self) -> dict[str, Problem]:
        return {problem.id: problem for part in self.parts.values() for problem in part}


@dataclass(frozen=True)
class Study:
    pooled_scores: list[PooledScores]
    coverage: Mapping[Tested, Sequence[tuple[float, float]]]
    gains: list[Gain]
    cases: CaseBook


def read_study(specs: Sequence[RunSpec], scored: Sequence[Scored], seed: int, link: Link) -> Study:
    """One system after another, so that a large grid is never in memory as a whole; `seed` chooses the cases."""
    tests = {dataset: _test_set(dataset, specs) for spec in specs for dataset in spec.datasets}
    chosen = {dataset: choose(list(test.problems), seed) for dataset, test in tests.items()}
    pooled_scores: list[PooledScores] = []
    coverage: dict[Tested, Sequence[tuple[float, float]]] = {}
    rights: dict[Tested, dict[int, list[int]]] = {}
    shown: dict[Tested, dict[str, ScoredProblem]] = {}
    tested = list(_tested(specs))
    for spec, dataset in with_progress(tested, len(tested), "scoring systems"):
        folds = [one for one in specs if one.name == spec.name]
        outcomes = [outcome for one in folds for outcome in _outcomes(one, dataset, tests[dataset])]
        pooled_scores.append(_pooled(folds, dataset, outcomes, scored, link))
        coverage[spec.name, dataset] = risk_and_coverage(outcomes)
        rights[spec.name, dataset] = {k: [len(outcome.right("exact", k)) for outcome in outcomes] for k in KS}
        by_id = {outcome.problem.id: outcome for outcome in outcomes}
        shown[spec.name, dataset] = {id: by_id[id] for id in chosen[dataset]}
    return Study(pooled_scores, coverage, list(_gains(specs, rights)), _case_book(specs, tests, chosen, shown, seed))


def _tested(specs: Sequence[RunSpec]) -> Iterator[tuple[RunSpec, str]]:
    """Every system once with each of its datasets."""
    for spec in {spec.name: spec for spec in specs}.values():
        for dataset in spec.datasets:
            yield spec, dataset


def _test_set(dataset: str, specs: Sequence[RunSpec]) -> TestSet:
    problems = {problem.id: problem for problem in read_records(problems_file(dataset), Problem)}
    folds = read_records(folds_file(dataset), Fold)
    return TestSet({fold: [problems[id] for id in folds[fold].test] for fold in sorted({spec.fold for spec in specs})})


def _outcomes(spec: RunSpec, dataset: str, test: TestSet) -> list[ScoredProblem]:
    path = spec.folder(PREDICTIONS) / f"{dataset}.jsonl"
    return score_problems(read_predictions(path), test.parts[spec.fold], str(path))


def _pooled(
    folds: Sequence[RunSpec], dataset: str, outcomes: list[ScoredProblem], scored: Sequence[Scored], link: Link
) -> PooledScores:
    """Twins are those of each fold's own training part, which its scores know."""
    spec = folds[0]
    parts = [one.scores.breakdown for one in scored if (one.name, one.dataset) == (spec.name, dataset)]
    return PooledScores(
        name=spec.name,
        title=spec.title,
        setting=spec.system.setting,
        dataset=dataset,
        folds=tuple(one.fold for one in folds),
        scores=summarise(outcomes).model_copy(update={"breakdown": pool(parts)}),
        runs=tuple(found for one in folds if (found := link(one))),
        roc=measure_roc(outcomes),
        roc_of_right=measure_roc(outcomes, only_right=True),
    )


def tracked_run(spec: RunSpec) -> RunLink | None:
    """Of the tracked run, found by the fingerprint of the model at hand."""
    origin = json.loads(read_text(spec.folder(PREDICTIONS) / ORIGIN_FILE))
    found = find_training(str(origin["fingerprint"]))
    return RunLink(fold=spec.fold, run=found.run, experiment=found.experiment) if found else None


def _gains(specs: Sequence[RunSpec], rights: Mapping[Tested, Mapping[int, Sequence[int]]]) -> Iterator[Gain]:
    """Paired differences wherever the plain form of a system was run."""
    plain = {_family(spec): spec for spec in specs if spec.system.variant == "plain"}
    for spec, dataset in _tested(specs):
        base = plain.get(_family(spec))
        if base is None or base.name == spec.name:
            continue
        ours, theirs = rights[spec.name, dataset], rights[base.name, dataset]
        differences = {k: [a - b for a, b in zip(ours[k], theirs[k], strict=True)] for k in KS}
        yield Gain(
            name=spec.name,
            base=base.name,
            setting=spec.system.setting,
            title=f"{spec.title} over {base.title}",
            folds=tuple(one.fold for one in specs if one.name == spec.name),
            dataset=dataset,
            top={k: estimate(values, per=k) for k, values in differences.items()},
        )


def _family(spec: RunSpec) -> tuple[str, str]:
    return spec.system.setting, spec.system.backbone


def _case_book(
    specs: Sequence[RunSpec],
    tests: Mapping[str, TestSet],
    chosen: Mapping[str, Sequence[str]],
    shown: Mapping[Tested, Mapping[str, ScoredProblem]],
    seed: int,
) -> CaseBook:
    titles = {spec.name: f"{spec.title}, {SETTINGS[spec.system.setting]}" for spec in specs}
    return CaseBook(
        systems=tuple(System(name=name, title=title) for name, title in titles.items()),
        datasets=PROBLEMS,
        tested={dataset: len(test.problems) for dataset, test in tests.items()},
        seed=seed,
        cases=tuple(
            make_case(
                test.problems[id],
                dataset,
                {name: outcomes[id] for (name, tested), outcomes in shown.items() if tested == dataset},
            )
            for dataset, test in tests.items()
            for id in chosen[dataset]
        ),
    )


def read_scores(specs: Sequence[RunSpec]) -> Iterator[Scored]:
    for spec in specs:
        content = json.loads(read_text(spec.folder(PREDICTIONS) / SCORES_FILE))
        for dataset, scores in content.items():
            yield Scored(
                name=spec.name,
                title=spec.title,
                setting=spec.system.setting,
                fold=spec.fold,
                dataset=dataset,
                scores=Scores.model_validate(scores),
            )


def read_trainings(specs: Sequence[RunSpec]) -> list[Training]:
    """One a system, with the history of each fold."""
    return [
        Training(spec.title, spec.system.setting, tuple(_history(one) for one in specs if one.name == spec.name))
        for spec in {spec.name: spec for spec in specs}.values()
    ]


def read_histories(specs: Sequence[RunSpec]) -> dict[tuple[str, int], list[dict[str, float]]]:
    """The epochs of each run, by system and fold."""
    return {(spec.name, spec.fold): _history(spec) for spec in specs}


def _history(spec: RunSpec) -> list[dict[str, float]]:
    history: list[dict[str, float]] = json.loads(read_text(spec.folder(MODELS) / HISTORY_FILE))
    return history
