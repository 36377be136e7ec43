"""MWP-BERT's encoder: a tiny BERT through the real loading path, from a folder into a checkpoint and back."""

import shutil
from fractions import Fraction
from pathlib import Path

import pytest
import torch

from mwp.data.problems import Problem
from mwp.data.text import find_numbers, segment
from mwp.data.vocabulary import SPECIAL_TOKENS, Vocabulary
from mwp.errors import BadInput
from mwp.solvers.base import Encoding
from mwp.solvers.bert import BertEncoder, marked_text
from mwp.solvers.config import BertConfig, SolverConfig
from mwp.solvers.pretrained import Pretrained
from mwp.solvers.registry import restore_solver, start_solver
from mwp.training.checkpoint import load, save
from mwp.training.config import OptimizerConfig
from mwp.training.learner import make_optimizer
from tests.solvers.test_synchronisation import Waits

TEXTS = [
    "小明有3.5千克苹果，卖掉25%，又卖掉(1/6)，还剩多少千克？",
    "一个数的(1/6)是12，这个数是多少？",
    "求面积。",
]


def toy_problem(text: str) -> Problem:
    numbers = find_numbers(text)
    return Problem(
        id="1",
        source="toy",
        text=text,
        tokens=segment(text, numbers),
        numbers=numbers,
        answer=Fraction(1),
        answer_spelling="1",
    )


PROBLEMS = [toy_problem(text) for text in TEXTS]
WORDS = dict.fromkeys(token for problem in PROBLEMS for token in problem.tokens if token not in SPECIAL_TOKENS)
VOCABULARY = Vocabulary(tokens=(*SPECIAL_TOKENS, *WORDS))


def toy_config(dropout: float = 0.0, hidden: int = 16, **bert: object) -> SolverConfig:
    return SolverConfig(
        embedding=8,
        hidden=hidden,
        dropout=dropout,
        max_operators=4,
        min_count=1,
        bert=BertConfig.model_validate({"heads": 2, **bert}),
    )


def toy_encoder(dropout: float = 0.0, **bert: object) -> BertEncoder:
    torch.manual_seed(1)
    return BertEncoder.start(toy_config(dropout, **bert), VOCABULARY)


def encode(encoder: BertEncoder, problems: list[Problem] = PROBLEMS) -> Encoding:
    encoding: Encoding = encoder(encoder.collate([encoder.prepare(problem) for problem in problems]))
    return encoding


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """What a user would have downloaded: an encoder with a head, whose tokenizer knows no number token."""
    from transformers import BertConfig as Shape
    from transformers import BertModel, BertTokenizer

    characters = sorted({character for text in TEXTS for character in text} | set("0123456789"))
    source = tmp_path / "encoder"
    source.mkdir()
    (source / "vocab.txt").write_text("\n".join(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *characters]), "utf8")
    torch.manual_seed(2)
    tokenizer = BertTokenizer.from_pretrained(source)
    shape = Shape(
        vocab_size=len(tokenizer),
        hidden_size=24,
        num_hidden_layers=3,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=40,
    )
    tokenizer.save_pretrained(source)
    BertModel(shape).save_pretrained(source)
    return source


def test_numbers_are_one_token_each_at_their_places() -> None:
    encoder = toy_encoder()
    prepared = encoder.prepare(PROBLEMS[0])
    tokens = encoder.tokenizer.convert_ids_to_tokens(list(prepared.tokens))
    assert tokens == [
        *("[CLS]", "小", "明", "有", "[NUM]", "千", "克", "苹", "果", "，", "卖", "掉", "[NUM]", "，"),
        *("又", "卖", "掉", "[NUM]", "，", "还", "剩", "多", "少", "千", "克", "？", "[SEP]"),
    ]
    assert prepared.numbers == (4, 12, 17)


def test_a_downloaded_encoder_learns_the_number_token(folder: Path) -> None:
    encoder = toy_encoder(source=str(folder))
    for problem in PROBLEMS:
        prepared = encoder.prepare(problem)
        tokens = encoder.tokenizer.convert_ids_to_tokens(list(prepared.tokens))
        assert [position for position, token in enumerate(tokens) if token == "[NUM]"] == list(prepared.numbers)
        assert len(prepared.numbers) == len(problem.numbers)
    assert encoder.width == 24
    rows = encoder.model.get_input_embeddings().weight
    digits = encoder.tokenizer.convert_tokens_to_ids(list("0123456789"))
    assert torch.allclose(rows[encoder.number], rows[digits].mean(0))


