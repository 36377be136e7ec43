"""One process, several, a cluster: the same labels in the same strategy."""

import pytest

from mwp.data.problems import Problem
from mwp.errors import BadInput
from mwp.wda.registry import make_strategy
from mwp.wda.strategies import label_all

ORDER = make_strategy("ranked", max_tries=1_000, max_expressions=50_000, max_candidates=3)


@pytest.fixture
def few(sample_problems: list[Problem]) -> list[Problem]:
    return sample_problems[:300]


def test_two_processes_give_the_labels_of_one(few: list[Problem]) -> None:
    assert list(label_all(few, ORDER, jobs=2)) == list(label_all(few, ORDER, jobs=1))


def test_a_cluster_of_two_workers_gives_the_labels_of_one_process(few: list[Problem]) -> None:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        labels = list(label_all(few, ORDER, scheduler=cluster.scheduler_address))
    assert labels == list(label_all(few, ORDER, jobs=1))


def test_a_scheduler_that_does_not_answer_is_named(few: list[Problem]) -> None:
    with pytest.raises(
        BadInput, match=r"no Dask scheduler answers at tcp://127.0.0.1:9: start one with 'dask scheduler'"
    ):
        list(label_all(few, ORDER, scheduler="tcp://127.0.0.1:9"))
