"""A problem as somebody types it: a text alone, without an answer."""

import re
from typing import Any

from mwp.arith.numerals import NumeralError
from mwp.data.mapping import find_numbers
from mwp.data.problems import Problem
from mwp.data.segmentation import segment
from mwp.data.texts import normalise
from mwp.errors import BadInput

MAX_CHARACTERS = 2000
EXAMPLE = "一本书有120页，小明每天看15页，几天看完？"

_CHINESE = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
# `1/3` as people type it; the data sets write `(1/3)`. What stands in a date or in brackets stays as it is.
_BARE_FRACTION = re.compile(r"(?<![\d./(])(\d+/0*[1-9]\d*)(?![\d./)])")


def read_question(text: str, name: str = "question") -> Problem:
    """A problem to solve; whoever asks for its answer gets an AttributeError, for nobody knows it."""
    text = normalise(text)
    if not text:
        raise BadInput(f"expected a problem, found an empty text; write one such as: {EXAMPLE}")
    if len(text) > MAX_CHARACTERS:
        raise BadInput(f"expected at most {MAX_CHARACTERS:,} characters, found {len(text):,}; shorten the text")
    if not _CHINESE.search(text):
        raise BadInput(f"expected a problem in Chinese, found {_start(text)}; write one such as: {EXAMPLE}")
    text = _BARE_FRACTION.sub(r"(\1)", text)
    try:
        numbers = find_numbers(text)
    except NumeralError as error:
        raise BadInput(f"cannot read a number of the text: {error}; correct it") from error
    if not numbers:
        raise BadInput(f"expected numbers in digits, such as 25, 3.5, 20% or 1/3, found none in {_start(text)}")
    known: dict[str, Any] = {"id": name, "source": name, "text": text, "numbers": numbers}
    return Problem.model_construct(**known, tokens=segment(text, numbers))


def _start(text: str) -> str:
    """Enough of it to know it again, in one line."""
    line = " ".join(text.split())
    return repr(line if len(line) <= 30 else f"{line[:30]}...")