def test_the_texts_own_number_token_is_no_number() -> None:
    assert marked_text(toy_problem("a[NUM]b 3 c")) == "a[num]b [NUM] c"
    encoder = toy_encoder()
    assert len(encoder.prepare(toy_problem("a[NUM]b 3 c")).numbers) == 1


def test_what_has_no_position_is_cut_and_its_numbers_are_out_of_reach(folder: Path) -> None:
    encoder = toy_encoder(source=str(folder))
    prepared = encoder.prepare(toy_problem("果" * 20 + "3" + "果" * 30 + "4"))
    assert (len(prepared.tokens), prepared.numbers) == (40, (21,))
    assert encode(encoder, [toy_problem("果" * 100)]).states.shape == (1, 40, 24)


def test_an_encoder_that_counts_positions_after_its_padding_is_cut_in_time() -> None:
    from transformers import RobertaConfig, RobertaModel

    shape = RobertaConfig(
        vocab_size=100,
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=8,
        max_position_embeddings=42,
        pad_token_id=1,
    )
    tokenizer = toy_encoder().tokenizer
    encoder = BertEncoder(BertConfig(), Pretrained(RobertaModel(shape).eval(), tokenizer), {})
    assert encode(encoder, [toy_problem("果" * 100)]).states.shape == (1, 40, 16)


def test_an_encoder_comes_back_from_a_checkpoint_without_its_folder(folder: Path, tmp_path: Path) -> None:
    config = toy_config(source=str(folder))
    first = start_solver("mwp-bert", config, VOCABULARY).eval()
    save(tmp_path / "model.pt", {"solver": first.state_dict(), "material": first.encoder.assets})
    shutil.rmtree(folder)
    content = load(tmp_path / "model.pt")
    second = restore_solver("mwp-bert", config, content["material"]).eval()
    second.load_state_dict(content["solver"])
    before, after = encode(first.encoder), encode(second.encoder)
    assert torch.equal(before.states, after.states)
    assert torch.equal(before.problem, after.problem)
    assert torch.equal(before.numbers, after.numbers)
    assert first.encoder.assets == second.encoder.assets


def test_an_encoder_from_nothing_comes_back_as_well(tmp_path: Path) -> None:
    first = toy_encoder(dropout=0.3)
    save(tmp_path / "model.pt", {"solver": first.state_dict(), "material": first.assets})
    content = load(tmp_path / "model.pt")
    second = BertEncoder.restore(toy_config(), content["material"])
    second.load_state_dict(content["solver"])
    assert torch.equal(encode(first.eval()).states, encode(second.eval()).states)
    assert second.model.config.hidden_dropout_prob == 0.3


def test_the_problem_vector_is_the_mean_of_the_true_token_states() -> None:
    encoder = toy_encoder()
    encoding = encode(encoder)
    for row, problem in enumerate(PROBLEMS):
        states = encoding.states[row, : len(encoder.prepare(problem).tokens)]
        assert torch.allclose(encoding.problem[row], states.mean(0), atol=1e-6)


def test_padding_and_company_change_nothing() -> None:
    encoder = toy_encoder()
    together = encode(encoder)
    for row, problem in enumerate(PROBLEMS):
        alone = encode(encoder, [problem])
        assert torch.allclose(alone.states[0], together.states[row, : alone.states.shape[1]], atol=1e-5)
        assert torch.allclose(alone.problem[0], together.problem[row], atol=1e-5)
        count = len(problem.numbers)
        assert torch.allclose(alone.numbers[0, :count], together.numbers[row, :count], atol=1e-5)


def test_every_weight_that_is_not_frozen_gets_a_gradient(folder: Path) -> None:
    for frozen, still in ((0, ()), (2, ("embeddings.", "encoder.layer.0.", "encoder.layer.1."))):
        encoder = toy_encoder(source=str(folder), freeze_layers=frozen)
        encode(encoder).problem.square().sum().backward()
        for name, weight in encoder.model.named_parameters():
            assert (weight.grad is None) == name.startswith(still), name


