"""Texts as files write them, brought to the one spelling that the number mapping reads."""

import re
from decimal import Decimal

_WIDE = str.maketrans("０１２３４５６７８９％／", "0123456789%/")
_WIDE_FRACTION = re.compile(r"（(\d+/\d+)）")
_ESCAPE = re.compile(r"\\+u([0-9a-fA-F]{4})")
_SCIENTIFIC = re.compile(r"(?<![\d.])\d+(?:\.\d+)?[eE][-+]?\d{1,2}(?!\d)")
_WHOLE = re.compile(r"(\d+)\.0(%?)")
_NOT_OF_AN_EQUATION = re.compile(r"[^\d\s.,:：=+\-−－＋*×/÷^()（）\[\]{}%％]")
_UNIT_POWER = re.compile(r"(?<=[a-z])[23]")


def normalise(text: str) -> str:
    """Full-width digits, percents and fractions, `4e-07` and `\\u3000` in plain spelling; the rest as it is."""
    text = _ESCAPE.sub(lambda match: chr(int(match[1], 16)), text)
    # A lone surrogate is no character, and no file could hold it.
    text = text.encode("utf8", "replace").decode("utf8")
    text = _WIDE_FRACTION.sub(r"(\1)", text.translate(_WIDE))
    return _SCIENTIFIC.sub(lambda match: format(Decimal(match[0]), "f"), text).strip()


def join_words(text: str) -> str:
    """A segmented text in one piece: `积 是 48.0 ．` to `积是48．`; two numerals side by side stay apart."""
    joined = ""
    for word in text.split():
        word = _WHOLE.sub(r"\1\2", word) if _WHOLE.fullmatch(word) else word
        apart = joined[-1:].isdecimal() and word[:1].isdecimal()
        joined += f" {word}" if apart else word
    return joined


def cut_unit(text: str) -> str:
    """`80千米/小时` to `80`. What follows must be a unit and nothing to calculate with, else the text stays whole."""
    match = _NOT_OF_AN_EQUATION.search(text)
    if match is None or re.search(r"\d", _UNIT_POWER.sub("", text[match.start() :])):
        return text
    return text[: match.start()].strip()
