"""The encoder of MWP-BERT: a pre-trained transformer that reads every number as one token of its own.

Where its lowest layers are frozen, what they give for a problem is computed once and cached.
"""

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any, Self

import torch
from torch import Tensor, nn

from mwp.data.problems import Problem
from mwp.data.vocabulary import MAX_NUMBERS, Vocabulary
from mwp.errors import BadInput
from mwp.solvers.base import Encoding, make_encoding
from mwp.solvers.batch import EncodedProblem, ProblemBatch, collate_problems
from mwp.solvers.config import BertConfig, SolverConfig
from mwp.solvers.layers import replace_dropouts
from mwp.solvers.pretrained import NUMBER, Pretrained, from_files, from_nothing, from_source

# Those whose model is `embeddings`, then `encoder` with its list `layer`, and nothing else.
KINDS = frozenset({"bert", "camembert", "ernie", "roberta", "xlm-roberta"})
CACHE_BYTES = 4 * 2**30  # bytes; 22,000 problems of 45 tokens take 2.0e9 at width 512 and 3.0e9 at 768


class BertEncoder(nn.Module):
    def __init__(self, config: BertConfig, pretrained: Pretrained, files: Mapping[str, bytes]) -> None:
        super().__init__()
        self.encoder_lr_scale = config.encoder_lr_scale
        self.model = pretrained.model
        self.tokenizer = pretrained.tokenizer
        self.files = dict(files)
        self.width: int = self.model.config.hidden_size
        self.number: int = self.tokenizer.convert_tokens_to_ids(NUMBER)
        self.longest = _longest(self.model, self.tokenizer)
        _freeze(self.model, config.freeze_layers)
        replace_dropouts(self.model)
        if config.checkpointing:
            self.model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
        self.frozen_prefix = frozen_prefix_cache(self.model, config.freeze_layers)
        self.register_load_state_dict_post_hook(_forget)  # type: ignore[no-untyped-call]

    @classmethod
    def start(cls, config: SolverConfig, vocabulary: Vocabulary) -> Self:
        source = config.bert.source
        pretrained = from_nothing(config, vocabulary) if source is None else from_source(source)
        return cls(config.bert, pretrained, pretrained.files())

    @classmethod
    def restore(cls, config: SolverConfig, assets: Mapping[str, Any]) -> Self:
        return cls(config.bert, from_files(assets["files"]), assets["files"])

    @property
    def assets(self) -> dict[str, Any]:
        return {"files": self.files}

    def prepare(self, problem: Problem) -> EncodedProblem:
        """Numbers behind the model's last position are out of reach."""
        text = marked_text(problem)
        tokens = self.tokenizer(text, truncation=True, max_length=self.longest)["input_ids"] or [self.number]
        positions = [position for position, token in enumerate(tokens) if token == self.number]
        return EncodedProblem(tuple(tokens), tuple(positions[: min(MAX_NUMBERS, len(problem.numbers))]))

    def collate(self, problems: Sequence[EncodedProblem]) -> ProblemBatch:
        return self.frozen_prefix.collate(problems, self.training) if self.frozen_prefix else collate_problems(problems)

    def forward(self, batch: ProblemBatch) -> Encoding:
        if self.frozen_prefix and isinstance(batch, FrozenPrefixBatch):
            states = self.frozen_prefix.finish(batch)
        else:
            states = self.model(input_ids=batch.tokens, attention_mask=batch.token_mask.long()).last_hidden_state
        mask = batch.token_mask[..., None]
        return make_encoding(states, (states * mask).sum(dim=1) / mask.sum(dim=1), batch)


def marked_text(problem: Problem) -> str:
    """The text with every number replaced; its own "[NUM]" must not be taken for one."""
    starts = [0, *(number.end for number in problem.numbers)]
    ends = [*(number.start for number in problem.numbers), len(problem.text)]
    pieces = (problem.text[start:end] for start, end in zip(starts, ends, strict=True))
    return NUMBER.join(piece.replace(NUMBER, NUMBER.lower()) for piece in pieces)


