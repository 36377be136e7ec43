"""A transformer cut in two: what the frozen part below the cut gives for a problem is computed once and kept."""

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from mwp.solvers.problem_batch import EncodedProblem, ProblemBatch, collate_problems

# Those whose model is `embeddings`, then `encoder` with its list `layer`, and nothing else.
KINDS = frozenset({"bert", "camembert", "ernie", "roberta", "xlm-roberta"})
ROOM = 4 * 2**30  # bytes; 22,000 problems of 45 tokens take 2.0e9 at width 512 and 3.0e9 at 768


@dataclass(frozen=True)
class CutBatch(ProblemBatch):
    states: Tensor  # (B, T, H) at the cut, 0 at padding


class CutModel:
    """What is below the cut runs without dropout, and one problem at a time: its states are the same to the last bit
    whatever the batch, so that a resumed training, whose batches find other problems missing, goes on with the same.

    States are kept in host memory while there is room, from the first batch in training mode on: a solver that only
    serves does not grow. No module, for the weights are the model's, and what is kept belongs in no checkpoint.
    """

    def __init__(self, model: Any, frozen: int) -> None:
        """Checkpointing, if any, must be on already."""
        layers = model.encoder.layer
        self.embeddings = model.embeddings
        self.below = _with_layers(model.encoder, layers[:frozen])
        self.above = _with_layers(model.encoder, layers[frozen:])
        self.keeps = False
        self.room = ROOM
        self.kept: dict[tuple[int, ...], Tensor] = {}

    def collate(self, problems: Sequence[EncodedProblem], training: bool) -> CutBatch:
        """Runs what is missing on the model's device."""
        self.keeps |= training
        rows = [self._states(problem.tokens) for problem in problems]
        return CutBatch(**vars(collate_problems(problems)), states=nn.utils.rnn.pad_sequence(rows, batch_first=True))

    def finish(self, batch: CutBatch) -> Tensor:
        """(B, T, H) after the last layer."""
        kind = batch.states.dtype
        mask = torch.zeros_like(batch.token_mask, dtype=kind).masked_fill(~batch.token_mask, torch.finfo(kind).min)
        states: Tensor = self.above(batch.states, attention_mask=mask[:, None, None]).last_hidden_state
        return states

    def forget(self) -> None:
        """For when the weights have changed."""
        self.kept, self.room = {}, ROOM

    def _states(self, tokens: tuple[int, ...]) -> Tensor:
        if tokens in self.kept:
            return self.kept[tokens]
        states = self._compute(tokens)
        if self.keeps and states.nbytes <= self.room:
            self.kept[tokens] = states
            self.room -= states.nbytes
        return states

    @torch.no_grad()
    def _compute(self, tokens: tuple[int, ...]) -> Tensor:
        """(T, H) on the host."""
        self.embeddings.eval()
        self.below.eval()
        device = next(self.embeddings.parameters()).device
        states = self.embeddings(input_ids=torch.tensor([tokens], device=device))
        done: Tensor = self.below(states).last_hidden_state
        return done[0].cpu()


def cut_model(model: Any, frozen: int) -> CutModel | None:
    """None where nothing is frozen, or where it is not known how the parts of such a model go together."""
    known = model.config.model_type in KINDS and not model.config.is_decoder
    return CutModel(model, frozen) if frozen and known else None


def _with_layers(encoder: Any, layers: nn.ModuleList) -> Any:
    """The library's own loop over some of its layers, which both share."""
    part = copy(encoder)
    part._modules = {**encoder._modules, "layer": layers}
    return part
