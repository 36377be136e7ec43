"""What a run holds, read back with MLflow's own client."""

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import mlflow
import pytest
from mlflow import MlflowClient
from mlflow.data import get_source
from mlflow.entities import Run

from mwp.tracking.experiment import GROUP, ROLE
from mwp.tracking.run import RunIdentity
from mwp.tracking.store import Store
from tests.tracking.conftest import Opener

METRICS = ("loss", "accuracy", "buffer_size", "new_solutions", "buffer_purity", "discriminator_auc")


def epoch(step: int) -> dict[str, float]:
    return {name: (number + 1) / (step + 1) for number, name in enumerate(METRICS)}


def curves(client: MlflowClient, run_id: str) -> dict[str, list[tuple[int, float]]]:
    """Every point of every metric in the order of logging."""
    names = sorted(client.get_run(run_id).data.metrics)
    return {name: [(point.step, point.value) for point in client.get_metric_history(run_id, name)] for name in names}


def members(client: MlflowClient, group: Run) -> list[Run]:
    return list(client.search_runs([group.info.experiment_id], f"tags.`mlflow.parentRunId` = '{group.info.run_id}'"))


def test_identity_names_the_run_and_stands_in_params_and_tags(opened: Opener, client: MlflowClient) -> None:
    identity = RunIdentity("semi-d-gts", setting="semi", backbone="gts", variant="diversified", fold=3)
    with opened(identity, params={"gts": {"hidden": 128}, "seed": 1}) as run:
        pass
    read = client.get_run(run.id)
    assert read.info.run_name == "semi-d-gts fold 3"
    assert read.info.status == "FINISHED"
    assert read.data.params == {
        "system": "semi-d-gts",
        "setting": "semi",
        "backbone": "gts",
        "variant": "diversified",
        "fold": "3",
        "gts.hidden": "128",
        "seed": "1",
    }
    assert read.data.tags["identity"] == "semi-d-gts/3"
    assert read.data.tags["fingerprint"] == "f00d"
    assert read.data.tags["data.full"] == "a" * 32
    assert read.data.tags["process.pid"].isdigit()


def test_the_dvc_stage_and_the_commit_are_tagged(
    opened: Opener, client: MlflowClient, monkeypatch: pytest.MonkeyPatch, repository: Path
) -> None:
    monkeypatch.setenv("DVC_ROOT", str(repository))
    monkeypatch.setenv("DVC_STAGE", "train@full-gts-0")
    with opened() as run:
        pass
    tags = client.get_run(run.id).data.tags
    assert tags["dvc.stage"] == "train@full-gts-0"
    assert tags["git.dirty"] == "false"
    assert len(tags["git.commit"]) == 40


def test_runs_of_a_setting_are_grouped_under_one_finished_parent(
    opened: Opener, client: MlflowClient, identity: RunIdentity
) -> None:
    with (
        opened() as first,
        opened(RunIdentity(f"{identity.setting}-gts", identity.setting, "gts", "plain", 1)) as second,
    ):
        pass
    parent = client.get_parent_run(first.id)
    assert parent is not None
    assert parent.info.run_name == identity.setting
    assert parent.info.status == "FINISHED"
    assert parent.data.tags[ROLE] == "group"
    assert {run.info.run_id for run in members(client, parent)} == {first.id, second.id}


def test_a_study_can_be_a_group_whatever_its_name(opened: Opener, client: MlflowClient) -> None:
    name = """it's a "study" of 苹果"""
    with opened(group=name) as first, opened(group=name) as second:
        pass
    parent = client.get_parent_run(first.id)
    assert parent is not None
    assert parent.info.run_name == parent.data.tags[GROUP] == name
    assert len(members(client, parent)) == 2
    assert client.get_run(second.id).data.tags[GROUP] == name


def test_more_params_than_one_batch_holds_are_all_there(opened: Opener, client: MlflowClient) -> None:
    with opened(params={f"p{number}": number for number in range(230)} | {"long": "x" * 9000}) as run:
        pass
    params = client.get_run(run.id).data.params
    assert [params[f"p{number}"] for number in range(230)] == [str(number) for number in range(230)]
    assert params["long"].endswith("x…")


