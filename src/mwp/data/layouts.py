"""The data sets by name: which keys their records have. A file is recognised by its keys.

Another package adds its own by the entry point group `mwp.datasets`; each entry point names a `Layout`.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from mwp import extensions

ENTRY_POINTS = "mwp.datasets"


@dataclass(frozen=True)
class Layout:
    """The keys of text, answer and equation; the first answer key that a record has counts.

    The words of a `segmented` text stand apart and are joined. Without an `equation` there are answers only.
    """

    title: str
    text: str
    answers: tuple[str, ...]
    equation: str | None = None
    segmented: bool = False

    @property
    def needed(self) -> set[str]:
        return {"id", self.text} | ({self.equation} if self.equation else set())

    @property
    def keys(self) -> str:
        answer = " or ".join(self.answers)
        return ", ".join(key for key in ("id", self.text, self.equation, answer) if key)

    def fits(self, keys: set[str]) -> bool:
        return self.needed <= keys and not keys.isdisjoint(self.answers)


LAYOUTS: Mapping[str, Layout] = {
    "math23k": Layout("Math23k, Ape210k", "original_text", ("ans", "answer"), equation="equation"),
    "weak12k": Layout("Weak12k", "original_text", ("ans", "answer")),
    "cnmwp": Layout("CNMWP", "ori_text", ("answer", "ans"), segmented=True),
}


def known_layouts() -> list[Layout]:
    """Those of this package, then those of others."""
    added = extensions.added(ENTRY_POINTS, LAYOUTS)
    return [*LAYOUTS.values(), *(extensions.load(entry, Layout) for entry in added.values())]


def find_layout(keys: set[str]) -> Layout | None:
    """Of those that fit the one that reads most of the keys, the first of equals; None if none fits."""
    fitting = [layout for layout in known_layouts() if layout.fits(keys)]
    return max(fitting, key=lambda layout: len(layout.needed), default=None)
