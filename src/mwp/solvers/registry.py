"""The backbones by name: each an encoder and a decoder, one line. Nothing of them is loaded before it is needed."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from mwp.data.vocabulary import Vocabulary
from mwp.solvers.config import SolverConfig


@dataclass(frozen=True)
class Backbone:
    """`title` as the paper writes it; encoder and decoder as `module.Class` of this package."""

    title: str
    encoder: str
    decoder: str


BACKBONES: Mapping[str, Backbone] = {
    "dns": Backbone("DNS", "gru.GruEncoder", "sequence.SequenceDecoder"),
    "s-aligned": Backbone("S-Aligned", "gru.GruEncoder", "stack.StackDecoder"),
    "gts": Backbone("GTS", "gru.GruEncoder", "gts.GtsDecoder"),
    "graph2tree": Backbone("Graph2Tree", "graph.GraphEncoder", "gts.GtsDecoder"),
    "mwp-bert": Backbone("MWP-BERT", "bert.BertEncoder", "gts.GtsDecoder"),
}


def start_solver(name: str, config: SolverConfig, vocabulary: Vocabulary) -> Any:
    """A solver that has learned nothing yet, but what a pre-trained encoder brings."""
    return _solver(name, config, _load(BACKBONES[name].encoder).start(config, vocabulary))


def restore_solver(name: str, config: SolverConfig, material: Mapping[str, Any]) -> Any:
    """A solver of the same shape as the one whose encoder left the material; its weights are still to be loaded."""
    return _solver(name, config, _load(BACKBONES[name].encoder).restore(config, material))


def _solver(name: str, config: SolverConfig, encoder: Any) -> Any:
    decoder = _load(BACKBONES[name].decoder)(encoder.width, config.dropout, config.max_operators)
    return _load("solver.Solver")(encoder, decoder)


def _load(path: str) -> Any:
    module, name = path.split(".")
    return getattr(import_module(f"mwp.solvers.{module}"), name)
