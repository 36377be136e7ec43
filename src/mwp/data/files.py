"""Files in and out: JSON lines of records, written whole or not at all."""

import json
import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Literal, TypeVar

from pydantic import ValidationError

from mwp.data.problems import Record
from mwp.errors import BadInput

AnyRecord = TypeVar("AnyRecord", bound=Record)


@contextmanager
def replacing(path: Path, mode: Literal["w", "wb"] = "w") -> Iterator[IO[Any]]:
    """Write to a temporary file beside `path` and rename it at the end, so that no reader ever sees half a file."""
    encoding = "utf8" if mode == "w" else None
    if path.is_dir():
        raise BadInput(f"cannot write {path}: it is a folder; give the name of a file")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = tempfile.NamedTemporaryFile(  # noqa: SIM115
            mode, encoding=encoding, dir=path.parent, prefix=f".{path.name}.", delete=False
        )
    except OSError as error:
        raise BadInput(f"cannot write {path}: {error.strerror}; choose a folder that can be written") from error
    try:
        with handle:
            yield handle
        os.chmod(handle.name, 0o644)
        os.replace(handle.name, path)
    except BaseException:
        Path(handle.name).unlink(missing_ok=True)
        raise


def write_text(path: Path, text: str) -> None:
    with replacing(path) as handle:
        handle.write(text)


def write_bytes(path: Path, content: bytes) -> None:
    with replacing(path, "wb") as handle:
        handle.write(content)


def write_json(path: Path, content: Any) -> None:
    write_text(path, json.dumps(content, ensure_ascii=False, indent=2) + "\n")


def write_records(path: Path, records: Iterable[Record]) -> None:
    with replacing(path) as handle:
        for record in records:
            handle.write(record.model_dump_json() + "\n")


def read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInput(f"{path} is not UTF-8 text (byte {error.start}); give a JSON, JSON lines or CSV file") from error
    except OSError as error:
        raise BadInput(f"cannot read {path}: {error.strerror}") from error


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
