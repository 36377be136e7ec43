"""The frozen part of MWP-BERT's encoder, computed once a problem, beside a plain twin: the whole model called at once."""

from typing import Any

import pytest
import torch
from torch import nn

from mwp.solvers.batch import ProblemBatch, collate_problems
from mwp.solvers.bert import KINDS, BertEncoder, FrozenPrefixBatch
from mwp.solvers.config import BertConfig
from mwp.solvers.decoding import evaluating
from mwp.solvers.pretrained import Pretrained
from tests.solvers.test_bert import PROBLEMS, encode, toy_encoder
from tests.solvers.test_synchronisation import Waits

LAYERS = 3
OTHERS = ["distilbert", "electra", "mpnet"]


def encoder_of(kind: str, frozen: int, dropout: float = 0.0, **options: Any) -> BertEncoder:
    from transformers import AutoConfig, AutoModel

    shape = AutoConfig.for_model(
        kind,
        vocab_size=100,
        hidden_size=16,
        num_hidden_layers=LAYERS,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=60,
        hidden_dropout_prob=dropout,
        attention_probs_dropout_prob=dropout,
    )
    if kind == "distilbert":
        shape.dropout = shape.attention_dropout = dropout
    torch.manual_seed(4)
    model = AutoModel.from_config(shape).train()
    for value in model.parameters():  # nothing may vanish for being zero at the start
        nn.init.normal_(value, std=0.2)
    model.pooler = None
    return BertEncoder(BertConfig(freeze_layers=frozen, **options), Pretrained(model, toy_encoder().tokenizer), {})


def batch_of(encoder: BertEncoder) -> ProblemBatch:
    return encoder.collate([encoder.prepare(problem) for problem in PROBLEMS])


def plain_states(encoder: BertEncoder) -> torch.Tensor:
    batch = collate_problems([encoder.prepare(problem) for problem in PROBLEMS])
    states: torch.Tensor = encoder.model(batch.tokens, attention_mask=batch.token_mask.long()).last_hidden_state
    return states * batch.token_mask[..., None]


def true_states(encoder: BertEncoder) -> torch.Tensor:
    encoding = encode(encoder)
    return encoding.states * encoding.token_mask[..., None]


def runs_below(encoder: BertEncoder) -> list[int]:
    """Grows by the batch size whenever the embeddings run."""
    found: list[int] = []
    encoder.model.embeddings.register_forward_hook(lambda _, __, states: found.append(len(states)))
    return found


@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize("count", [1, 2, LAYERS])
@pytest.mark.parametrize("kind", sorted(KINDS))
def test_the_states_are_those_of_the_whole_model(kind: str, count: int, training: bool) -> None:
    encoder = encoder_of(kind, count).train(training)
    expected = plain_states(encoder)
    for _ in range(2):  # computed, then cached
        assert isinstance(batch_of(encoder), FrozenPrefixBatch)
        assert torch.allclose(true_states(encoder), expected, atol=1e-5)


@pytest.mark.parametrize("checkpointing", [False, True])
@pytest.mark.parametrize("kind", sorted(KINDS))
def test_the_gradients_are_those_of_the_whole_model(kind: str, checkpointing: bool) -> None:
    encoder = encoder_of(kind, 1, checkpointing=checkpointing)
    gradients = []
    for states in (plain_states(encoder), true_states(encoder)):
        encoder.zero_grad()
        states.square().mean().backward()
        gradients.append(
            {name: value.grad.clone() for name, value in encoder.named_parameters() if value.grad is not None}
        )
    assert gradients[0].keys() == gradients[1].keys()
    assert all(torch.allclose(value, gradients[1][name], atol=1e-5) for name, value in gradients[0].items())


@pytest.mark.parametrize("kind", OTHERS)
def test_a_model_of_another_make_is_computed_as_a_whole(kind: str) -> None:
    encoder = encoder_of(kind, 1)
    assert not isinstance(batch_of(encoder), FrozenPrefixBatch)
    assert torch.equal(true_states(encoder), plain_states(encoder))


