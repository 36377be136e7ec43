"""jieba's dictionary ready for use, cached in a folder of the user's own: to build it takes half a second.

jieba itself caches it in the temporary folder, where anybody may put another one, in a format in which nothing must be
read that others wrote. Here it is read only if nobody else could have written it, and if it is whole.
"""

import hashlib
import io
import os
import stat
import struct
import sys
from array import array
from contextlib import suppress
from pathlib import Path
from typing import Any

from mwp.data.files import write_bytes
from mwp.errors import BadInput

# The frequency of every word and 0 for every beginning of one, and the sum over the lines of jieba's file.
Dictionary = tuple[dict[str, int], int]
# The format of the cache: SHA-256 of the rest, the sum, how many frequencies; these; and the words, a line each.
DIGEST = hashlib.sha256().digest_size
COUNTS = struct.Struct("<QQ")
FREQUENCY = "I"
WIDTH = 4  # bytes


def load_dictionary(tokenizer: Any, version: str) -> Dictionary:
    """That of a tokenizer of this version of jieba; where it cannot be cached it is built every time."""
    with tokenizer.get_dict_file() as file:
        source = file.read()
    position = _place(f"jieba-{version}-{hashlib.sha256(source).hexdigest()[:16]}.words")
    cached = _read(position) if position else None
    if cached:
        return cached
    built: Dictionary = tokenizer.gen_pfdict(io.BytesIO(source))
    if position:
        with suppress(OSError, BadInput):  # a full disk, or something that is no file in its place
            write_bytes(position, _packed(built))
    return built


def _place(name: str) -> Path | None:
    """In a folder that only this user can write into; None if there is no such folder and none can be made."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    try:
        folder = (Path(base) if os.path.isabs(base) else Path.home() / ".cache") / "mwp"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return folder / name if _is_private(folder) else None
    except (OSError, RuntimeError):  # no home
        return None


def _read(position: Path) -> Dictionary | None:
    try:
        content = position.read_bytes() if _is_private(position) else b""
    except OSError:
        return None
    digest, rest = content[:DIGEST], memoryview(content)[DIGEST:]
    return _unpacked(rest) if hashlib.sha256(rest).digest() == digest else None


def _is_private(path: Path) -> bool:
    """Whether it is this user's, no link, and nobody else may write it; Windows' home folders are so by themselves."""
    status = path.lstat()
    if not hasattr(os, "getuid"):
        return True
    is_own = status.st_uid == os.getuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return is_own and not stat.S_ISLNK(status.st_mode)


def _packed(dictionary: Dictionary) -> bytes:
    frequencies, total = dictionary
    words = "\n".join(frequencies).encode()
    rest = COUNTS.pack(total, len(frequencies)) + _swapped(array(FREQUENCY, frequencies.values())).tobytes() + words
    return hashlib.sha256(rest).digest() + rest


def _unpacked(rest: memoryview) -> Dictionary:
    total, count = COUNTS.unpack_from(rest)
    end = COUNTS.size + WIDTH * count
    frequencies = array(FREQUENCY)
    frequencies.frombytes(rest[COUNTS.size : end])
    words = str(rest[end:], "utf8").split("\n")
    return dict(zip(words, _swapped(frequencies), strict=True)), total


def _swapped(frequencies: "array[int]") -> "array[int]":
    """From this machine's order of bytes to the file's, or back."""
    if sys.byteorder == "big":
        frequencies.byteswap()
    return frequencies
