"""Chinese text to tokens, every numeral as one NUM token."""

import logging
import marshal
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from mwp.data.problems import NUMBER_TOKEN, Number


@cache
def _segmenter() -> Any:
    import jieba  # reading its dictionary takes a second

    jieba.setLogLevel(logging.WARNING)
    tokenizer = jieba.Tokenizer()
    # Its own cached dictionary in one piece: jieba reads it value by value, which takes four times as long. Where
    # there is none yet it makes one.
    with suppress(OSError, ValueError, EOFError, TypeError):
        tokenizer.FREQ, tokenizer.total = marshal.loads(Path(tempfile.gettempdir(), "jieba.cache").read_bytes())
        tokenizer.initialized = True
    return tokenizer


def segment(text: str, numbers: Sequence[Number]) -> tuple[str, ...]:
    tokens: list[str] = []
    end = 0
    for number in numbers:
        tokens += _words(text[end : number.start])
        tokens.append(NUMBER_TOKEN)
        end = number.end
    return tuple(tokens + _words(text[end:]))


def _words(text: str) -> list[str]:
    words = (word for word in _segmenter().cut(text) if not word.isspace())
    # The text's own "NUM" must not be taken for a number.
    return [word.lower() if word == NUMBER_TOKEN else word for word in words]
