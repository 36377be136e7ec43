"""Data sets in their own layouts, and problems as somebody types them, read into `Problem` records.

Whatever cannot be used is listed with its reason.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from mwp.arith.expressions import Quantity, evaluate, leaves
from mwp.arith.notation import InfixError, from_prefix, parse, to_prefix
from mwp.arith.numerals import NumeralError, parse_numeral, print_numeral
from mwp.data.files import read_records
from mwp.data.formats import Object, read_objects
from mwp.data.layouts import Layout, find_layout, known_layouts
from mwp.data.problems import Drop, Number, Problem
from mwp.data.text import cut_unit, find_numbers, join_words, map_equation, normalise, segment
from mwp.errors import BadInput

Progress = Callable[[Sequence[Object]], Iterable[Object]]
_UNKNOWN = re.compile(r"^\s*[xX]?\s*=\s*")
MAX_CHARACTERS = 2000
NO_NUMBER = "answer is not a number"
EXAMPLE = "一本书有120页，小明每天看15页，几天看完？"
_CHINESE = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
# `1/3` as people type it; the data sets write `(1/3)`. Dates and what is in brackets stay as they are.
_BARE_FRACTION = re.compile(r"(?<![\d./(])(\d+/0*[1-9]\d*)(?![\d./)])")


@dataclass(frozen=True)
class Reading:
    """What a file holds: the problems, and the records that are none."""

    problems: list[Problem]
    drops: list[Drop]


class Unusable(Exception):
    """Why a record is no problem."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.detail = detail[:80]


def read_problems(path: Path, source: str | None = None, progress: Progress = iter) -> Reading:
    """Every usable problem of a raw file, or of one that `mwp data import` wrote.

    `progress` may wrap the records, e.g. with `rich.progress.track`.
    """
    objects = read_objects(path)
    if objects and objects[0].keys() == Problem.model_fields.keys():
        return Reading(read_records(path, Problem), [])
    return read_layout(objects, _recognise(path, objects), source or normalise(path.stem), progress)


def read_layout(objects: Sequence[Object], layout: Layout, source: str, progress: Progress = iter) -> Reading:
    """The records of a known data set."""
    problems: dict[str, Problem] = {}
    drops: list[Drop] = []
    for number, record in enumerate(progress(objects), 1):
        name = f"record {number}"
        try:
            if not (found := _field(record, "id")):
                raise Unusable("no id")
            name = found
            if name in problems:
                raise Unusable("duplicate id")
            problems[name] = _read_problem(name, record, layout, source)
        except Unusable as error:
            drops.append(Drop(id=name, reason=error.reason, detail=error.detail))
    return Reading(list(problems.values()), drops)


def strip_equations(problems: Iterable[Problem]) -> list[Problem]:
    """A fully supervised data set as an answer-only one."""
    return [problem.model_copy(update={"gold": ()}) for problem in problems]


def _recognise(path: Path, objects: Sequence[Object]) -> Layout:
    keys = {key for record in objects for key in record}
    if layout := find_layout(keys):
        return layout
    expected = "; ".join(f"{layout.keys} ({layout.title})" for layout in known_layouts())
    found = " ".join(normalise(", ".join(key[:20] or "''" for key in sorted(keys)[:8]) or "none").split())
    raise BadInput(f"{path}: expected records with the keys {expected}; found the keys {found}; give such a file")


def _read_problem(name: str, record: Object, layout: Layout, source: str) -> Problem:
    written = _field(record, layout.text)
    text = normalise(join_words(written) if layout.segmented else written)
    spelling = _field(record, *layout.answers)
    equation = _field(record, layout.equation) if layout.equation else None
    return make_problem(name, source, text, spelling, equation)


def make_problem(name: str, source: str, text: str, spelling: str, equation: str | None) -> Problem:
    """From what a record says, in plain spelling. May raise `Unusable`."""
    if not text:
        raise Unusable("no text")
    numbers = _read_numbers(text)
    answer = _read_answer(spelling)
    gold = () if equation is None else _read_equation(equation, numbers)
    return Problem(
        id=name,
        source=source,
        text=text,
        tokens=segment(text, numbers),
        numbers=numbers,
        answer=answer,
        answer_spelling=spelling,
        gold=gold,
    )


