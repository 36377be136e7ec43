"""Where runs live: the project's own sqlite file, or what MLFLOW_TRACKING_URI names."""

import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from hashlib import md5
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import urlopen

from filelock import FileLock, Timeout

from mwp.errors import BadInput

EXPERIMENT = "mwp"
DATABASE, ARTIFACTS = "mlflow.db", "mlartifacts"
SQLITE = "sqlite:///"
# Seconds that a writer waits for others: sqlite's own 5 are short when many runs end an epoch at once.
LOCK_SECONDS = 60
ELSEWHERE = "set MLFLOW_TRACKING_URI to another store"


@dataclass(frozen=True)
class Store:
    """`artifacts` is the folder for the runs' files; None leaves them to the server."""

    uri: str
    artifacts: Path | None

    @classmethod
    def of_project(cls) -> "Store":
        uri = os.environ.get("MLFLOW_TRACKING_URI")
        if not uri:
            return cls.in_folder(project_root())
        if uri.startswith(SQLITE):
            path, mark, options = uri.removeprefix(SQLITE).partition("?")
            database = Path(path).resolve()
            return cls(f"{SQLITE}{database}{mark}{options}", database.parent / ARTIFACTS)
        served = uri.partition(":")[0] in ("http", "https", "databricks")
        return cls(uri, None if served else project_root() / ARTIFACTS)

    @classmethod
    def in_folder(cls, folder: Path) -> "Store":
        folder = folder.resolve()
        if set(str(folder)) & set("%?"):
            raise BadInput(f"MLflow's sqlite address cannot hold the % or ? of {folder}; {ELSEWHERE}")
        return cls(f"{SQLITE}{folder / DATABASE}?timeout={LOCK_SECONDS}", folder / ARTIFACTS)

    @property
    def database(self) -> Path | None:
        """The sqlite file, if the store is one."""
        return Path(self.uri.removeprefix(SQLITE).partition("?")[0]) if self.uri.startswith(SQLITE) else None

    @property
    def is_empty(self) -> bool:
        """Whether nothing was ever tracked in the sqlite file."""
        return self.database is not None and not (self.database.exists() and self.database.stat().st_size)

    @property
    def is_server(self) -> bool:
        return urlsplit(self.uri).scheme in ("http", "https")

    @property
    def name(self) -> str:
        """For messages, without a password."""
        parts = urlsplit(self.uri)
        return str(self.database or parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl())

    @contextmanager
    def locked(self) -> Iterator[None]:
        """One process of this host at a time; the lock of a process that dies is free again."""
        try:
            lock = FileLock(self._lock_file())
            lock.acquire(timeout=LOCK_SECONDS)
        except Timeout as error:
            raise BadInput(f"{error.lock_file} was held for {LOCK_SECONDS} s by another process; end it") from error
        except OSError as error:
            raise BadInput(f"cannot write the run store {self.name}: {error.strerror}; {ELSEWHERE}") from error
        try:
            yield
        finally:
            lock.release()

    def _lock_file(self) -> Path:
        if self.database is None:
            digest = md5(self.uri.encode(), usedforsecurity=False).hexdigest()
            return Path(tempfile.gettempdir(), f"mwp-{os.getuid()}-{digest}.lock")
        self.database.parent.mkdir(parents=True, exist_ok=True)
        return self.database.with_name(f"{self.database.name}.lock")

    def check(self) -> None:
        """Say at once what MLflow would find out only after minutes of trying again."""
        if self.database:
            _check_database(self.database)
        if self.is_server:
            _check_server(self.name)


def project_root() -> Path:
    """$DVC_ROOT (in a queued experiment, which runs in a copy, that is the project itself), else the nearest folder
    with a .dvc, else the nearest with a dvc.yaml, else here."""
    if root := os.environ.get("DVC_ROOT"):
        return Path(root)
    here = Path.cwd()
    folders = (here, *here.parents)
    marked = (folder for mark in (".dvc", "dvc.yaml") for folder in folders if (folder / mark).exists())
    return next(marked, here)


def _check_database(database: Path) -> None:
    try:
        with closing(sqlite3.connect(database, timeout=LOCK_SECONDS)) as connection:
            connection.execute("BEGIN IMMEDIATE")
    except sqlite3.Error as error:
        raise BadInput(f"cannot write the run store {database}: {error}; {ELSEWHERE}") from error


def _check_server(address: str) -> None:
    try:
        urlopen(f"{address.rstrip('/')}/health", timeout=10).close()
    except HTTPError:
        return  # somebody answers, if only to ask for a password
    except OSError as error:
        reason = getattr(error, "reason", error)
        raise BadInput(f"no MLflow server answers at {address} ({reason}); start it or {ELSEWHERE}") from error
