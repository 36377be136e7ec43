"""Where runs live, and what is said when they cannot."""

import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from mlflow import MlflowClient

from mwp.errors import BadInput
from mwp.tracking.experiment import open_experiment
from mwp.tracking.store import EXPERIMENT, Store, project_root


def test_the_store_lies_at_the_root_that_dvc_names(unset: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DVC_ROOT", str(unset / "project"))
    store = Store.of_project()
    assert store.database == unset / "project/mlflow.db"
    assert store.artifacts == unset / "project/mlartifacts"


@pytest.mark.parametrize("mark", ["dvc.yaml", ".dvc/config"])
def test_without_dvc_the_root_is_the_nearest_folder_with_a_pipeline(
    unset: Path, monkeypatch: pytest.MonkeyPatch, mark: str
) -> None:
    (unset / mark).parent.mkdir(exist_ok=True)
    (unset / mark).touch()
    (unset / "data/raw").mkdir(parents=True)
    monkeypatch.chdir(unset / "data/raw")
    assert project_root() == unset


def test_a_stage_folder_with_its_own_pipeline_file_is_not_the_root(
    unset: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (unset / ".dvc").mkdir()
    (unset / "stages/train").mkdir(parents=True)
    (unset / "stages/train/dvc.yaml").touch()
    monkeypatch.chdir(unset / "stages/train")
    assert project_root() == unset


def test_without_a_pipeline_the_store_is_here(unset: Path) -> None:
    assert project_root() == unset


def test_a_tracking_uri_wins_and_a_relative_sqlite_file_becomes_absolute(
    unset: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MLFLOW_TRACKING_URI", "sqlite:///runs/all.db?timeout=9")
    assert Store.of_project() == Store(f"sqlite:///{unset}/runs/all.db?timeout=9", unset / "runs/mlartifacts")
    assert Store.of_project().database == unset / "runs/all.db"
    monkeypatch.setenv("MLFLOW_TRACKING_URI", "http://127.0.0.1:1")
    assert Store.of_project() == Store("http://127.0.0.1:1", None)


def test_a_password_is_not_shown() -> None:
    assert Store("postgresql://me:secret@db/runs", None).name == "postgresql://db/runs"


FIRST_WRITER = """
import sys, time
from pathlib import Path
from mwp.tracking.run import RunIdentity, open_run
from mwp.tracking.store import Store
folder, fold = Path(sys.argv[1]), int(sys.argv[2])
(folder / f"ready-{fold}").touch()
while len(list(folder.glob("ready-*"))) < 2:
    time.sleep(0.001)
with open_run(Store.in_folder(folder), RunIdentity("full-gts", "full", "gts", "plain", fold), params={}, fingerprint="x", data={}) as run:
    run.log_epoch(0, {"loss": 1.0})
    run.log_file(folder / "note.txt")
"""


def test_two_first_writers_at_once_share_one_quiet_store_with_one_group(tmp_path: Path) -> None:
    folder = tmp_path / "Läufe #1"
    folder.mkdir()
    (folder / "note.txt").write_text("x", encoding="utf8")
    command = [sys.executable, "-c", FIRST_WRITER, str(folder)]
    writers = [
        subprocess.Popen([*command, fold], stdout=subprocess.PIPE, stderr=subprocess.STDOUT) for fold in ("0", "1")
    ]
    assert [writer.communicate()[0].decode() for writer in writers] == ["", ""]
    assert [writer.returncode for writer in writers] == [0, 0]
    client = MlflowClient(tracking_uri=Store.in_folder(folder).uri)
    experiment = client.get_experiment_by_name(EXPERIMENT)
    assert experiment.artifact_location == str(folder / "mlartifacts")
    runs = client.search_runs([experiment.experiment_id])
    assert sorted(run.info.run_name for run in runs) == ["full", "full-gts fold 0", "full-gts fold 1"]
    assert sorted(file.name for file in folder.glob("mlartifacts/*/artifacts/*")) == ["note.txt", "note.txt"]


@pytest.fixture
def read_only() -> Iterator[Path]:
    """For root no folder is read-only, so it becomes somebody else meanwhile; not tmp_path, which only root may enter."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o555)
        if os.getuid() == 0:
            os.seteuid(65534)
        yield Path(folder)
        os.seteuid(os.getuid())


def test_a_read_only_folder_is_one_line(read_only: Path) -> None:
    with pytest.raises(BadInput) as told:
        open_experiment(Store.in_folder(read_only))
    there = f"cannot write the run store {read_only}/mlflow.db: Permission denied"
    assert str(told.value) == f"{there}; set MLFLOW_TRACKING_URI to another store"
    assert not list(read_only.iterdir())


@pytest.mark.parametrize(
    ("uri", "message"),
    [
        ("sqlite:////proc/no/runs.db", "cannot write the run store /proc/no/runs.db: No such file or directory; "),
        ("nothing://x", "cannot open the run store nothing://x: "),
        ("./mlruns", "cannot open the run store ./mlruns: "),
    ],
)
def test_a_store_that_cannot_be_is_one_line(
    unset: Path, monkeypatch: pytest.MonkeyPatch, uri: str, message: str
) -> None:
    monkeypatch.setenv("MLFLOW_TRACKING_URI", uri)
    with pytest.raises(BadInput) as told:
        open_experiment(Store.of_project())
    assert str(told.value).startswith(message)
    assert str(told.value).endswith("set MLFLOW_TRACKING_URI to another store")


def test_a_file_that_is_no_database_is_one_line_at_once(tmp_path: Path) -> None:
    (tmp_path / "mlflow.db").write_text("no database, but long enough to be taken for one" * 9, encoding="utf8")
    with pytest.raises(BadInput, match=r"mlflow\.db: file is not a database; set MLFLOW_TRACKING_URI to another store"):
        open_experiment(Store.in_folder(tmp_path))


def test_a_server_that_does_not_answer_is_one_line_at_once() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        uri = f"http://me:secret@127.0.0.1:{unused.getsockname()[1]}"
        with pytest.raises(
            BadInput, match=r"no MLflow server answers at http://127.0.0.1:\d+ \(.*refused\); start it or"
        ):
            open_experiment(Store(uri, None))


def test_a_path_that_the_sqlite_address_cannot_hold_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"cannot hold the % or \? of .*/100%"):
        Store.in_folder(tmp_path / "100%")