def _field(record: Object, *keys: str) -> str:
    """The first of the keys that holds something; a value that is neither text nor number counts as empty."""
    values = [record[key] for key in keys if key in record]
    if not values:
        raise Unusable(f"key missing: {keys[0]}")
    filled = (value.strip() for value in values if isinstance(value, str))
    return next((value.encode("utf8", "replace").decode("utf8") for value in filled if value), "")


def _read_numbers(text: str) -> tuple[Number, ...]:
    try:
        return find_numbers(text)
    except NumeralError as error:
        reason, _, detail = str(error).partition(": ")
        raise Unusable(reason, detail) from error


def _read_answer(spelling: str) -> Fraction:
    """A numeral, or an expression of constants such as `160/(1-20%)`, either with an optional unit."""
    body = cut_unit(normalise(spelling))
    try:
        return parse_numeral(body)
    except NumeralError:
        pass
    try:
        value = evaluate(parse(body))
    except InfixError:
        value = None
    if value is None:
        raise Unusable(NO_NUMBER, spelling)
    return value


def _read_equation(equation: str, numbers: Sequence[Number]) -> tuple[tuple[str, ...], ...]:
    body = cut_unit(_UNKNOWN.sub("", normalise(equation)))
    try:
        readings = map_equation(body, numbers)
    except InfixError as error:
        raise Unusable("equation cannot be read", f"{equation[:40]}: {error}") from error
    for leaf in leaves(readings[0]):
        if isinstance(leaf, Quantity) and leaf.index >= len(numbers):
            raise Unusable("equation cannot be read", f"{equation[:40]}: the text has no N{leaf.index}")
    return tuple(to_prefix(reading) for reading in readings)


def typed_problem(text: str, answer: str | None, equation: str | None, id: str) -> Problem:
    """A problem as somebody types it, with what is known of its answer and its equation."""
    problem = read_question(text, id)
    try:
        known = None if answer is None else _read_answer(answer)
        gold = () if equation is None else _read_equation(equation, problem.numbers)
    except Unusable as error:
        expected = "a number such as 25, 3.5, 20% or 1/3" if str(error) == NO_NUMBER else "an equation such as 56*2-9"
        raise BadInput(f"expected {expected}, found {error.detail!r}: {error}; correct it") from error
    if answer is None and gold:
        known = evaluate(from_prefix(gold[0]), problem.values)
        answer = None if known is None else print_numeral(known)
    return problem.model_copy(update={"answer": known, "answer_spelling": answer or "", "gold": gold})


def read_question(text: str, name: str = "question") -> Problem:
    """A problem to solve, whose answer nobody knows."""
    text = normalise(text)
    if not text:
        raise BadInput(f"expected a problem, found an empty text; write one such as: {EXAMPLE}")
    if len(text) > MAX_CHARACTERS:
        raise BadInput(f"expected at most {MAX_CHARACTERS:,} characters, found {len(text):,}; shorten the text")
    if not _CHINESE.search(text):
        raise BadInput(f"expected a problem in Chinese, found {_start(text)}; write one such as: {EXAMPLE}")
    text = with_brackets(text)
    try:
        numbers = find_numbers(text)
    except NumeralError as error:
        raise BadInput(f"cannot read a number of the text: {error}; correct it") from error
    if not numbers:
        raise BadInput(f"expected numbers in digits, such as 25, 3.5, 20% or 1/3, found none in {_start(text)}")
    return Problem(
        id=name,
        source=name,
        text=text,
        tokens=segment(text, numbers),
        numbers=numbers,
        answer=None,
        answer_spelling="",
    )


def with_brackets(text: str) -> str:
    """`1/3` as the data sets write it: `(1/3)`."""
    return _BARE_FRACTION.sub(r"(\1)", text)


def _start(text: str) -> str:
    """Enough of it to recognise it, in one line."""
    line = " ".join(text.split())
    return repr(line if len(line) <= 30 else f"{line[:30]}...")