def _longest(model: Any, tokenizer: Any) -> int:
    """The tokens that there are positions for; RoBERTa and its kin begin to count after the padding's id."""
    positions = getattr(getattr(model, "embeddings", None), "position_embeddings", None)
    padding = getattr(positions, "padding_idx", None)
    unused = 0 if padding is None else padding + 1
    return int(min(tokenizer.model_max_length, model.config.max_position_embeddings - unused))


def _freeze(model: Any, count: int) -> None:
    """The embeddings and the lowest `count` layers; with 0 all of the model learns."""
    total = model.config.num_hidden_layers
    stacks = (module for module in model.modules() if isinstance(module, nn.ModuleList) and len(module) == total)
    layers = next(stacks, nn.ModuleList())
    if count > len(layers):
        raise BadInput(f"solver.bert.freeze_layers: {count} layers, but the encoder has {len(layers)}")
    if count:
        for part in (getattr(model, "embeddings", model.get_input_embeddings()), *layers[:count]):
            part.requires_grad_(False)


def _forget(encoder: BertEncoder, _: Any) -> None:
    """Cached states are of the old weights."""
    if encoder.frozen_prefix:
        encoder.frozen_prefix.forget()


@dataclass(frozen=True)
class FrozenPrefixBatch(ProblemBatch):
    states: Tensor  # (B, T, H) behind the last frozen layer, 0 at padding


class FrozenPrefixCache:
    """The frozen layers run without dropout, and one problem at a time: their states are the same to the last bit
    whatever the batch, so that a resumed training, which has other problems in its cache, gets the same.

    States are cached in host memory while there is room, from the first batch in training mode on: a solver that only
    serves does not grow. It is no module: the weights are the model's, and the cache belongs in no checkpoint.
    """

    def __init__(self, model: Any, frozen: int) -> None:
        """Checkpointing, if any, must be on already."""
        layers = model.encoder.layer
        self.embeddings = model.embeddings
        self.frozen_layers = _with_layers(model.encoder, layers[:frozen])
        self.trained_layers = _with_layers(model.encoder, layers[frozen:])
        self.caches = False
        self.room = CACHE_BYTES
        self.cached: dict[tuple[int, ...], Tensor] = {}

    def collate(self, problems: Sequence[EncodedProblem], training: bool) -> FrozenPrefixBatch:
        """Runs what is missing on the model's device."""
        self.caches |= training
        rows = [self._states(problem.tokens) for problem in problems]
        return FrozenPrefixBatch(
            **vars(collate_problems(problems)), states=nn.utils.rnn.pad_sequence(rows, batch_first=True)
        )

    def finish(self, batch: FrozenPrefixBatch) -> Tensor:
        """(B, T, H) after the last layer."""
        kind = batch.states.dtype
        mask = torch.zeros_like(batch.token_mask, dtype=kind).masked_fill(~batch.token_mask, torch.finfo(kind).min)
        states: Tensor = self.trained_layers(batch.states, attention_mask=mask[:, None, None]).last_hidden_state
        return states

    def forget(self) -> None:
        """For when the weights have changed."""
        self.cached, self.room = {}, CACHE_BYTES

    def _states(self, tokens: tuple[int, ...]) -> Tensor:
        if tokens in self.cached:
            return self.cached[tokens]
        states = self._compute(tokens)
        if self.caches and states.nbytes <= self.room:
            self.cached[tokens] = states
            self.room -= states.nbytes
        return states

    @torch.no_grad()
    def _compute(self, tokens: tuple[int, ...]) -> Tensor:
        """(T, H) on the host."""
        self.embeddings.eval()
        self.frozen_layers.eval()
        device = next(self.embeddings.parameters()).device
        states = self.embeddings(input_ids=torch.tensor([tokens], device=device))
        done: Tensor = self.frozen_layers(states).last_hidden_state
        return done[0].cpu()


def frozen_prefix_cache(model: Any, frozen: int) -> FrozenPrefixCache | None:
    """None where nothing is frozen, or where it is not known how the parts of such a model go together."""
    known = model.config.model_type in KINDS and not model.config.is_decoder
    return FrozenPrefixCache(model, frozen) if frozen and known else None


def _with_layers(encoder: Any, layers: nn.ModuleList) -> Any:
    """The library's own loop over some of its layers, which both share."""
    part = copy(encoder)
    part._modules = {**encoder._modules, "layer": layers}
    return part
