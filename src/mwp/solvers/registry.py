"""The backbones by name: each an encoder and a decoder, one line. Nothing of them is loaded before it is needed.

Another package adds its own by the entry point group `mwp.backbones`; each entry point names a `Backbone`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from mwp import extensions
from mwp.errors import BadInput

if TYPE_CHECKING:
    from mwp.data.vocabulary import Vocabulary
    from mwp.solvers.config import SolverConfig

ENTRY_POINTS = "mwp.backbones"


@dataclass(frozen=True)
class Backbone:
    """`title` as the paper writes it; encoder and decoder as `module:Class`."""

    title: str
    encoder: str
    decoder: str


BACKBONES: Mapping[str, Backbone] = {
    "dns": Backbone("DNS", "mwp.solvers.gru:GruEncoder", "mwp.solvers.sequence:SequenceDecoder"),
    "s-aligned": Backbone("S-Aligned", "mwp.solvers.gru:GruEncoder", "mwp.solvers.stack:StackDecoder"),
    "gts": Backbone("GTS", "mwp.solvers.gru:GruEncoder", "mwp.solvers.gts:GtsDecoder"),
    "graph2tree": Backbone("Graph2Tree", "mwp.solvers.graph2tree:GraphEncoder", "mwp.solvers.gts:GtsDecoder"),
    "mwp-bert": Backbone("MWP-BERT", "mwp.solvers.bert:BertEncoder", "mwp.solvers.gts:GtsDecoder"),
}


def backbone_names() -> list[str]:
    """Those of this package, then those of others."""
    return [*BACKBONES, *extensions.added(ENTRY_POINTS, BACKBONES)]


def known_backbone(name: str) -> str:
    """The name itself, for pydantic to check."""
    if name not in BACKBONES and name not in (known := backbone_names()):
        raise ValueError(f"expected one of {', '.join(known)}")
    return name


def find_backbone(name: str) -> Backbone:
    if name in BACKBONES:
        return BACKBONES[name]
    added = extensions.added(ENTRY_POINTS, BACKBONES)
    if name not in added:
        raise BadInput(f"expected a backbone of {', '.join(backbone_names())}, found {name!r}")
    return extensions.load(added[name], Backbone)


def start_solver(name: str, config: SolverConfig, vocabulary: Vocabulary) -> Any:
    """A network that has learned nothing yet, but what a pre-trained encoder brings."""
    extensions.added(ENTRY_POINTS, BACKBONES)  # nothing is trained while one name means two things
    return _network(name, config, _load(find_backbone(name).encoder).start(config, vocabulary))


def restore_solver(name: str, config: SolverConfig, assets: Mapping[str, Any]) -> Any:
    """A network of the same shape as the one whose encoder left the assets; its weights are still to be loaded."""
    return _network(name, config, _load(find_backbone(name).encoder).restore(config, assets))


def _network(name: str, config: SolverConfig, encoder: Any) -> Any:
    decoder = _load(find_backbone(name).decoder)(encoder.width, config.dropout, config.max_operators)
    return _load("mwp.solvers.base:EncoderDecoder")(encoder, decoder)


def _load(path: str) -> Any:
    module, _, name = path.partition(":")
    try:
        return getattr(import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise BadInput(f"cannot load {path}: {error}") from error
