import socket
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from mwp.data import download
from mwp.data.download import Source, blob_id, fetch
from mwp.errors import BadInput

CONTENT = '[{"id": "1", "original_text": "小明有3个苹果", "ans": "3"}]'.encode() * 5000
ORIGIN = "https://raw.githubusercontent.com/someone/data/c0ffee"


class Mirror(ThreadingHTTPServer):
    """Serves `files`; cuts the connection in the middle of the first `cuts` answers, refuses `busy` more with 503."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.files: dict[str, bytes] = {}
        self.cuts = 0
        self.busy = 0
        self.requests: list[str] = []

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.server_address[1]}"


class Handler(BaseHTTPRequestHandler):
    server: Mirror

    def do_GET(self) -> None:
        self.server.requests.append(self.path)
        content = self.server.files.get(self.path)
        if content is None:
            return self.send_error(404)
        if self.server.busy:
            self.server.busy -= 1
            return self.send_error(503)
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.server.cuts:
            self.server.cuts -= 1
            content = content[: len(content) // 2]
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def mirror(monkeypatch: pytest.MonkeyPatch) -> Iterator[Mirror]:
    monkeypatch.setattr(download, "PAUSE", 0)
    monkeypatch.delenv("MWP_DATA_URL", raising=False)
    sources = [Source(f"toys_{part}.json", "someone/data", "c0ffee", f"{part}.json", blob_id(CONTENT)) for part in "ab"]
    monkeypatch.setattr(download, "SOURCES", {"toys": tuple(sources)})
    with Mirror() as server:
        server.files = {f"/someone/data/c0ffee/{part}.json": CONTENT for part in "ab"}
        thread = Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def refusal(mirror: Mirror, folder: Path) -> str:
    with pytest.raises(BadInput) as error:
        fetch("toys", folder, f"http://{mirror.host}")
    return str(error.value)


def test_the_blob_id_is_that_of_git() -> None:
    assert blob_id(b"hello\n") == "ce013625030ba8dba906f756967f9e9ca394464a"


def test_files_come_whole_and_their_progress_is_told(mirror: Mirror, tmp_path: Path) -> None:
    told: list[tuple[str, int, int]] = []
    paths = fetch("toys", tmp_path / "raw", f"http://{mirror.host}/", lambda *news: told.append(news))
    assert paths == [tmp_path / "raw" / "toys_a.json", tmp_path / "raw" / "toys_b.json"]
    assert [path.read_bytes() for path in paths] == [CONTENT, CONTENT]
    assert [news for news in told if news[1] == len(CONTENT)] == [
        ("toys_a.json", len(CONTENT), len(CONTENT)),
        ("toys_b.json", len(CONTENT), len(CONTENT)),
    ]
    assert len(told) > 2


def test_the_mirror_may_be_named_by_the_environment(
    mirror: Mirror, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MWP_DATA_URL", f"http://{mirror.host}")
    assert fetch("toys", tmp_path)[0].read_bytes() == CONTENT


def test_a_right_file_is_not_fetched_again(mirror: Mirror, tmp_path: Path) -> None:
    (tmp_path / "toys_a.json").write_bytes(CONTENT)
    fetch("toys", tmp_path, f"http://{mirror.host}")
    assert mirror.requests == ["/someone/data/c0ffee/b.json"]


def test_a_wrong_file_is_not_overwritten(mirror: Mirror, tmp_path: Path) -> None:
    target = tmp_path / "toys_a.json"
    target.write_bytes(b"mine")
    assert refusal(mirror, tmp_path) == (
        f"{target} is another file: expected blob id {blob_id(CONTENT)}, "
        f"found {blob_id(b'mine')}; move it away and fetch again"
    )
    assert target.read_bytes() == b"mine"
    assert mirror.requests == []


@pytest.mark.parametrize("trouble", ["cuts", "busy"])
def test_a_transfer_that_fails_once_is_tried_again(trouble: str, mirror: Mirror, tmp_path: Path) -> None:
    setattr(mirror, trouble, 1)
    assert fetch("toys", tmp_path, f"http://{mirror.host}")[0].read_bytes() == CONTENT
    assert len(mirror.requests) == 3


def test_a_transfer_that_always_fails_ends_in_one_line_and_leaves_nothing(mirror: Mirror, tmp_path: Path) -> None:
    mirror.cuts = 99
    half = f"{len(CONTENT) // 2:,} of {len(CONTENT):,} bytes"
    assert refusal(mirror, tmp_path) == (
        f"cannot reach {mirror.host}: the connection was cut after {half}; "
        f"get the file by hand from {ORIGIN}/a.json and place it at {tmp_path}/toys_a.json"
    )
    assert len(mirror.requests) == download.ATTEMPTS
    assert list(tmp_path.iterdir()) == []


def test_another_file_in_its_place_is_refused(mirror: Mirror, tmp_path: Path) -> None:
    mirror.files["/someone/data/c0ffee/a.json"] = b"<html>sign in</html>"
    assert refusal(mirror, tmp_path) == (
        f"http://{mirror.host}/someone/data/c0ffee/a.json is another file: expected blob id {blob_id(CONTENT)}, "
        f"found {blob_id(b'<html>sign in</html>')}; "
        f"get the file by hand from {ORIGIN}/a.json and place it at {tmp_path}/toys_a.json"
    )
    assert list(tmp_path.iterdir()) == []


def test_an_absent_file_is_asked_for_once(mirror: Mirror, tmp_path: Path) -> None:
    mirror.files.clear()
    assert refusal(mirror, tmp_path) == (
        f"cannot reach {mirror.host}: it answered 404 Not Found; "
        f"get the file by hand from {ORIGIN}/a.json and place it at {tmp_path}/toys_a.json"
    )
    assert len(mirror.requests) == 1


def test_offline_is_one_line(mirror: Mirror, tmp_path: Path) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
    with pytest.raises(BadInput) as error:
        fetch("toys", tmp_path, f"http://127.0.0.1:{port}")
    assert str(error.value) == (
        f"cannot reach 127.0.0.1:{port}: Connection refused; "
        f"get the file by hand from {ORIGIN}/a.json and place it at {tmp_path}/toys_a.json"
    )


def test_an_unknown_data_set_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput) as error:
        fetch("math24k", tmp_path)
    assert str(error.value) == "expected a data set of math23k, weak12k, found 'math24k'"


def test_the_pinned_sources_are_four_distinct_files() -> None:
    sources = [source for files in download.SOURCES.values() for source in files]
    assert [source.name for source in sources] == [
        "math23k.json",
        "weak12k_train.json",
        "weak12k_valid.json",
        "weak12k_test.json",
    ]
    assert sources[0].url(download.BASE_URL) == (
        "https://raw.githubusercontent.com/LZhenwen/Solution_Diversity/"
        "0729c43e97c1d8028d5fc52633d5c1199ac3d082/data/Math_23K.json"
    )
    assert all(len(source.blob) == len(source.commit) == 40 for source in sources)


def test_the_pinned_blob_of_the_weak12k_valid_part_is_that_of_the_real_file(real_data: Path) -> None:
    (source,) = [source for source in download.SOURCES["weak12k"] if source.name == "weak12k_valid.json"]
    assert blob_id((real_data / source.name).read_bytes()) == source.blob
