"""A transformer with its tokenizer: from a folder, the hub, the files in a checkpoint, or with random weights.

The one module that knows the library `transformers`, which takes seconds to load and so is loaded late.
"""

import os
import pickle
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import torch
from safetensors import SafetensorError

from mwp.data.vocabulary import SPECIAL_TOKENS, Vocabulary
from mwp.errors import BadInput
from mwp.solvers.config import SolverConfig

NUMBER = "[NUM]"
PAD, UNKNOWN, FIRST, LAST = "[PAD]", "[UNK]", "[CLS]", "[SEP]"
POSITIONS = 512  # of one with random weights
SECONDS = 5
OPTION = "solver.bert.source"
_HUB_ID = re.compile(r"\w[\w.-]*(/\w[\w.-]*)?", re.ASCII)
# What the library raises for files that are missing, damaged or of a kind that it does not know.
_UNREADABLE = (
    OSError,
    ValueError,
    KeyError,
    ImportError,
    RuntimeError,
    EOFError,
    pickle.UnpicklingError,
    SafetensorError,
)


@dataclass(frozen=True)
class Pretrained:
    """The tokenizer knows NUMBER as one token."""

    model: Any
    tokenizer: Any

    def files(self) -> dict[str, bytes]:
        """All that `from_files` needs, by file name."""
        with TemporaryDirectory() as folder:
            self.model.config.save_pretrained(folder)
            self.tokenizer.save_pretrained(folder)
            return {path.name: path.read_bytes() for path in sorted(Path(folder).iterdir())}


def from_files(files: Mapping[str, bytes]) -> Pretrained:
    """Its weights are still to be loaded."""
    library = _library()
    with TemporaryDirectory() as folder:
        for name, content in files.items():
            (Path(folder) / name).write_bytes(content)
        config = library.AutoConfig.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
        tokenizer = library.AutoTokenizer.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
    return Pretrained(_bare(library.AutoModel.from_config(config, trust_remote_code=False)), tokenizer)


def from_nothing(config: SolverConfig, vocabulary: Vocabulary) -> Pretrained:
    """A small BERT with random weights that reads the characters of the vocabulary's words."""
    if config.hidden % config.bert.heads:
        raise BadInput(f"solver.bert.heads: {config.bert.heads} heads do not divide solver.hidden, {config.hidden}")
    library, tokenizer = _library(), _character_tokenizer(vocabulary)
    shape = library.BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=config.hidden,
        num_hidden_layers=config.bert.layers,
        num_attention_heads=config.bert.heads,
        intermediate_size=4 * config.hidden,
        hidden_dropout_prob=config.dropout,
        attention_probs_dropout_prob=config.dropout,
        max_position_embeddings=POSITIONS,
    )
    return Pretrained(_bare(library.AutoModel.from_config(shape)), tokenizer)


def from_source(source: str) -> Pretrained:
    """A folder, or a hub id: from the cache of downloads if it is there, else over the network."""
    if Path(source).is_dir():
        return _read(source, f"the folder {source}", local=True)
    parent = Path(source).parent
    if not _HUB_ID.fullmatch(source) or (parent != Path() and parent.is_dir()):
        raise BadInput(f"{OPTION}: there is no folder {source}; give one that holds a saved encoder, or a hub id")
    try:
        return _read(source, f"the cached {source}", local=True)
    except BadInput:
        _ask_hub(source)
        return _read(source, f"{source} of the hub", local=False)


def _read(source: str, name: str, local: bool) -> Pretrained:
    library, options = _library(), {"local_files_only": local, "trust_remote_code": False}
    try:
        tokenizer = library.AutoTokenizer.from_pretrained(source, **options)
        model, report = library.AutoModel.from_pretrained(source, output_loading_info=True, **options)
    except _UNREADABLE as error:
        raise BadInput(
            f"{OPTION}: cannot load {name}: {_line(error)}; expected config.json, tokenizer and weights"
        ) from error
    # A head for other tasks may be missing; any other weight would start from chance without a word.
    if missing := sorted(key for key in report["missing_keys"] if "pooler" not in key):
        raise BadInput(f"{OPTION}: {name} has no weights for {missing[0]} ({len(missing)} such); give another")
    if model.config.is_encoder_decoder:
        raise BadInput(f"{OPTION}: {name} is an encoder with a decoder; give an encoder such as a BERT")
    _add_number(model, tokenizer)
    return Pretrained(_bare(model), tokenizer)


def _ask_hub(source: str) -> None:
    """One question with a time limit; the library itself would try again and again for half a minute."""
    from huggingface_hub import HfApi

    try:
        HfApi().model_info(source, timeout=SECONDS)
    except Exception as error:  # its network library, and so the kind of error, changes with the version
        raise BadInput(
            f"{OPTION}: {source} is neither a folder nor in the cache of downloads, and the hub did not give it "
            f"({_line(error)}); download it where there is a network and give its folder"
        ) from error


def _line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]


def _add_number(model: Any, tokenizer: Any) -> None:
    """The new token starts as the mean of the digits: a fair meaning even if embeddings are frozen."""
    tokenizer.add_tokens([NUMBER], special_tokens=True)
    if len(tokenizer) > model.get_input_embeddings().num_embeddings:
        model.resize_token_embeddings(len(tokenizer), mean_resizing=False)
    rows = model.get_input_embeddings().weight
    with torch.no_grad():
        digits = tokenizer.convert_tokens_to_ids(list("0123456789"))
        rows[tokenizer.convert_tokens_to_ids(NUMBER)] = rows[digits].mean(dim=0)


def _bare(model: Any) -> Any:
    """Without the head on the first token, which no loss would reach, and in one precision whatever the file has."""
    if getattr(model, "pooler", None) is not None:
        model.pooler = None
    return model.float().train()


def _character_tokenizer(vocabulary: Vocabulary) -> Any:
    from tokenizers import Regex, Tokenizer, models, pre_tokenizers, processors

    words = (word for word in vocabulary.tokens if word not in SPECIAL_TOKENS)
    symbols = [PAD, UNKNOWN, FIRST, LAST, NUMBER, *sorted({character for word in words for character in word})]
    ids = {symbol: position for position, symbol in enumerate(symbols)}
    tokenizer = Tokenizer(models.WordLevel(ids, unk_token=UNKNOWN))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Split(Regex("."), "isolated")]
    )
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{FIRST} $A {LAST}", special_tokens=[(FIRST, ids[FIRST]), (LAST, ids[LAST])]
    )
    tokenizer.add_special_tokens([NUMBER])
    return _library().PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token=PAD, unk_token=UNKNOWN, cls_token=FIRST, sep_token=LAST
    )


def _library() -> Any:
    """Without its advice and its progress bars, and without threads that a fork would warn about."""
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    import transformers

    library: Any = transformers
    library.utils.logging.set_verbosity_error()
    library.utils.logging.disable_progress_bar()
    return library
