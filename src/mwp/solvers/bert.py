"""The encoder of MWP-BERT: a pre-trained transformer that reads every number as one token of its own."""

from collections.abc import Mapping, Sequence
from typing import Any, Self

from torch import nn

from mwp.data.problems import Problem
from mwp.data.vocabulary import Vocabulary
from mwp.errors import BadInput
from mwp.solvers.config import BertConfig, SolverConfig
from mwp.solvers.dropout import replace_dropouts
from mwp.solvers.frozen import CutBatch, cut_model
from mwp.solvers.gru import make_encoding
from mwp.solvers.interfaces import Encoding
from mwp.solvers.pretrained import NUMBER, Pretrained, from_files, from_nothing, from_source
from mwp.solvers.problem_batch import MAX_NUMBERS, EncodedProblem, ProblemBatch, collate_problems


class BertEncoder(nn.Module):
    def __init__(self, config: BertConfig, pretrained: Pretrained, files: Mapping[str, bytes]) -> None:
        super().__init__()
        self.rate_factor = config.rate_factor
        self.model = pretrained.model
        self.tokenizer = pretrained.tokenizer
        self.files = dict(files)
        self.width: int = self.model.config.hidden_size
        self.number: int = self.tokenizer.convert_tokens_to_ids(NUMBER)
        self.longest = _longest(self.model, self.tokenizer)
        _freeze(self.model, config.frozen)
        replace_dropouts(self.model)
        if config.checkpointing:
            self.model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
        self.cut = cut_model(self.model, config.frozen)
        self.register_load_state_dict_post_hook(_forget)  # type: ignore[no-untyped-call]

    @classmethod
    def start(cls, config: SolverConfig, vocabulary: Vocabulary) -> Self:
        source = config.bert.source
        pretrained = from_nothing(config, vocabulary) if source is None else from_source(source)
        return cls(config.bert, pretrained, pretrained.files())

    @classmethod
    def restore(cls, config: SolverConfig, material: Mapping[str, Any]) -> Self:
        return cls(config.bert, from_files(material["files"]), material["files"])

    @property
    def material(self) -> dict[str, Any]:
        return {"files": self.files}

    def prepare(self, problem: Problem) -> EncodedProblem:
        """Numbers behind the last position that the model has are out of reach."""
        text = marked_text(problem)
        tokens = self.tokenizer(text, truncation=True, max_length=self.longest)["input_ids"] or [self.number]
        places = [place for place, token in enumerate(tokens) if token == self.number]
        return EncodedProblem(tuple(tokens), tuple(places[: min(MAX_NUMBERS, len(problem.numbers))]))

    def collate(self, problems: Sequence[EncodedProblem]) -> ProblemBatch:
        return self.cut.collate(problems, self.training) if self.cut else collate_problems(problems)

    def forward(self, batch: ProblemBatch) -> Encoding:
        if self.cut and isinstance(batch, CutBatch):
            states = self.cut.finish(batch)
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
        raise BadInput(f"solver.bert.frozen: {count} layers, but the encoder has {len(layers)}")
    if count:
        for part in (getattr(model, "embeddings", model.get_input_embeddings()), *layers[:count]):
            part.requires_grad_(False)


def _forget(encoder: BertEncoder, _: Any) -> None:
    """Other weights give other states."""
    if encoder.cut:
        encoder.cut.forget()