def test_all_metrics_of_an_epoch_share_one_timestamp_because_they_are_one_call(
    opened: Opener, client: MlflowClient
) -> None:
    many = {f"m{number}": float(number) for number in range(10)}
    with opened() as run:
        for step in range(3):
            run.log_epoch(step, many)
    for step in range(3):
        stamps = {client.get_metric_history(run.id, name)[step].timestamp for name in many}
        assert len(stamps) == 1


def test_final_scores_stand_beside_the_curves(opened: Opener, client: MlflowClient) -> None:
    with opened() as run:
        run.log_epoch(0, {"loss": 2.0})
        run.log_epoch(1, {"loss": 1.0})
        run.log_metrics({"test/top-1": 0.625, "test/top-5": 0.75})
    assert client.get_run(run.id).data.metrics == {"loss": 1.0, "test/top-1": 0.625, "test/top-5": 0.75}


def test_files_go_to_the_folder_of_the_store(
    opened: Opener, client: MlflowClient, store: Store, tmp_path: Path
) -> None:
    for name in ("buffer-1.jsonl", "buffer-2.jsonl", "curves.png"):
        (tmp_path / name).write_text(name, encoding="utf8")
    with opened() as run:
        run.log_file(tmp_path / "buffer-1.jsonl", folder="buffers")
        run.log_file(tmp_path / "buffer-2.jsonl", folder="buffers")
        run.log_file(tmp_path / "curves.png")
    assert [file.path for file in client.list_artifacts(run.id)] == ["buffers", "curves.png"]
    listed = [file.path for file in client.list_artifacts(run.id, "buffers")]
    assert listed == ["buffers/buffer-1.jsonl", "buffers/buffer-2.jsonl"]
    assert store.artifacts is not None
    assert (store.artifacts / run.id / "artifacts/curves.png").read_text(encoding="utf8") == "curves.png"


def test_inputs_are_named_with_digest_source_and_counts(
    opened: Opener, client: MlflowClient, identity: RunIdentity
) -> None:
    name = identity.setting
    with opened(data={name: "b" * 32}) as run:
        run.log_data(name, Path("data/clean/full.jsonl"), {"problems": 800})
        run.log_data(name, Path("data/clean/full.jsonl"), {"problems": 800})
    (used,) = client.get_run(run.id).inputs.dataset_inputs
    assert (used.dataset.name, used.dataset.digest) == (name, "b" * 32)
    assert json.loads(used.dataset.profile) == {"problems": 800}
    assert get_source(used.dataset).uri == "data/clean/full.jsonl"
    assert {tag.key: tag.value for tag in used.tags} == {"mlflow.data.context": "training"}


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (ValueError("x"), "FAILED"),
        (KeyboardInterrupt(), "KILLED"),
        (SystemExit(130), "KILLED"),
        (SystemExit(1), "FAILED"),
        (SystemExit(0), "FINISHED"),
    ],
    ids=repr,
)
def test_what_breaks_a_run_off_decides_its_status_and_goes_on(
    opened: Opener, client: MlflowClient, error: BaseException, status: str
) -> None:
    with pytest.raises(type(error)), opened() as run:
        raise error
    read = client.get_run(run.id)
    assert read.info.status == status
    assert read.info.end_time >= read.info.start_time


