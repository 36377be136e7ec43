"""Chinese text to tokens, every numeral as one NUM token."""

import logging
from collections.abc import Sequence
from functools import cache
from typing import Any

from mwp.data.dictionary import load_dictionary
from mwp.data.problems import NUMBER_TOKEN, Number


@cache
def _segmenter() -> Any:
    import jieba  # reading its dictionary takes a second

    jieba.setLogLevel(logging.WARNING)
    tokenizer = jieba.Tokenizer()
    # Else jieba would look for a dictionary in the temporary folder.
    tokenizer.FREQ, tokenizer.total = load_dictionary(tokenizer, jieba.__version__)
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
