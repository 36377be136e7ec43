"""Fixtures for all tests."""

import os
import signal
import threading
from pathlib import Path

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # as the command line does, before torch loads
# A shell starts background jobs with interrupts ignored, and their children inherit that; tests send real ones.
if threading.current_thread() is threading.main_thread():
    signal.signal(signal.SIGINT, signal.default_int_handler)

import pytest

from mwp.data.cleaning import Cleaning, clean
from mwp.data.problems import Problem
from mwp.data.readers import Reading, read_problems


@pytest.fixture(scope="session")
def real_data() -> Path:
    """The folder with the public data sets; tests that need it are skipped where it is absent."""
    folder = Path(os.environ.get("MWP_REAL_DATA") or Path(__file__).parents[2] / "shared" / "data")
    if not (folder / "math23k.json").exists():
        pytest.skip(f"no real data in {folder}; set MWP_REAL_DATA")
    return folder


@pytest.fixture(scope="session")
def sample_problems() -> list[Problem]:
    """What stage clean keeps of the embedded sample."""
    return clean(read_problems(Path(__file__).parents[1] / "data/sample/math23k.json").problems).kept


@pytest.fixture(scope="session")
def math23k(real_data: Path) -> Reading:
    return read_problems(real_data / "math23k.json")


@pytest.fixture(scope="session")
def d_math23k(math23k: Reading) -> Cleaning:
    return clean(math23k.problems)


@pytest.fixture(scope="session")
def trained(tmp_path_factory: pytest.TempPathFactory, sample_problems: list[Problem]) -> Path:
    """A project's folder with one small system, really trained: full-d-gts, fold 0 of 150 problems."""
    from tests.training.toys import train_project

    return train_project(tmp_path_factory.mktemp("trained"), sample_problems[:150])
