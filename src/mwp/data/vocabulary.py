"""The words that a solver reads, from the training part alone, and the symbols that it writes, each with its id."""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property

from mwp.arith.expressions import OPERATORS
from mwp.arith.notation import leaf_token
from mwp.data.folds import Fold
from mwp.data.problems import NUMBER_TOKEN, Record
from mwp.data.text import CONSTANTS

# No segmenter makes such words, so no text can hold them.
PAD_TOKEN = "[PAD]"
UNKNOWN_TOKEN = "[UNK]"
SPECIAL_TOKENS = (PAD_TOKEN, UNKNOWN_TOKEN, NUMBER_TOKEN)
PAD, UNKNOWN, NUMBER = range(len(SPECIAL_TOKENS))
CONSTANT_TOKENS = tuple(leaf_token(constant) for constant in CONSTANTS)
OPERATOR_COUNT = len(OPERATORS)
CONSTANT_COUNT = len(CONSTANT_TOKENS)
FIRST_NUMBER = OPERATOR_COUNT + CONSTANT_COUNT
_FIXED = (*OPERATORS, *CONSTANT_TOKENS)
_IDS = {token: position for position, token in enumerate(_FIXED)}
MAX_NUMBERS = 32
INCOMPLETE = "a solution is not one complete prefix expression"


class Vocabulary(Record):
    """A token's id is its index: first the special tokens, then the most frequent."""

    tokens: tuple[str, ...]

    @classmethod
    def build(cls, folds: Iterable[Fold], minimum: int = 1) -> "Vocabulary":
        """Every token that occurs at least `minimum` times in the training parts together."""
        counts: Counter[str] = Counter()
        for fold in folds:
            counts.update(fold.vocabulary)
        ordered = sorted(counts, key=lambda token: (-counts[token], token))
        words = [token for token in ordered if counts[token] >= minimum and token not in SPECIAL_TOKENS]
        return cls(tokens=(*SPECIAL_TOKENS, *words))

    @cached_property
    def ids(self) -> dict[str, int]:
        return {token: index for index, token in enumerate(self.tokens)}

    def encode(self, tokens: Iterable[str]) -> list[int]:
        return [self.ids.get(token, UNKNOWN) for token in tokens]

    def __len__(self) -> int:
        return len(self.tokens)


def symbol_id(token: str) -> int:
    """May raise KeyError for a constant that no solver knows."""
    return FIRST_NUMBER + int(token[1:]) if token.startswith("N") else _IDS[token]


def symbol_token(symbol: int) -> str:
    return _FIXED[symbol] if symbol < FIRST_NUMBER else f"N{symbol - FIRST_NUMBER}"


def symbol_ids(solution: Sequence[str]) -> list[int]:
    return [symbol_id(token) for token in solution]
