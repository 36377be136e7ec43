"""The file formats of public datasets: a JSON array, JSON lines, JSON objects one after another, CSV."""

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

from mwp.data.files import read_text
from mwp.errors import BadInput

Object = dict[str, Any]
# Numbers stay as they are written, so that 0.222222222222 keeps its digits.
_DECODER = json.JSONDecoder(parse_float=str, parse_int=str, parse_constant=str)
_SPACE = re.compile(r"\s*")
_EXPECTED = "expected a JSON array, JSON lines or a CSV file"
_MEND = "get the file again or mend that line"


def read_objects(path: Path) -> list[Object]:
    """Every record of a file as a dictionary, numbers as strings."""
    text = read_text(path)
    start = text.lstrip()[:1]
    if not start:
        raise BadInput(f"{path} is empty; {_EXPECTED}")
    if path.suffix.lower() == ".csv" or _has_csv_header(text):
        objects = _read_csv(path, text)
    elif start in "[{":
        objects = _read_array(path, text) if start == "[" else _read_sequence(path, text)
    else:
        raise BadInput(f"{path}, line {_line(text, text.index(start))}: {_EXPECTED}, found {text.lstrip()[:20]!r}")
    if not objects:
        raise BadInput(f"{path} holds no records; give a file with at least one problem")
    return objects


def _has_csv_header(text: str) -> bool:
    header = text.lstrip().partition("\n")[0]
    return "id" in [cell.strip(' "') for cell in header.split(",")]


def _read_array(path: Path, text: str) -> list[Object]:
    items, end = _decode(path, text, _skip_space(text, 0))
    if rest := text[end:].strip():
        line = _line(text, text.index(rest[0], end))
        raise BadInput(f"{path}, line {line}: expected the end of the file after the JSON array, found {rest[:20]!r}")
    for number, item in enumerate(items, 1):
        if not isinstance(item, dict):
            found = repr(item)[:20]
            raise BadInput(f"{path}, item {number}: expected a JSON object with the keys of a problem, found {found}")
    return list(items)


def _read_sequence(path: Path, text: str) -> list[Object]:
    """Objects with nothing but space between them: JSON lines, or pretty-printed as the public Math23k file."""
    objects: list[Object] = []
    position = _skip_space(text, 0)
    while position < len(text):
        if text[position] != "{":
            raise BadInput(
                f"{path}, line {_line(text, position)}: expected a JSON object, found {text[position:][:20]!r}; "
                "give a JSON array or one object a line"
            )
        item, end = _decode(path, text, position)
        objects.append(item)
        position = _skip_space(text, end)
    return objects


def _decode(path: Path, text: str, position: int) -> tuple[Any, int]:
    try:
        return _DECODER.raw_decode(text, position)
    except json.JSONDecodeError as error:
        raise BadInput(f"{path}, line {error.lineno}: broken JSON: {error.msg}; {_MEND}") from error
    except RecursionError as error:
        raise BadInput(f"{path}: JSON nested too deep; expected a list of flat objects") from error


def _read_csv(path: Path, text: str) -> list[Object]:
    reader = csv.DictReader(io.StringIO(text), strict=True)
    rows: list[Object] = []
    try:
        for row in reader:
            if None in row or None in row.values():
                raise BadInput(
                    f"{path}, line {reader.line_num}: expected {len(reader.fieldnames or ())} cells as in the header, "
                    f"found {_cell_count(row)}; {_MEND}"
                )
            rows.append(row)
    except csv.Error as error:
        raise BadInput(f"{path}, line {reader.reader.line_num}: broken CSV: {error}; {_MEND}") from error
    return rows


def _cell_count(row: dict[Any, Any]) -> int:
    """DictReader fills absent cells with None and collects those too many in a list under None."""
    named = sum(value is not None for key, value in row.items() if key is not None)
    return named + len(row.get(None, ()))


def _skip_space(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return match.end() if match else position


def _line(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1