def test_a_model_of_which_nothing_is_frozen_is_computed_as_a_whole() -> None:
    encoder = encoder_of("bert", 0, dropout=0.3)
    assert type(batch_of(encoder)) is ProblemBatch
    states = []
    for compute in (true_states, plain_states):
        torch.manual_seed(5)
        states.append(compute(encoder))
    assert torch.equal(*states)


@pytest.mark.parametrize("count", [1, LAYERS])
def test_what_is_frozen_has_no_dropout_and_what_learns_has(count: int) -> None:
    encoder = encoder_of("bert", count, dropout=0.5)
    expected = plain_states(encoder.eval())
    assert torch.allclose(true_states(encoder.train()), expected, atol=1e-5) == (count == LAYERS)
    assert torch.allclose(true_states(encoder.eval()), expected, atol=1e-5)


def test_checkpointing_computes_the_layers_above_twice() -> None:
    for checkpointing in (False, True):
        encoder = encoder_of("bert", 1, checkpointing=checkpointing)
        runs: list[Any] = []
        encoder.model.encoder.layer[1].attention.register_forward_hook(lambda *_, runs=runs: runs.append(1))
        true_states(encoder).sum().backward()
        assert len(runs) == 1 + checkpointing


def test_a_problem_is_read_once_and_a_solver_that_never_trained_keeps_nothing() -> None:
    encoder = encoder_of("bert", 2).eval()
    runs = runs_below(encoder)
    encode(encoder)
    encode(encoder)
    assert (len(runs), encoder.frozen_prefix and encoder.frozen_prefix.cached) == (2 * len(PROBLEMS), {})
    encode(encoder.train(), PROBLEMS[:2])
    encode(encoder.eval())  # the validation split of a training is decoded in evaluation mode
    encode(encoder)
    encode(encoder.train())
    assert len(runs) == 3 * len(PROBLEMS)


def test_what_finds_no_room_is_computed_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    size = len(toy_encoder().prepare(PROBLEMS[0]).tokens) * 16 * 4
    monkeypatch.setattr("mwp.solvers.bert.CACHE_BYTES", size)
    encoder = encoder_of("bert", 2)
    expected, runs = plain_states(encoder), runs_below(encoder)
    for _ in range(2):
        assert torch.allclose(true_states(encoder), expected, atol=1e-5)
    assert len(runs) == len(PROBLEMS) + 2


def test_the_cached_states_do_not_depend_on_company() -> None:
    """To the last bit: a resumed training finds other problems missing in its batches."""
    together = batch_of(encoder_of("bert", 2))
    alone = encoder_of("bert", 2)
    for row, problem in enumerate(PROBLEMS):
        one = alone.collate([alone.prepare(problem)])
        assert isinstance(together, FrozenPrefixBatch)
        assert isinstance(one, FrozenPrefixBatch)
        assert torch.equal(one.states[0], together.states[row, : one.states.shape[1]])


def test_other_weights_give_other_states() -> None:
    encoder = encoder_of("bert", 2)
    encode(encoder)
    other = encoder_of("bert", 2)
    with torch.no_grad():
        other.model.encoder.layer[0].output.dense.weight.mul_(2)
    nn.Sequential(encoder).load_state_dict(nn.Sequential(other).state_dict())
    assert torch.allclose(true_states(encoder), plain_states(other), atol=1e-5)


def test_what_is_cached_is_in_no_checkpoint() -> None:
    encoder = encoder_of("bert", 2)
    names = encoder.state_dict().keys()
    encode(encoder)
    assert encoder.state_dict().keys() == names == encoder_of("bert", 0).state_dict().keys()


def test_states_that_were_cached_while_decoding_can_be_trained_on() -> None:
    encoder = encoder_of("bert", 1)
    encode(encoder, PROBLEMS[:1])
    with evaluating(encoder):
        encode(encoder)
    true_states(encoder).sum().backward()
    assert encoder.model.encoder.layer[1].attention.self.query.weight.grad is not None


def test_a_step_never_waits_for_the_device() -> None:
    encoder = encoder_of("bert", 1, dropout=0.3)
    batch = batch_of(encoder)
    with Waits() as waits:
        encoder(batch).problem.sum().backward()
    assert not waits.found
