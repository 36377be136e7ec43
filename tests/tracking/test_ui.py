"""`mwp ui` when it cannot start; what it shows is in tests/browser."""

import signal
import socket
import subprocess
import time
from pathlib import Path

import psutil
import pytest

from mwp.errors import BadInput
from mwp.tracking.store import Store
from mwp.tracking.ui import serve_ui
from tests.tracking.conftest import Opener
from tests.tracking.pages import environment, free_port, ui_command


def test_a_termination_while_it_starts_leaves_no_process(opened: Opener, store: Store) -> None:
    with opened():
        pass
    assert store.database is not None
    process = subprocess.Popen(
        ui_command(free_port()), cwd=store.database.parent, env=environment(), stderr=subprocess.PIPE
    )
    assert process.stderr is not None
    assert process.stderr.readline().startswith(b"starting the MLflow page on ")
    while not (family := psutil.Process(process.pid).children()):
        time.sleep(0.01)
    process.terminate()
    assert process.wait(30) == 128 + signal.SIGTERM
    assert not psutil.wait_procs(family, timeout=5)[1]
    process.stderr.close()


def test_a_port_in_use_is_one_line(opened: Opener, store: Store) -> None:
    with opened():
        pass
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(BadInput) as told:
            serve_ui(store, "127.0.0.1", port)
    reason = "Address already in use; choose another --port or --host"
    assert str(told.value) == f"cannot serve on 127.0.0.1, port {port}: {reason}"


def test_before_the_first_run_the_command_says_what_to_do(tmp_path: Path) -> None:
    command = ui_command(free_port())
    result = subprocess.run(command, cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False)
    assert result.returncode == 2
    wanted = f"error: no runs yet: {tmp_path}/mlflow.db does not exist; train first, for example with: dvc repro\n"
    assert result.stderr == wanted


def test_runs_on_a_server_are_pointed_to(capsys: pytest.CaptureFixture[str]) -> None:
    serve_ui(Store("http://me:secret@127.0.0.1:9", None), "127.0.0.1", 5000)
    assert capsys.readouterr().out == "the runs are on an MLflow server already: open http://127.0.0.1:9\n"