def test_system_metrics_come_with_the_flag_and_leave_no_thread(
    opened: Opener, client: MlflowClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MLFLOW_SYSTEM_METRICS_SAMPLING_INTERVAL", "0.05")
    before = threading.active_count()
    with opened(system_metrics=True) as run:
        threading.Event().wait(0.5)
    assert "system/cpu_utilization_percentage" in client.get_run(run.id).data.metrics
    assert threading.active_count() == before
    with opened() as plain:
        pass
    assert not client.get_run(plain.id).data.metrics


def test_nothing_of_a_run_leaks_into_the_environment_or_the_next_run(opened: Opener) -> None:
    with opened():
        assert mlflow.active_run() is None
        assert "MLFLOW_RUN_ID" not in os.environ


KILLED_TRAININGS = """
import os, signal, sys
from contextlib import ExitStack
from pathlib import Path
from mwp.tracking.run import RunIdentity, open_run
from mwp.tracking.store import Store
from tests.tracking.test_run import epoch
store, stack = Store.in_folder(Path(sys.argv[1])), ExitStack()
for setting in sys.argv[2:]:
    identity = RunIdentity(f"{setting}-d-gts", setting, "gts", "diversified", 0)
    run = stack.enter_context(open_run(store, identity, params={"seed": 1}, fingerprint="f00d", data={}))
    for step in range(4):
        run.log_epoch(step, epoch(step))
    print(run.id, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture(scope="module")
def killed(store: Store) -> dict[str, str]:
    """By setting, the ids of runs whose process was killed after it had logged the steps 0 to 3."""
    assert store.database is not None
    settings = ("after -1", "after 1", "after 3", "dead", "another")
    command = [sys.executable, "-c", KILLED_TRAININGS, str(store.database.parent), *settings]
    result = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parents[2], check=False)
    assert result.returncode == -9, result.stderr
    return dict(zip(settings, result.stdout.split(), strict=True))


@pytest.mark.parametrize("last_step", [-1, 1, 3])
def test_a_killed_and_resumed_run_has_the_points_of_an_undisturbed_one(
    opened: Opener, client: MlflowClient, killed: dict[str, str], last_step: int
) -> None:
    """Whatever the checkpoint held: the training starts again after it and repeats what came before the kill."""
    setting = f"after {last_step}"
    id = killed[setting]
    identity = RunIdentity(f"{setting}-d-gts", setting, "gts", "diversified", 0)
    assert client.get_run(id).info.status == "RUNNING"
    with opened(identity, params={"seed": 2, "late": 1}, resume_id=id, last_step=last_step) as run:
        assert run.id == id
        assert run.before("loss") == (epoch(last_step)["loss"] if last_step >= 0 else 0)
        assert client.get_run(id).info.status == "RUNNING"
        for step in range(last_step + 1, 7):
            run.log_epoch(step, epoch(step))
        run.log_metrics({"top-1": 0.5})
    with opened() as undisturbed:
        for step in range(7):
            undisturbed.log_epoch(step, epoch(step))
        undisturbed.log_metrics({"top-1": 0.5})
    assert curves(client, id) == curves(client, undisturbed.id)
    read = client.get_run(id)
    assert read.info.status == "FINISHED"
    assert (read.data.params["seed"], read.data.params["late"]) == ("1", "1")  # a param keeps its first value


def test_a_finished_run_can_be_opened_again_and_final_scores_do_not_double(
    opened: Opener, client: MlflowClient
) -> None:
    with opened() as run:
        run.log_metrics({"top-1": 0.5, "top-5": 0.75})
    first_end = client.get_run(run.id).info.end_time
    with opened(resume_id=run.id) as again:
        again.log_metrics({"top-1": 0.5, "top-5": 1.0})
    assert again.id == run.id
    assert curves(client, run.id) == {"top-1": [(0, 0.5)], "top-5": [(0, 0.75), (0, 1.0)]}
    assert client.get_run(run.id).data.metrics["top-5"] == 1.0
    assert client.get_run(run.id).info.end_time >= first_end


@pytest.mark.parametrize("id", ["0123456789abcdef0123456789abcdef", "not an id"])
def test_a_run_of_another_store_is_continued_in_a_new_one(opened: Opener, client: MlflowClient, id: str) -> None:
    with opened(resume_id=id, last_step=5) as run:
        run.log_epoch(6, {"loss": 1.0})
    assert run.id != id
    assert client.get_run(run.id).data.tags["resumed_from"] == id
    assert curves(client, run.id) == {"loss": [(6, 1.0)]}


def test_a_deleted_run_is_not_continued(opened: Opener, client: MlflowClient) -> None:
    with opened() as run:
        pass
    client.delete_run(run.id)
    with opened(resume_id=run.id) as new:
        pass
    assert new.id != run.id
    assert client.get_run(new.id).data.tags["resumed_from"] == run.id


def test_the_next_run_marks_a_dead_one_as_killed_and_leaves_living_and_other_ones(
    opened: Opener, client: MlflowClient, killed: dict[str, str]
) -> None:
    identity = RunIdentity("dead-d-gts", "dead", "gts", "diversified", 0)
    with opened(identity) as living, opened(identity) as last:
        assert client.get_run(killed["dead"]).info.status == "KILLED"
        assert client.get_run(killed["another"]).info.status == "RUNNING"
        assert client.get_run(living.id).info.status == "RUNNING"
        assert client.get_run(last.id).info.status == "RUNNING"
