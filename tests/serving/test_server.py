"""`mwp serve` with a real model over real HTTP: answers, refusals, many clients, and its end.

One server for all tests of this file, which go in order: the last one ends it.
"""

import asyncio
import json
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.serve import run_load
from tests.cli.test_errors import assert_one_line, mwp
from tests.serving.servers import Server, serving

TEXT = "一本书有120页，小明每天看15页，几天看完？"


@pytest.fixture(scope="module")
def server(trained: Path) -> Iterator[Server]:
    with serving(trained) as found:
        yield found


def test_it_answers_as_the_command_line_does(server: Server, trained: Path) -> None:
    status, answer = server.ask(text=TEXT, k=3)
    assert status == 200
    alone = json.loads(mwp("solve", TEXT, "-k", "3", "--json", cwd=trained).stdout)
    assert [one["equation"] for one in answer["answers"]] == [one["equation"] for one in alone["answers"]]
    assert answer["answer"] == alone["answer"]
    raw = server.ask(text=TEXT, k=3, raw=True)[1]["answers"]
    assert [one["equal"] for one in raw] == [[], [], []]


def test_its_health_names_the_model(server: Server) -> None:
    for path in ("/health", "/ping"):
        status, text = server.get(path)
        assert (status, json.loads(text)) == (200, {"status": "ok", "model": "models/full-d-gts/fold-0/model.pt"})


def test_it_speaks_the_protocol_of_mlflow(server: Server) -> None:
    direct = server.ask(text=TEXT, k=2)[1]
    for content in (
        {"inputs": [TEXT]},
        {"inputs": {"text": [TEXT]}},
        {"instances": [{"text": TEXT}]},
        {"dataframe_records": [{"text": TEXT}]},
        {"dataframe_split": {"columns": ["text"], "data": [[TEXT]]}},
    ):
        status, found = server.post("/invocations", json.dumps({**content, "params": {"k": 2}}).encode())
        assert status == 200
        assert [one["answer"] for one in found["predictions"]] == [direct["answer"]]
    status, found = server.post("/invocations", f"text\n{TEXT}\nhello\n".encode(), "text/csv")
    assert status == 200
    assert [one.get("error", "")[:29] for one in found["predictions"]] == ["", "expected a problem in Chinese"]


@pytest.mark.parametrize(
    ("body", "content_type", "status", "error"),
    [
        (b"garbage", "application/json", 400, "POST /solve: Invalid JSON: expected value at line 1 column 1"),
        (b"\xff\xfe\x00", "application/json", 400, "POST /solve: Invalid JSON"),
        (b"[" * 60_000, "application/json", 400, "POST /solve: Invalid JSON: recursion limit exceeded"),
        (b"[]", "application/json", 422, "POST /solve: Input should be an object"),
        (b"{}", "application/json", 422, "POST /solve: text: Field required"),
        (b'{"text": 3}', "application/json", 422, "POST /solve: text: Input should be a valid string"),
        (
            b'{"text": "x", "k": 11}',
            "application/json",
            422,
            "POST /solve: k: Input should be less than or equal to 10",
        ),
        (b'{"text": "x", "q": 1}', "application/json", 422, "POST /solve: q: Extra inputs are not permitted"),
        (b'{"text": ""}', "application/json", 422, "expected a problem, found an empty text"),
        (b'{"text": "no 3"}', "application/json", 422, "expected a problem in Chinese, found 'no 3'"),
        (
            b'{"text": "x"}',
            "text/plain",
            415,
            "POST /solve: expected the content type application/json, found text/plain",
        ),
        (b"x" * 2**20, "application/json", 413, "expected a body of at most 65,536 bytes, found a longer one"),
        (b"x" * 2**20, "image/png", 413, "expected a body of at most 65,536 bytes, found a longer one"),
    ],
)
def test_what_cannot_be_solved_is_refused_with_a_reason(
    server: Server, body: bytes, content_type: str, status: int, error: str
) -> None:
    found, content = server.post("/solve", body, content_type)
    assert found == status
    assert list(content) == ["error"]
    assert content["error"].startswith(error)


ODD: list[Any] = [None, 1, "x", [], [None], [[TEXT]], {"text": None}, {"columns": 1, "data": 2}, [{"text": {}}]]


@pytest.mark.parametrize("key", ["inputs", "instances", "dataframe_split", "dataframe_records", "params", "messages"])
def test_garbage_in_the_protocol_of_mlflow_is_refused_too(server: Server, key: str) -> None:
    for value in ODD:
        status, content = server.post("/invocations", json.dumps({key: value}).encode())
        assert status == 200 or (400 <= status < 500 and list(content) == ["error"]), content


@pytest.mark.parametrize(
    ("body", "content_type", "status"),
    [
        (b"garbage", "application/json", 400),
        (b'{"inputs":' + b"[" * 60_000, "application/json", 400),
        (json.dumps({"inputs": [TEXT], "params": {"k": 11}}).encode(), "application/json", 400),
        (json.dumps({"inputs": ["有3个"] * 101}).encode(), "application/json", 400),
        (b"PAR1", "application/vnd.apache.parquet", 415),
        (b"x", "text/html", 415),
        (b"x" * 2**20, "text/csv", 413),
    ],
)
def test_an_invocation_has_limits(server: Server, body: bytes, content_type: str, status: int) -> None:
    found, content = server.post("/invocations", body, content_type)
    assert found == status, content
    assert "\n" not in content["error"]


def test_other_paths_and_methods_are_refused_as_json(server: Server) -> None:
    assert server.get("/nowhere") == (404, '{"error":"GET /nowhere: Not Found"}')
    assert server.get("/solve") == (405, '{"error":"GET /solve: Method Not Allowed"}')
    assert server.get("/docs")[0] == 404


def test_two_hundred_clients_at_once_are_all_answered_and_its_memory_does_not_grow(server: Server) -> None:
    pid = server.process.pid
    asyncio.run(run_load(server.address, pid, 3))  # what the first batches of this size take stays taken
    load = asyncio.run(run_load(server.address, pid, 5))
    assert set(load.statuses) == {200}
    assert load.statuses[200] >= 200
    assert load.memory[-1] < load.memory[0] + 20


def test_a_taken_port_is_one_clear_line(server: Server, trained: Path) -> None:
    port = server.address.rpartition(":")[2]
    assert_one_line(
        mwp("serve", "--port", port, cwd=trained),
        f"cannot serve on 127.0.0.1, port {port}: Address already in use; choose another --port or --host",
    )


def test_ctrl_c_ends_it_with_130(server: Server) -> None:
    assert server.get("/health")[0] == 200
    server.process.send_signal(signal.SIGINT)
    assert server.process.wait(20) == 130


def test_a_request_that_takes_too_long_is_told_so(trained: Path) -> None:
    with serving(trained, "--seconds", "0.1") as hurried:
        many = json.dumps({"inputs": ["有3个和5个，" * 60] * 40}, ensure_ascii=False).encode()
        status, content = hurried.post("/invocations", many)
        assert (status, content) == (504, {"error": "no answer within 0.1 s; the server is busy: try again later"})
        assert hurried.get("/health")[0] == 200


def test_a_model_that_is_not_there_is_one_clear_line(trained: Path) -> None:
    result = mwp("serve", "--model", "nope", cwd=trained)
    assert_one_line(result, "expected the path of a model or a trained system, found 'nope'")
