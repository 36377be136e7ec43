"""A trained solver in MLflow: logged, registered, loaded, and run by MLflow's own commands without a network."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from urllib.request import ProxyHandler, Request, build_opener

import pytest
from mlflow import MlflowClient
from pandas import DataFrame

from mwp.errors import BadInput
from mwp.tracking.models import load_solver, log_solver
from mwp.tracking.run import RunIdentity, open_run
from mwp.tracking.store import Store
from tests.tracking.pages import free_port

TEXT = "一本书有120页，小明每天看15页，几天看完？"
IDENTITY = RunIdentity("full-d-gts", "full", "gts", "diversified", 0)


@pytest.fixture(scope="module")
def model(trained: Path) -> Path:
    return trained / "models/full-d-gts/fold-0/model.pt"


@pytest.fixture(scope="module")
def run_id(store: Store, model: Path) -> str:
    """A run with two versions: it was trained again."""
    with open_run(store, IDENTITY, params={}, fingerprint="f00d", data={}) as run:
        assert log_solver(run, IDENTITY, model) == "models:/full-d-gts/1"
        assert log_solver(run, IDENTITY, model) == "models:/full-d-gts/2"
    return run.id


def test_a_version_knows_its_run_and_fold(client: MlflowClient, run_id: str) -> None:
    version = client.get_model_version_by_alias("full-d-gts", "fold-0")
    assert (str(version.version), version.run_id, version.tags) == ("2", run_id, {"fold": "0"})
    logged = client.get_logged_model(version.source.removeprefix("models:/"))
    assert (logged.name, logged.source_run_id, str(logged.status)) == ("solver", run_id, "READY")


def test_a_solver_comes_back_from_registry_run_and_file_alike(store: Store, run_id: str, model: Path) -> None:
    sources = ("models:/full-d-gts/1", "models:/full-d-gts@fold-0", f"runs:/{run_id}/solver", model)
    answers = [load_solver(store, source).predict(DataFrame({"text": [TEXT]}), params={"k": 2}) for source in sources]
    assert all(answer == answers[0] for answer in answers)
    assert len(answers[0][0]["answers"]) == 2


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("models:/nobody/1", "Registered Model with name=nobody not found"),
        ("models:/full-d-gts/99", r"Model Version \(name=full-d-gts, version=99\) not found"),
        ("runs:/f00/solver", "Run with id=f00 not found"),
    ],
)
def test_an_unknown_address_is_one_clear_line(store: Store, run_id: str, source: str, reason: str) -> None:
    with pytest.raises(BadInput, match=f"^cannot load {source} from .*mlflow.db: {reason}; look for it with: mwp ui$"):
        load_solver(store, source)


def mlflow(store: Store, *arguments: str) -> tuple[list[str], dict[str, str]]:
    """A command that would fail if it asked the network."""
    nowhere = {"http_proxy": "http://127.0.0.1:9", "https_proxy": "http://127.0.0.1:9", "no_proxy": "127.0.0.1"}
    return [sys.executable, "-m", "mlflow", "models", *arguments, "--env-manager", "local"], {
        **os.environ,
        **nowhere,
        "MLFLOW_TRACKING_URI": store.uri,
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
    }


def test_mlflow_predicts_with_it(store: Store, run_id: str, tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text(f"text\n{TEXT}\n", encoding="utf8")
    command, environment = mlflow(
        store, "predict", "-m", "models:/full-d-gts/2", "-t", "csv", "-i", str(tmp_path / "in.csv")
    )
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    (answer,) = json.loads(result.stdout)["predictions"]
    assert [number["value"] for number in answer["numbers"]] == ["120", "15"]


def test_mlflow_serves_it(store: Store, run_id: str) -> None:
    port, ask = free_port(), build_opener(ProxyHandler({})).open
    command, environment = mlflow(store, "serve", "-m", "models:/full-d-gts/2", "-p", str(port), "-h", "127.0.0.1")
    with subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL, start_new_session=True) as server:
        try:
            body, end = json.dumps({"inputs": [TEXT], "params": {"k": 1}}).encode(), time.monotonic() + 60
            question = Request(f"http://127.0.0.1:{port}/invocations", body, {"content-type": "application/json"})
            while True:
                try:
                    (answer,) = json.load(ask(question, timeout=30))["predictions"]
                    break
                except OSError:
                    assert server.poll() is None
                    assert time.monotonic() < end
                    time.sleep(0.3)
        finally:
            os.killpg(server.pid, 15)
    assert len(answer["answers"]) == 1