def test_the_encoder_learns_at_its_own_rate_and_what_is_frozen_not_at_all() -> None:
    solver = start_solver("mwp-bert", toy_config(encoder_lr_scale=0.25, freeze_layers=1), VOCABULARY)
    config = OptimizerConfig(
        epochs=1,
        batch_size=1,
        kind="adamw",
        learning_rate=0.1,
        weight_decay=0.0,
        schedule="cosine",
        halve_every=1,
        warmup_steps=0,
        max_grad_norm=1.0,
        patience=0,
        precision="fp32",
    )
    ours, decoders = make_optimizer(config, solver).param_groups
    assert (ours["factor"], decoders["factor"]) == (0.25, 1.0)
    learning = {id(weight) for weight in ours["params"]}
    frozen = [*solver.encoder.model.embeddings.parameters(), *solver.encoder.model.encoder.layer[0].parameters()]
    assert not learning & {id(weight) for weight in frozen}
    assert learning >= {id(weight) for weight in solver.encoder.model.encoder.layer[1].parameters()}


def test_checkpointing_changes_no_gradient() -> None:
    gradients = []
    for checkpointing in (False, True):
        encoder = toy_encoder(dropout=0.3, freeze_layers=1, checkpointing=checkpointing)
        assert encoder.model.is_gradient_checkpointing == checkpointing
        torch.manual_seed(3)
        encode(encoder).problem.square().sum().backward()
        gradients.append({name: p.grad for name, p in encoder.named_parameters() if p.grad is not None})
    assert gradients[0].keys() == gradients[1].keys()
    assert all(torch.allclose(value, gradients[1][name], atol=1e-6) for name, value in gradients[0].items())


def test_a_step_waits_for_the_device_once_at_most() -> None:
    """The library asks whether any token is masked at all."""
    encoder = toy_encoder(dropout=0.3)
    batch = encoder.collate([encoder.prepare(problem) for problem in PROBLEMS])
    with Waits() as waits:
        encoder(batch).problem.sum().backward()
    assert len(waits.found) <= 1


def test_a_folder_that_is_not_there_is_one_clear_line(tmp_path: Path) -> None:
    for source in (str(tmp_path / "none"), "./none", "~/none", "tests/none"):
        with pytest.raises(
            BadInput, match=r"^solver\.bert\.source: there is no folder .*none; give one that holds .*$"
        ):
            toy_encoder(source=source)


def test_a_folder_without_an_encoder_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"^solver\.bert\.source: cannot load the folder .*expected config\.json, .*$"):
        toy_encoder(source=str(tmp_path))


def test_damaged_weights_are_one_clear_line(folder: Path) -> None:
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:1000])
    with pytest.raises(BadInput, match=r"^solver\.bert\.source: cannot load the folder .*$"):
        toy_encoder(source=str(folder))


def test_missing_weights_are_one_clear_line(folder: Path) -> None:
    from safetensors.torch import load_file, save_file

    weights = load_file(folder / "model.safetensors")
    weights = {name: value for name, value in weights.items() if "layer.1." not in name and "pooler" not in name}
    save_file(weights, folder / "model.safetensors", {"format": "pt"})
    with pytest.raises(BadInput, match=r"has no weights for encoder\.layer\.1\..* \(16 such\); give another$"):
        toy_encoder(source=str(folder))


def test_a_hub_that_cannot_be_reached_is_one_clear_line_in_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    from huggingface_hub import HfApi

    def refuse(*_: object, timeout: float, **__: object) -> None:
        assert timeout <= 5
        raise ConnectionError("Name or service not known\nand more")

    monkeypatch.setattr(HfApi, "model_info", refuse)
    expected = (
        r"^solver\.bert\.source: no-such/encoder-mwp is neither a folder nor in the cache of downloads, and the hub did not "
        r"give it \(Name or service not known\); download it where there is a network and give its folder$"
    )
    with pytest.raises(BadInput, match=expected):
        toy_encoder(source="no-such/encoder-mwp")


def test_more_frozen_layers_than_there_are_is_one_clear_line() -> None:
    with pytest.raises(BadInput, match=r"^solver\.bert\.freeze_layers: 3 layers, but the encoder has 2$"):
        toy_encoder(freeze_layers=3)


def test_heads_that_do_not_divide_the_width_are_one_clear_line() -> None:
    with pytest.raises(BadInput, match=r"^solver\.bert\.heads: 5 heads do not divide solver\.hidden, 16$"):
        toy_encoder(heads=5)
