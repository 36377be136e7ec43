"""One real sqlite store for all tests: creating its tables takes seconds. Each test has a setting of its own."""

import subprocess
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest
from mlflow import MlflowClient

from mwp.tracking.run import RunIdentity, TrackedRun, open_run
from mwp.tracking.store import Store

Opener = Callable[..., AbstractContextManager[TrackedRun]]


@pytest.fixture(scope="session")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    return Store.in_folder(tmp_path_factory.mktemp("store"))


@pytest.fixture(scope="session")
def client(store: Store) -> MlflowClient:
    return MlflowClient(tracking_uri=store.uri)


@pytest.fixture
def identity(request: pytest.FixtureRequest) -> RunIdentity:
    return RunIdentity(
        system=f"{request.node.name}-d-gts", setting=request.node.name, backbone="gts", variant="diversified", fold=0
    )


@pytest.fixture
def opened(store: Store, identity: RunIdentity) -> Opener:
    """`open_run` with defaults for what a test does not care about."""

    def open_with(identity: RunIdentity = identity, **options: Any) -> AbstractContextManager[TrackedRun]:
        defaults: dict[str, Any] = {"params": {}, "fingerprint": "f00d", "data": {"full": "a" * 32}}
        return open_run(store, identity, **(defaults | options))

    return open_with


@pytest.fixture
def unset(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An empty folder to be in, with nothing in the environment that leads elsewhere."""
    for name in ("MLFLOW_TRACKING_URI", "DVC_ROOT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A git repository with one commit."""
    (tmp_path / "code.py").write_text("1", encoding="utf8")
    author = ("-c", "user.name=x", "-c", "user.email=x@localhost")
    for command in (("init", "-q"), ("add", "."), (*author, "commit", "-q", "-m", "first")):
        subprocess.run(["git", "-C", str(tmp_path), *command], check=True)
    return tmp_path
