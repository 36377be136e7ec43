"""The whole grid judged once: each system on the test problems of all its folds together."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from mwp.data.files import read_records, read_text
from mwp.data.folds import Fold
from mwp.data.problems import Problem
from mwp.evaluation.breakdown import pool
from mwp.evaluation.intervals import estimate
from mwp.evaluation.outcomes import Outcome, judge
from mwp.evaluation.predictions import read_predictions
from mwp.evaluation.roc import measure_roc
from mwp.evaluation.scores import summarise
from mwp.evaluation.topk import KS
from mwp.report.cases import CaseBook, System, choose, make_case
from mwp.report.page_tables import PROBLEMS, SETTINGS
from mwp.report.standings import RunLink, Standing
from mwp.report.systems import Gain, Scored
from mwp.stages.items import Item
from mwp.stages.layout import ORIGIN_FILE, PREDICTIONS, RUN_FILE, SCRATCH, folds_file, problems_file
from mwp.stages.progress import follow

# (system, dataset)
Place = tuple[str, str]


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
    standings: list[Standing]
    gains: list[Gain]
    cases: CaseBook


def read_study(items: Sequence[Item], scored: Sequence[Scored], seed: int) -> Study:
    """System after system, so that a large grid never is in memory as a whole; `seed` chooses the cases."""
    tests = {dataset: _test_set(dataset, items) for item in items for dataset in item.datasets}
    chosen = {dataset: choose(list(test.problems), seed) for dataset, test in tests.items()}
    standings: list[Standing] = []
    rights: dict[Place, dict[int, list[int]]] = {}
    shown: dict[Place, dict[str, Outcome]] = {}
    places = list(_places(items))
    for item, dataset in follow(places, len(places), "judging systems"):
        folds = [one for one in items if one.name == item.name]
        outcomes = [outcome for one in folds for outcome in _judged(one, dataset, tests[dataset])]
        standings.append(_standing(folds, dataset, outcomes, scored))
        rights[item.name, dataset] = {k: [len(outcome.right("exact", k)) for outcome in outcomes] for k in KS}
        by_id = {outcome.problem.id: outcome for outcome in outcomes}
        shown[item.name, dataset] = {id: by_id[id] for id in chosen[dataset]}
    return Study(standings, list(_gains(items, rights)), _case_book(items, tests, chosen, shown, seed))


def _places(items: Sequence[Item]) -> Iterator[tuple[Item, str]]:
    """Every system once with each of its datasets."""
    for item in {item.name: item for item in items}.values():
        for dataset in item.datasets:
            yield item, dataset


def _test_set(dataset: str, items: Sequence[Item]) -> TestSet:
    problems = {problem.id: problem for problem in read_records(problems_file(dataset), Problem)}
    folds = read_records(folds_file(dataset), Fold)
    return TestSet({fold: [problems[id] for id in folds[fold].test] for fold in sorted({item.fold for item in items})})


def _judged(item: Item, dataset: str, test: TestSet) -> list[Outcome]:
    path = item.folder(PREDICTIONS) / f"{dataset}.jsonl"
    return judge(read_predictions(path), test.parts[item.fold], str(path))


def _standing(folds: Sequence[Item], dataset: str, outcomes: list[Outcome], scored: Sequence[Scored]) -> Standing:
    """Twins are those of each fold's own training part, which its scores know."""
    item = folds[0]
    parts = [one.scores.breakdown for one in scored if (one.name, one.dataset) == (item.name, dataset)]
    return Standing(
        name=item.name,
        title=item.title,
        setting=item.system.setting,
        dataset=dataset,
        folds=tuple(one.fold for one in folds),
        scores=summarise(outcomes).model_copy(update={"breakdown": pool(parts)}),
        runs=tuple(link for one in folds if (link := _run_link(one))),
        roc=measure_roc(outcomes),
        roc_of_right=measure_roc(outcomes, only_right=True),
    )


def _run_link(item: Item) -> RunLink | None:
    """The run's id is no output of a stage, for it differs each time; the scratch folder of the training has it."""
    origin = json.loads(read_text(item.folder(PREDICTIONS) / ORIGIN_FILE))
    note = item.folder(SCRATCH) / str(origin["fingerprint"]) / RUN_FILE
    if not note.exists():
        return None
    content = json.loads(read_text(note))
    return RunLink(fold=item.fold, run=content["run"], experiment=content.get("experiment"))


def _gains(items: Sequence[Item], rights: Mapping[Place, Mapping[int, Sequence[int]]]) -> Iterator[Gain]:
    """Paired differences wherever the plain form of a system was run."""
    plain = {_family(item): item for item in items if item.system.variant == "plain"}
    for item, dataset in _places(items):
        base = plain.get(_family(item))
        if base is None or base.name == item.name:
            continue
        ours, theirs = rights[item.name, dataset], rights[base.name, dataset]
        differences = {k: [a - b for a, b in zip(ours[k], theirs[k], strict=True)] for k in KS}
        yield Gain(
            name=item.name,
            base=base.name,
            setting=item.system.setting,
            title=f"{item.title} over {base.title}",
            folds=tuple(one.fold for one in items if one.name == item.name),
            dataset=dataset,
            top={k: estimate(values, per=k) for k, values in differences.items()},
        )


def _family(item: Item) -> tuple[str, str]:
    return item.system.setting, item.system.backbone


def _case_book(
    items: Sequence[Item],
    tests: Mapping[str, TestSet],
    chosen: Mapping[str, Sequence[str]],
    shown: Mapping[Place, Mapping[str, Outcome]],
    seed: int,
) -> CaseBook:
    titles = {item.name: f"{item.title}, {SETTINGS[item.system.setting]}" for item in items}
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
