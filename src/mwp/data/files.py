"""Files in and out: JSON lines of records, written whole or not at all; those named .gz are compressed."""

import gzip
import io
import json
import os
import stat
import tempfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, Literal, TypeVar

from pydantic import ValidationError

from mwp.data.problems import Record
from mwp.errors import BadInput

COMPRESSED = ".gz"
AnyRecord = TypeVar("AnyRecord", bound=Record)
STANDARD_OUTPUT, STANDARD_ERROR = 1, 2


def output_file(path: Path, *inputs: Path) -> Path:
    """Where a file goes that a user has named: a link leads to its target. Refused before there is any work to lose."""
    if _is_file(path):
        for given in inputs:
            if given.exists() and path.samefile(given):
                raise BadInput(f"cannot write {path}: it is the input {given}; give another name")
        if any(_is_stream(path, stream) for stream in (STANDARD_OUTPUT, STANDARD_ERROR)):
            raise BadInput(f"cannot write {path}: what is printed goes there; give the name of another file")
    return Path(os.path.realpath(path)) if path.is_symlink() else path


def _is_file(path: Path) -> bool:
    """Whether there is one; anything else that is there cannot be replaced by a file."""
    try:
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise _unwritable(path, error) from error
    if not stat.S_ISREG(mode):
        kind = "a folder" if stat.S_ISDIR(mode) else "a device or pipe"
        raise BadInput(f"cannot write {path}: it is {kind}; give the name of a file")
    return True


def _is_stream(path: Path, number: int) -> bool:
    with suppress(OSError):  # a stream may be closed
        return os.path.samestat(path.stat(), os.fstat(number))
    return False


def _unwritable(path: Path, error: OSError) -> BadInput:
    return BadInput(f"cannot write {path}: {error.strerror}; choose a folder that can be written")


@contextmanager
def replacing(path: Path, mode: Literal["w", "wb"] = "w") -> Iterator[IO[Any]]:
    """Write to a temporary file beside `path` and rename it at the end, so that no reader ever sees half a file.

    A link is replaced too: DVC's lead into its cache, where nothing may change. `output_file` follows those of users.
    """
    encoding = "utf8" if mode == "w" else None
    _is_file(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = tempfile.NamedTemporaryFile(  # noqa: SIM115
            mode, encoding=encoding, dir=path.parent, prefix=f".{path.name}.", delete=False
        )
    except OSError as error:
        raise _unwritable(path, error) from error
    try:
        with handle:
            yield handle
        os.chmod(handle.name, 0o644)
        os.replace(handle.name, path)
    except BaseException:
        Path(handle.name).unlink(missing_ok=True)
        raise


def write_text(path: Path, text: str) -> None:
    """Compressed without a time stamp: the same text makes the same bytes."""
    if path.suffix == COMPRESSED:
        write_bytes(path, gzip.compress(text.encode(), compresslevel=6, mtime=0))
        return
    with replacing(path) as handle:
        handle.write(text)


def write_bytes(path: Path, content: bytes) -> None:
    with replacing(path, "wb") as handle:
        handle.write(content)


def write_json(path: Path, content: Any) -> None:
    write_text(path, json.dumps(content, ensure_ascii=False, indent=2) + "\n")


def write_records(path: Path, records: Iterable[Record]) -> None:
    write_text(path, "".join(record.model_dump_json() + "\n" for record in records))


def read_text(path: Path) -> str:
    try:
        return io.TextIOWrapper(io.BytesIO(_content(path)), encoding="utf-8-sig").read()
    except UnicodeDecodeError as error:
        raise BadInput(f"{path} is not UTF-8 text (byte {error.start}); give a JSON, JSON lines or CSV file") from error
    except OSError as error:
        raise BadInput(f"cannot read {path}: {error.strerror}") from error


def _content(path: Path) -> bytes:
    content = path.read_bytes()
    if path.suffix != COMPRESSED:
        return content
    try:
        if content:
            return gzip.decompress(content)
        raise EOFError  # which gzip does not see in a file cut at its first byte
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise BadInput(f"{path} is no complete gzip file; delete it and let it be written again") from error


def read_records(path: Path, kind: type[AnyRecord]) -> list[AnyRecord]:
    records = []
    text = read_text(path)
    # Not splitlines(): a JSON string may hold U+2028 and other characters at which that would split.
    for number, line in enumerate(text.removesuffix("\n").split("\n") if text else (), 1):
        try:
            records.append(kind.model_validate_json(line))
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"])) or "line"
            raise BadInput(f"{path}, line {number}: no {kind.__name__} record: {where}: {first['msg']}") from error
    return records
