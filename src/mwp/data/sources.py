"""Problems from whatever holds them: a file, a data frame, a list of records, of texts or of problems.

Files and tables may name their columns as they like; what cannot be used is listed with its reason.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from mwp.arith.notation import to_infix
from mwp.data.formats import Object, read_objects
from mwp.data.layouts import find_layout
from mwp.data.problems import Drop, Problem
from mwp.data.readers import (
    Unusable,
    make_problem,
    read_layout,
    read_problems,
    read_question,
    typed_problem,
    with_brackets,
)
from mwp.data.text import normalise
from mwp.display import html_table
from mwp.errors import BadInput

if TYPE_CHECKING:
    from pandas import DataFrame

# What a column is called unless it is said; a table must have the text.
NAMES = ("id", "text", "answer", "equation")
EXCEL = (".xls", ".xlsx", ".ods")
SHOWN = 5


class Problems(Sequence[Problem]):
    """Problems that were read, in their order, and the records that are none.

    Attributes
    ----------
    drops : tuple of Drop
        Each record that could not be used: its id or number, the reason, and what stands there.
    """

    def __init__(self, problems: Iterable[Problem], drops: Iterable[Drop] = (), source: str = "") -> None:
        self._problems = tuple(problems)
        self.drops = tuple(drops)
        self.source = source

    @overload
    def __getitem__(self, index: int) -> Problem: ...

    @overload
    def __getitem__(self, index: slice) -> Problems: ...

    def __getitem__(self, index: int | slice) -> Problem | Problems:
        return Problems(self._problems[index]) if isinstance(index, slice) else self._problems[index]

    def __len__(self) -> int:
        return len(self._problems)

    def __iter__(self) -> Iterator[Problem]:
        return iter(self._problems)

    def __repr__(self) -> str:
        origin = f" from {self.source}" if self.source else ""
        return f"<{len(self):,} problem{'s' * (len(self) != 1)}{origin}: {self._kinds()}{self._dropped()}>"

    def _kinds(self) -> str:
        """How many are known how well."""
        solved = sum(bool(problem.gold) for problem in self)
        answered = sum(problem.answer is not None and not problem.gold for problem in self)
        counts = {
            "with equation": solved,
            "with answer only": answered,
            "without answer": len(self) - solved - answered,
        }
        return ", ".join(f"{count:,} {kind}" for kind, count in counts.items() if count) or "none of any kind"

    def _dropped(self) -> str:
        if not self.drops:
            return ""
        reasons = Counter(drop.reason for drop in self.drops).most_common()
        total = len(self) + len(self.drops)
        return f"; {len(self.drops):,} of {total:,} records dropped: " + ", ".join(
            f"{count:,} {reason}" for reason, count in reasons
        )

    def _repr_html_(self) -> str:
        rows = [(problem.id, problem.text, problem.answer_spelling, _equation(problem)) for problem in self[:SHOWN]]
        more = [("…", f"{len(self) - SHOWN:,} more", "", "")] if len(self) > SHOWN else []
        return html_table(NAMES, [*rows, *more], repr(self)[1:-1])

    def to_frame(self) -> DataFrame:
        """A pandas data frame with the columns id, text, answer and equation."""
        from pandas import DataFrame

        rows = [(problem.id, problem.text, problem.answer_spelling, _equation(problem)) for problem in self]
        return DataFrame(rows, columns=list(NAMES))


def _equation(problem: Problem) -> str:
    return to_infix(problem.readings[0]) if problem.gold else ""


@dataclass(frozen=True)
class Columns:
    """Which column of a table holds what; None where it has no such column."""

    id: str | None
    text: str
    answer: str | None
    equation: str | None


def problems_of(
    source: Any,
    *,
    id: str | None = None,
    text: str | None = None,
    answer: str | None = None,
    equation: str | None = None,
    argument: str = "source",
) -> Problems:
    """Whatever holds problems, read. The columns may be named; ids are else the numbers of the rows.

    `argument` is what errors call a list or a data frame.
    """
    named = {"id": id, "text": text, "answer": answer, "equation": equation}
    if isinstance(source, str | os.PathLike):
        return _of_file(Path(source), named)
    if isinstance(source, Problems) and not any(named.values()):
        return source
    items = _items(source, argument)
    if not items:
        raise BadInput(f"{argument}: expected problems, found none")
    kind = next((kind for kind in (Problem, str, Mapping) if isinstance(items[0], kind)), None)
    for position, item in enumerate(items, 1):
        if kind is None or not isinstance(item, kind):
            raise BadInput(
                f"{argument}: expected problems, texts or records, found {_short(item)} as number {position:,}; "
                "give one kind of them"
            )
    if kind is Problem:
        return Problems(items)
    if kind is str:
        return _of_texts(items)
    return _of_records([{str(key): _cell(cell) for key, cell in item.items()} for item in items], named, argument)


def questions_of(source: Any) -> list[Problem]:
    """Problems to solve, whose answers nobody needs to know; one that cannot be solved is an error with its number."""
    found = []
    for position, item in enumerate(_items(source, "problem"), 1):
        try:
            found.append(question_of(item))
        except BadInput as error:
            raise BadInput(f"problem {position:,}: {error}") from error
    return found


def question_of(item: Any) -> Problem:
    """From a text, a record with a text, or a problem."""
    if isinstance(item, Problem):
        return item
    if isinstance(item, Mapping):
        if "text" not in item:
            raise BadInput(_no_column("the record", "text", "text", list(map(str, item))))
        item = _cell(item["text"])
    if not isinstance(item, str):
        raise BadInput(f"expected a text or a problem, found {_short(item)}")
    return read_question(item)


def _items(source: Any, argument: str) -> list[Any]:
    if hasattr(source, "columns") and hasattr(source, "to_dict"):
        records: list[Any] = source.to_dict("records")
        return records
    if isinstance(source, Iterable) and not isinstance(source, Mapping | bytes):
        return list(source)
    raise BadInput(
        f"{argument}: expected a file, a data frame or a list of problems, records or texts, found {_short(source)}"
    )


def _of_file(path: Path, named: Mapping[str, str | None]) -> Problems:
    if path.suffix.lower() in EXCEL:
        raise BadInput(
            f"{path}: expected CSV, JSON or JSON lines, found an Excel file; save it as CSV, or give "
            f"pandas.read_excel({path.name!r})"
        )
    objects = read_objects(path)
    keys = {key for record in objects for key in record}
    if any(named.values()) or not (find_layout(keys) or objects[0].keys() == Problem.model_fields.keys()):
        records = [{key: _cell(cell) for key, cell in record.items()} for record in objects]
        return _of_records(records, named, str(path), path)
    reading = read_problems(path)
    return Problems(reading.problems, reading.drops, str(path))


def _of_texts(texts: Sequence[str]) -> Problems:
    problems, drops = [], []
    for number, text in enumerate(texts, 1):
        try:
            problems.append(read_question(text, str(number)))
        except BadInput as error:
            drops.append(Drop(id=str(number), reason="cannot be asked", detail=str(error)))
    return Problems(problems, drops)


def _of_records(
    records: Sequence[Object], named: Mapping[str, str | None], where: str, file: Path | None = None
) -> Problems:
    keys = list(dict.fromkeys(key for record in records for key in record))
    source = normalise(file.stem) if file else "given"
    if not any(named.values()) and (layout := find_layout(set(keys))):
        reading = read_layout(records, layout, source)
        return Problems(reading.problems, reading.drops, str(file or ""))
    columns = _columns(named, keys, where)
    problems: dict[str, Problem] = {}
    drops: list[Drop] = []
    for number, record in enumerate(records, 1):
        name = record.get(columns.id, "") if columns.id else str(number)
        try:
            if not name:
                raise Unusable("no id")
            if name in problems:
                raise Unusable("duplicate id")
            problems[name] = _read_row(name, record, columns, source)
        except Unusable as error:
            drops.append(Drop(id=name or f"record {number}", reason=error.reason, detail=error.detail))
    return Problems(problems.values(), drops, str(file or ""))


def _columns(named: Mapping[str, str | None], keys: Sequence[str], where: str) -> Columns:
    """Those that were named must be there; others are taken where they have the usual name."""
    for what, name in named.items():
        if name is not None and name not in keys:
            raise BadInput(_no_column(where, what, name, keys))
    found = {what: name or (what if what in keys else None) for what, name in named.items()}
    if found["text"] is None:
        raise BadInput(_no_column(where, "text", "text", keys) + "; name it: text='...'")
    return Columns(found["id"], found["text"], found["answer"], found["equation"])


def _no_column(where: str, what: str, name: str, keys: Sequence[str]) -> str:
    there = ", ".join(" ".join(key[:30].split()) or "''" for key in keys[:12]) + (", ..." if len(keys) > 12 else "")
    argument = "" if what == name else f" for {what}"
    commas = "; separate columns by commas" if len(keys) == 1 and set(keys[0]) & set(";\t") else ""
    return f"{where}: expected a column {name!r}{argument}, found the columns {there or 'none'}{commas}"


def _read_row(name: str, record: Object, columns: Columns, source: str) -> Problem:
    text = with_brackets(normalise(record.get(columns.text, "")))
    equation = record.get(columns.equation, "") if columns.equation else ""
    if columns.answer is None:
        return _question(name, text, equation or None)
    if not (answer := record.get(columns.answer, "")):
        raise Unusable("no answer")
    return make_problem(name, source, text, answer, equation or None)


def _question(name: str, text: str, equation: str | None) -> Problem:
    try:
        return typed_problem(text, None, equation, name)
    except BadInput as error:
        raise Unusable("cannot be asked", str(error)) from error


def _cell(value: Any) -> str:
    """A cell as text, empty where there is nothing: None, NaN, a list."""
    if hasattr(value, "item") and not isinstance(value, str):  # a scalar of numpy
        value = value.item()
    if isinstance(value, str):
        return value.strip().encode("utf8", "replace").decode("utf8")
    if value is None or isinstance(value, bool) or type(value).__name__ in ("NAType", "NaTType"):
        return ""
    if isinstance(value, float):
        return "" if value != value else str(int(value)) if value.is_integer() else repr(value)
    if isinstance(value, Decimal):
        return format(value, "f")
    return str(value) if isinstance(value, int) or hasattr(value, "numerator") else ""


def _short(value: object) -> str:
    shown = repr(value)
    return f"{shown if len(shown) <= 30 else shown[:30] + '...'} ({type(value).__name__})"
