"""Bad input on the real command line: one line on stderr, exit code 2, and nothing half-written."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GOOD = '{"id": "1", "original_text": "有3个苹果和4个梨，共有多少个？", "equation": "x=3+4", "ans": "7"}'


def mwp(*arguments: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "mwp.cli.app", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, check=False)


def assert_one_line(result: subprocess.CompletedProcess[str], *words: str) -> None:
    """Before the error there may be progress, one line a finished step."""
    assert result.returncode == 2, result.stderr
    lines = result.stderr.splitlines()
    assert lines[-1].startswith("error: ")
    assert all(line.startswith(("reading ", "searching")) for line in lines[:-1])
    for word in words:
        assert word in lines[-1]


@pytest.mark.parametrize(
    ("content", "word"),
    [
        (b'[{"id": "1", "original_text": "\xe6\x9c\x893', "bad.json"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\xff\xfe", "not UTF-8"),
        (b"", "empty"),
        (b'[{"id": "1", "text": "x"}]', "expected records with the keys"),
        (b"[1, 2, 3]", "bad.json"),
        (b"hello", "bad.json"),
    ],
)
def test_a_file_that_is_none_is_one_line_and_leaves_no_output(tmp_path: Path, content: bytes, word: str) -> None:
    bad = tmp_path / "bad.json"
    bad.write_bytes(content)
    for command in (("search", bad, "--out", tmp_path / "out"), ("data", "import", bad, "--out", tmp_path / "out")):
        assert_one_line(mwp(*command), word)
        assert [path.name for path in tmp_path.iterdir()] == ["bad.json"]


def test_records_that_cannot_be_used_are_counted_with_their_reasons(tmp_path: Path) -> None:
    long = "1" * 40
    lines = [
        GOOD,
        GOOD.replace('"1"', '"2"').replace('"7"', '"abc"'),
        GOOD.replace('"1"', '"3"').replace("有3个", f"有{long}个"),
        '{"id": "4", "original_text": "有3个苹果", "equation": "x=3"}',
    ]
    raw = tmp_path / "raw.jsonl"
    raw.write_text("\n".join(lines), encoding="utf8")
    result = mwp("data", "import", raw, "--out", tmp_path / "out.jsonl")
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith("1 kept of 4: ")
    drops = (tmp_path / "out.jsonl.drops.jsonl").read_text(encoding="utf8")
    assert "answer is not a number" in drops
    assert "a numeral of more than 30 digits" in drops
    assert "key missing: ans" in drops


def test_a_folder_that_cannot_be_written_is_named_and_the_old_file_stays(tmp_path: Path) -> None:
    raw = tmp_path / "raw.jsonl"
    raw.write_text(GOOD, encoding="utf8")
    assert_one_line(mwp("data", "import", raw, "--out", "/proc/none/out.jsonl"), "cannot write /proc/none/out.jsonl")


COMMANDS = [("search",), ("data", "import")]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("out", ["raw.jsonl", "./folder/../raw.jsonl", "link.jsonl", "hard.jsonl"])
def test_an_input_is_never_the_output(tmp_path: Path, command: tuple[str, ...], out: str) -> None:
    raw = tmp_path / "raw.jsonl"
    raw.write_text(GOOD, encoding="utf8")
    (tmp_path / "folder").mkdir()
    (tmp_path / "link.jsonl").symlink_to(raw)
    (tmp_path / "hard.jsonl").hardlink_to(raw)
    before = sorted(tmp_path.iterdir())
    for given in (raw, Path("raw.jsonl")):
        result = mwp(*command, given, "--out", out, cwd=tmp_path)
        assert result.returncode == 2
        assert result.stderr == f"error: cannot write {Path(out)}: it is the input {given}; give another name\n"
    assert raw.read_text(encoding="utf8") == GOOD
    assert sorted(tmp_path.iterdir()) == before
    assert (tmp_path / "link.jsonl").is_symlink()


def test_the_dropped_records_do_not_go_to_the_input_either(tmp_path: Path) -> None:
    raw = tmp_path / "out.jsonl.drops.jsonl"
    raw.write_text(GOOD, encoding="utf8")
    assert_one_line(mwp("data", "import", raw, "--out", tmp_path / "out.jsonl"), f"it is the input {raw}")
    assert raw.read_text(encoding="utf8") == GOOD
    assert list(tmp_path.iterdir()) == [raw]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_an_output_that_is_no_file_is_refused_before_anything_is_read(tmp_path: Path, command: tuple[str, ...]) -> None:
    raw = tmp_path / "raw.jsonl"
    raw.write_text(GOOD, encoding="utf8")
    os.mkfifo(tmp_path / "pipe")
    for name in ("full", "stdout"):  # never the machine's own, of which a broken test would leave nothing
        (tmp_path / name).symlink_to(f"/dev/{name}")
    for name in ("pipe", "full", "stdout"):
        out = tmp_path / name
        result = mwp(*command, raw, "--out", out)
        assert result.returncode == 2
        assert result.stderr == f"error: cannot write {out}: it is a device or pipe; give the name of a file\n"
        assert out.is_fifo() or out.is_symlink()
    result = mwp(*command, raw, "--out", tmp_path)
    assert result.stderr == f"error: cannot write {tmp_path}: it is a folder; give the name of a file\n"


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_an_output_to_which_is_printed_keeps_what_it_has(tmp_path: Path, command: tuple[str, ...]) -> None:
    (tmp_path / "raw.jsonl").write_text(GOOD, encoding="utf8")
    log, out = tmp_path / "log", tmp_path / "out"
    out.symlink_to("/dev/stdout")
    log.write_text("mine\n", encoding="utf8")
    with log.open("a", encoding="utf8") as stream:
        arguments = [sys.executable, "-m", "mwp.cli.app", *command, "raw.jsonl", "--out", str(out)]
        result = subprocess.run(arguments, cwd=tmp_path, stdout=stream, stderr=subprocess.PIPE, text=True, check=False)
    expected = f"error: cannot write {out}: what is printed goes there; give the name of another file\n"
    assert (result.returncode, result.stderr) == (2, expected)
    assert log.read_text(encoding="utf8") == "mine\n"


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_link_as_output_stays_and_leads_to_what_was_written(tmp_path: Path, command: tuple[str, ...]) -> None:
    (tmp_path / "raw.jsonl").write_text(GOOD, encoding="utf8")
    (tmp_path / "store").mkdir()
    (tmp_path / "out.jsonl").symlink_to("store/out.jsonl")
    for _ in range(2):
        assert mwp(*command, "raw.jsonl", "--out", "out.jsonl", cwd=tmp_path).returncode == 0
        assert (tmp_path / "out.jsonl").is_symlink()
        assert '"1"' in (tmp_path / "store/out.jsonl").read_text(encoding="utf8")
    assert [path.name for path in (tmp_path / "store").iterdir()] == ["out.jsonl"]


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    assert_one_line(mwp("data", "info", tmp_path / "none.json"), "cannot read", "none.json")


def test_an_unknown_command_or_option_is_one_line() -> None:
    assert_one_line(mwp("serach"), "No such command 'serach'")
    assert_one_line(mwp("data", "info"), "Missing argument 'file'")


def test_each_mistake_in_the_params_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "params.yaml").write_text("data: {ful: a.json, weak: b.json}\nwda: {order: best}\n", encoding="utf8")
    result = mwp("stage", "clean", cwd=tmp_path)
    assert result.returncode == 2
    lines = result.stderr.splitlines()
    assert all(line.startswith("error: params.yaml: ") for line in lines)
    mistakes = [line.removeprefix("error: params.yaml: ") for line in lines]
    assert mistakes == [
        "data.full is missing",
        "data.ful is no parameter; did you mean full?",
        "wda.order is no parameter; did you mean max_tries?",
        "folds is missing",
        "train is missing",
        "evaluate is missing",
    ]


def test_the_first_editions_params_are_told_their_new_names(tmp_path: Path) -> None:
    shutil.copy(ROOT / "tests/fixtures/v1/params.yaml", tmp_path)
    result = mwp("stage", "train", "--system", "full-d-gts", cwd=tmp_path)
    lines = result.stderr.splitlines()
    assert (result.returncode, result.stdout, len(lines)) == (2, "", 33)
    assert lines[0] == "error: params.yaml: wda.keep is now wda.max_candidates"
    assert "error: params.yaml: train.optimiser.amp: no is now train.optimizer.precision: fp32" in lines
    assert all(" is now " in line for line in lines)


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        (("keep",), "mwp keep is now: mwp results export"),
        (("keep", "--into", "kept"), "mwp keep is now: mwp results export"),
        (("why", "123", "--json"), "mwp why is now: mwp explain"),
        (("why", "--help"), "mwp why is now: mwp explain"),
        (("data", "sample"), "mwp data sample is now: python -m tools.sample"),
        (("search", "a", "--out", "b", "--order", "ranked"), "mwp search --order is now: mwp search --strategy"),
        (("search", "--order=ranked"), "mwp search --order is now: mwp search --strategy"),
        (("search", "a", "--keep", "3"), "mwp search --keep is now: mwp search --max-candidates"),
    ],
)
def test_a_command_of_the_first_edition_is_told_its_new_name(typed: tuple[str, ...], told: str) -> None:
    result = mwp(*typed)
    assert (result.returncode, result.stdout, result.stderr) == (2, "", f"error: {told}\n")


def test_what_never_was_a_command_is_told_as_ever() -> None:
    for typed in (("wy",), ("solve", "--order", "x"), ("data", "why")):
        result = mwp(*typed)
        assert_one_line(result, "No such", "See: mwp --help")


def test_answers_of_nothing_but_known_problems_are_refused_with_the_reason(tmp_path: Path) -> None:
    params = (ROOT / "params.yaml").read_text(encoding="utf8")
    for name in ("math23k.json", "weak12k.json"):
        params = params.replace(f"data/sample/{name}", "raw.jsonl")
    (tmp_path / "params.yaml").write_text(params, encoding="utf8")
    (tmp_path / "raw.jsonl").write_text(GOOD, encoding="utf8")
    result = mwp("stage", "clean", cwd=tmp_path)
    assert_one_line(
        result, "raw.jsonl: no problem of 1 can be used", "1 also in the dataset with equations", "data.weak"
    )


def test_a_system_whose_name_leads_out_of_the_project_changes_nothing_there(tmp_path: Path) -> None:
    victim, project = tmp_path / "victim/fold-0/mine.txt", tmp_path / "project"
    victim.parent.mkdir(parents=True)
    victim.write_text("mine", encoding="utf8")
    project.mkdir()
    params = (ROOT / "params.yaml").read_text(encoding="utf8").replace("    full-gts:", "    ../../victim:")
    (project / "params.yaml").write_text(params, encoding="utf8")
    for step in ("train", "evaluate"):
        result = mwp("stage", step, "--system", "../../victim", cwd=project)
        assert_one_line(result, "params.yaml: train.systems: ", "a system's name", "found '../../victim'")
    assert victim.read_text(encoding="utf8") == "mine"
    assert_one_line(mwp("repro", "--profile", "../params", cwd=project), "no profile '../params'; there are: none")


def test_a_failure_shows_its_traceback_only_on_demand(tmp_path: Path) -> None:
    assert "Traceback" not in mwp("data", "info", tmp_path / "none.json").stderr
    assert "Traceback" in mwp("--debug", "data", "info", tmp_path / "none.json").stderr


def test_help_imports_nothing_heavy() -> None:
    probe = "import sys, mwp.cli.app; print([m for m in ('numba', 'jieba', 'yaml', 'numpy', 'pydantic') if m in sys.modules])"
    result = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert result.stdout == "[]\n"
