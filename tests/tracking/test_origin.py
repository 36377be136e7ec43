"""Where a run came from."""

import subprocess
import sys
from pathlib import Path

import pytest

from mwp.tracking.experiment import COUNT, HOST, PID, STARTED, dvc_tags, git_tags, process_is_gone, process_tags


def test_a_clean_commit_is_named_and_not_dirty(repository: Path) -> None:
    commit = subprocess.run(
        ["git", "-C", str(repository), "rev-parse", "HEAD"], capture_output=True, text=True, check=True
    )
    assert git_tags(repository)["git.commit"] == commit.stdout.strip()
    assert git_tags(repository)["git.dirty"] == "false"


@pytest.mark.parametrize(("file", "dirty"), [("code.py", "true"), ("new.py", "true"), ("dvc.lock", "false")])
def test_changed_or_new_code_is_dirty_and_the_lock_file_that_dvc_writes_is_not(
    repository: Path, file: str, dirty: str
) -> None:
    (repository / file).write_text("2", encoding="utf8")
    assert git_tags(repository)["git.dirty"] == dirty


def test_outside_git_there_are_no_git_tags(tmp_path: Path) -> None:
    assert git_tags(tmp_path) == {}


def test_a_repository_without_a_commit_has_no_git_tags(tmp_path: Path) -> None:
    subprocess.run(["git", "-C", str(tmp_path), "init", "-q"], check=True)
    assert git_tags(tmp_path) == {}


def test_without_git_installed_there_are_no_git_tags(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert git_tags(repository) == {}


def test_dvc_tells_stage_and_experiment() -> None:
    assert dvc_tags({"DVC_STAGE": "train@full-0", "DVC_EXP_NAME": "loud-newt"}) == {
        "dvc.stage": "train@full-0",
        "dvc.experiment": "loud-newt",
    }
    assert dvc_tags({}) == {}


def test_this_process_is_not_gone() -> None:
    assert not process_is_gone(process_tags())


def test_a_process_that_ended_is_gone() -> None:
    program = "from mwp.tracking.experiment import process_tags; print(process_tags())"
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    tags = dict(
        part.split(": ") for part in ended.stdout.strip("{}\n").replace("'", "").split(", ") if "process." in part
    )
    assert tags.keys() == {HOST, PID, STARTED, COUNT}
    assert process_is_gone(tags)


def test_a_pid_given_again_to_another_process_counts_as_gone() -> None:
    assert process_is_gone(process_tags() | {STARTED: "1000000000.0"})


def test_processes_of_other_hosts_and_runs_without_a_process_are_left_alone() -> None:
    assert not process_is_gone(process_tags() | {HOST: "elsewhere", PID: "999999999"})
    assert not process_is_gone({})
