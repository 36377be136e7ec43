"""The words a solver knows: those that the training parts of its folds hold often enough."""

from collections import Counter
from collections.abc import Iterable
from functools import cached_property

from mwp.data.folds import Fold
from mwp.data.problems import NUMBER_TOKEN, Record

# No segmenter makes such words, so no text can hold them.
PAD_TOKEN = "[PAD]"
UNKNOWN_TOKEN = "[UNK]"
SPECIAL_TOKENS = (PAD_TOKEN, UNKNOWN_TOKEN, NUMBER_TOKEN)
PAD, UNKNOWN, NUMBER = range(len(SPECIAL_TOKENS))


class Vocabulary(Record):
    """A token's id is its place: first the special tokens, then the most frequent."""

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
