"""The public data sets from their pinned sources, each checked by its git blob id before it gets its name."""

import hashlib
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import urlopen

from mwp.data.files import write_bytes
from mwp.errors import BadInput

BASE_URL = "https://raw.githubusercontent.com"
BASE_URL_VARIABLE = "MWP_DATA_URL"
ATTEMPTS = 3
PAUSE = 1.0  # seconds before the second attempt; twice as many before the third
TIMEOUT = 30.0
_CHUNK = 1 << 16
# Called with a file's name, the bytes that have come and the bytes expected (0 if unknown).
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Source:
    """A file of a GitHub repository at a commit; `blob` is git's id of its content."""

    name: str
    repository: str
    commit: str
    path: str
    blob: str

    def url(self, base: str) -> str:
        return f"{base.rstrip('/')}/{self.repository}/{self.commit}/{self.path}"


def _weak12k(part: str, blob: str) -> Source:
    commit = "9250dcef1da3fcd80df4244885baf0f268675c8b"
    return Source(f"weak12k_{part}.json", "pass-lin/CMCTS", commit, f"data/Weak12K/weekly12k_{part}_clean.json", blob)


SOURCES = {
    "math23k": (
        Source(
            "math23k.json",
            "LZhenwen/Solution_Diversity",
            "0729c43e97c1d8028d5fc52633d5c1199ac3d082",
            "data/Math_23K.json",
            "14b271795a379f5f947d7e23d8d1bb838452e4f6",
        ),
    ),
    "weak12k": (
        _weak12k("train", "20b54e8c6cdf25c53f980601a0897b432c14de2e"),
        _weak12k("valid", "f0fe631707bb761cf48702533e1009ec9a4dd368"),
        _weak12k("test", "1f3e08beb593a3b050640a4deb6dbf3d3530e99d"),
    ),
}


def blob_id(content: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def fetch(name: str, folder: Path, base_url: str | None = None, progress: Progress = lambda *_: None) -> list[Path]:
    """The files of a data set in `folder`; those already there and right are not fetched again."""
    if name not in SOURCES:
        raise BadInput(f"expected a data set of {', '.join(SOURCES)}, found {name!r}")
    base = base_url or os.environ.get(BASE_URL_VARIABLE) or BASE_URL
    return [_fetch_file(source, folder / source.name, base, progress) for source in SOURCES[name]]


def _fetch_file(source: Source, target: Path, base: str, progress: Progress) -> Path:
    if target.exists():
        if (found := blob_id(_read(target))) != source.blob:
            raise BadInput(
                f"{target} is another file: expected blob id {source.blob}, found {found}; move it away and fetch again"
            )
        return target
    url = source.url(base)
    content = _transfer_with_retries(source, target, url, progress)
    if (found := blob_id(content)) != source.blob:
        wrong = f"{url} is another file: expected blob id {source.blob}, found {found}"
        raise BadInput(f"{wrong}; {_by_hand(source, target)}")
    write_bytes(target, content)
    return target


def _transfer_with_retries(source: Source, target: Path, url: str, progress: Progress) -> bytes:
    for attempt in range(1, ATTEMPTS + 1):
        try:
            return _transfer(url, lambda done, total: progress(source.name, done, total))
        except (OSError, HTTPException, ValueError) as error:
            refused = isinstance(error, HTTPError) and error.code < 500
            if attempt == ATTEMPTS or refused:
                failure = f"cannot reach {urlsplit(url).netloc}: {_reason(error)}"
                raise BadInput(f"{failure}; {_by_hand(source, target)}") from error
            time.sleep(PAUSE * attempt)
    raise AssertionError("unreachable")


def _transfer(url: str, progress: Callable[[int, int], None]) -> bytes:
    content = bytearray()
    with urlopen(url, timeout=TIMEOUT) as response:
        total = int(response.headers.get("Content-Length") or 0)
        while chunk := response.read(_CHUNK):
            content += chunk
            progress(len(content), total)
    if len(content) < total:
        raise ConnectionError(f"the connection was cut after {len(content):,} of {total:,} bytes")
    return bytes(content)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise BadInput(f"cannot read {path}: {error.strerror}") from error


def _reason(error: Exception) -> str:
    if isinstance(error, HTTPError):
        return f"it answered {error.code} {error.reason}"
    reason = getattr(error, "reason", error)
    return str(getattr(reason, "strerror", None) or reason)


def _by_hand(source: Source, target: Path) -> str:
    return f"get the file by hand from {source.url(BASE_URL)} and place it at {target}"
