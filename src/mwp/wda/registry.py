"""The strategies of a search by name: one line each. Nothing of them is loaded before it is needed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from mwp.errors import BadInput

if TYPE_CHECKING:
    from mwp.wda.strategies import SearchStrategy

# Each is made by `module:function`, which is called with the limits of a search.
STRATEGIES: Mapping[str, str] = {
    "paper": "mwp.wda.strategies:paper",
    "published": "mwp.wda.strategies:published",
    "ranked": "mwp.wda.strategies:ranked",
}


@dataclass(frozen=True)
class SearchLimits:
    """What a search of one problem may cost: expressions tried in a given order, or held at once; and how many
    candidates it gives."""

    max_tries: int
    max_expressions: int
    max_candidates: int


def make_strategy(name: str, max_tries: int, max_expressions: int, max_candidates: int) -> SearchStrategy:
    if name not in STRATEGIES:
        raise BadInput(f"expected a strategy of {', '.join(STRATEGIES)}, found {name!r}")
    module, _, function = STRATEGIES[name].partition(":")
    made: SearchStrategy = getattr(import_module(module), function)(
        SearchLimits(max_tries, max_expressions, max_candidates)
    )
    return made
