"""Graph2Tree's encoder: its edges by hand, its batched convolution against one that goes node by node."""

import random
from fractions import Fraction

import pytest
import torch
from torch import Tensor

from mwp.data.problems import Problem
from mwp.data.text import find_numbers
from mwp.data.vocabulary import SPECIAL_TOKENS, Vocabulary
from mwp.errors import BadInput
from mwp.solvers.config import SolverConfig
from mwp.solvers.graph2tree import GRAPHS, HEADS, GraphConvolution, GraphEncoder, between_edges, greater_edges
from mwp.solvers.registry import restore_solver, start_solver
from tests.solvers.test_synchronisation import Waits

WORDS = ("苹果", "梨", "小明", "有", "个", "，", "多少", "千克")


def toy_config(hidden: int = 16, dropout: float = 0.0) -> SolverConfig:
    return SolverConfig(embedding=8, hidden=hidden, dropout=dropout, max_operators=4, min_count=1)


def toy_encoder(hidden: int = 16, dropout: float = 0.0) -> GraphEncoder:
    torch.manual_seed(1)
    return GraphEncoder.start(toy_config(hidden, dropout), Vocabulary(tokens=(*SPECIAL_TOKENS, *WORDS)))


def toy_problem(tokens: list[str], spellings: list[str]) -> Problem:
    """`spellings` stand in the text in the order in which NUM stands in the tokens."""
    left = iter(spellings)
    text = " ".join(next(left) if token == "NUM" else token for token in tokens)
    return Problem(
        id="1",
        source="toy",
        text=text,
        tokens=tuple(tokens),
        numbers=find_numbers(text),
        answer=Fraction(1),
        answer_spelling="1",
    )


def random_problems(count: int, longest: int = 14) -> list[Problem]:
    rng = random.Random(count)
    made = []
    for _ in range(count):
        tokens = rng.choices([*WORDS, "NUM", "NUM"], k=rng.randint(1, longest))
        made.append(toy_problem(tokens, [str(rng.randint(1, 4)) for _ in range(tokens.count("NUM"))]))
    return sorted(made, key=lambda problem: -len(problem.tokens))


def test_a_number_sees_the_numbers_that_are_not_greater() -> None:
    values = [Fraction(3), Fraction(1, 2), Fraction(3)]
    assert greater_edges([0, 4, 7], values) == [(0, 4), (0, 7), (7, 0), (7, 4)]


def test_numbers_and_the_question_see_their_words_and_equal_words_see_each_other() -> None:
    #          0      1     2      3      4     5     6      7      8
    tokens = ["小明", "有", "NUM", "苹果", "，", "NUM", "苹果", "多少", "？"]
    words_of_numbers = {(2, 0), (2, 1), (2, 3), (5, 3), (5, 6), (5, 7)}  # not the comma
    words_of_the_question = {(7, 6)}  # and number 5, which has it in its own cell
    equal_words = {(3, 6)}
    one_way = words_of_numbers | words_of_the_question | equal_words
    assert between_edges(tokens) == sorted(one_way | {(b, a) for a, b in one_way})


def test_without_a_question_word_the_last_word_is_asked_for() -> None:
    assert between_edges(["求", "梨", "的", "重量", "。"]) == [(1, 3), (2, 3), (3, 1), (3, 2)]


def test_a_prepared_problem_carries_its_edges() -> None:
    problem = toy_problem(["NUM", "梨", "NUM"], ["25%", "(1/6)"])
    prepared = toy_encoder().prepare(problem)
    assert prepared.greater.tolist() == [[0, 2]]
    assert prepared.between.tolist() == [[0, 1], [1, 0], [1, 2], [2, 1]]


def test_rows_add_up_to_one_and_padding_sees_only_itself() -> None:
    encoder = toy_encoder()
    problems = [toy_problem(["NUM", "梨", "NUM"], ["2", "1"]), toy_problem(["NUM"], ["5"])]
    graphs = encoder.collate([encoder.prepare(problem) for problem in problems]).graphs
    assert graphs.shape == (2, GRAPHS, 3, 3)
    assert graphs[0, 0].tolist() == [[0.5, 0, 0.5], [0, 1, 0], [0, 0, 1]]
    assert torch.equal(graphs[1], torch.eye(3).expand(GRAPHS, 3, 3))


def plain_convolution(layer: GraphConvolution, states: Tensor, greater: list, between: list) -> Tensor:
    """One problem (T, H), one head and one node at a time."""
    hidden, part = states.shape[1], states.shape[1] // 4
    heads = []
    for graph, edges in enumerate((greater, between)):
        seen = [[node, *(b for a, b in edges if a == node)] for node in range(len(states))]
        for head in range(HEADS):
            wide, narrow = slice(head * hidden, (head + 1) * hidden), slice(head * part, (head + 1) * part)
            first, second = layer.first[graph, :, wide], layer.second[graph, head]
            inner = [
                torch.relu(sum(states[other] @ first for other in some) / len(some) + layer.first_bias[graph, 0, wide])
                for some in seen
            ]
            heads.append(
                [
                    sum(inner[other] @ second for other in some) / len(some) + layer.second_bias[graph, 0, narrow]
                    for some in seen
                ]
            )
    rows = []
    for node, state in enumerate(states):
        mixed = state + layer.norm(torch.cat([head[node] for head in heads]))
        rows.append(mixed + layer.feed(mixed))
    return torch.stack(rows)


def test_the_convolution_and_its_gradients_equal_the_plain_twins() -> None:
    encoder, problems = toy_encoder(), random_problems(6)
    layer = encoder.convolution
    torch.nn.init.normal_(layer.first_bias)
    torch.nn.init.normal_(layer.second_bias)
    prepared = [encoder.prepare(problem) for problem in problems]
    batch = encoder.collate(prepared)
    states = torch.randn(*batch.tokens.shape, 16, requires_grad=True)
    weights = torch.randn_like(states) * batch.token_mask[..., None]
    fast = layer(states, batch.graphs)
    slow = [
        plain_convolution(layer, states[row, : len(one.tokens)], one.greater.tolist(), one.between.tolist())
        for row, one in enumerate(prepared)
    ]
    for row, one in enumerate(slow):
        assert torch.allclose(fast[row, : len(one)], one, atol=1e-5)
    asked = [states, *layer.parameters()]
    quick = torch.autograd.grad((fast * weights).sum(), asked)
    total = sum((one * weights[row, : len(one)]).sum() for row, one in enumerate(slow))
    for ours, twins in zip(quick, torch.autograd.grad(total, asked), strict=True):
        assert torch.allclose(ours, twins, atol=1e-4)


def test_padding_and_company_change_nothing() -> None:
    encoder, problems = toy_encoder(), random_problems(5)
    prepared = [encoder.prepare(problem) for problem in problems]
    together = encoder(encoder.collate(prepared))
    for row, one in enumerate(prepared):
        alone = encoder(encoder.collate([one]))
        assert torch.allclose(alone.states[0], together.states[row, : len(one.tokens)], atol=1e-5)
        assert torch.allclose(alone.problem[0], together.problem[row], atol=1e-5)
        count = len(one.numbers)
        assert torch.allclose(alone.numbers[0, :count], together.numbers[row, :count], atol=1e-5)


def test_neither_collating_nor_convolving_waits_for_the_device() -> None:
    encoder = toy_encoder(dropout=0.3)
    prepared = [encoder.prepare(problem) for problem in random_problems(4)]
    states = torch.randn(4, len(prepared[0].tokens), 16)
    with Waits() as waits:
        graphs = encoder.collate(prepared).graphs
        encoder.convolution(states, graphs).sum().backward()
    assert waits.found == []


def test_fifteen_numbers_in_two_hundred_tokens_and_none_in_one_break_nothing() -> None:
    tokens = ["NUM" if position % 13 == 0 and position < 195 else WORDS[position % 8] for position in range(200)]
    large = toy_problem(tokens, [str(value % 4) for value in range(15)])
    solver = start_solver("graph2tree", toy_config(), Vocabulary(tokens=(*SPECIAL_TOKENS, *WORDS))).eval()
    prepared = [solver.encoder.prepare(problem) for problem in (large, toy_problem(["梨"], []), toy_problem([], []))]
    assert len(prepared[0].numbers) == 15
    with torch.no_grad():
        beams = solver.solve(solver.encoder.collate(prepared), 3)
    assert beams.log_probs.shape == (3, 3)
    assert beams.log_probs.isfinite().all()


def test_a_restored_encoder_encodes_as_the_first_did() -> None:
    vocabulary = Vocabulary(tokens=(*SPECIAL_TOKENS, *WORDS))
    first = start_solver("graph2tree", toy_config(), vocabulary).eval()
    second = restore_solver("graph2tree", toy_config(), first.encoder.assets).eval()
    second.load_state_dict(first.state_dict())
    states = [
        solver.encode(solver.encoder.collate([solver.encoder.prepare(random_problems(1)[0])])).states
        for solver in (first, second)
    ]
    assert torch.equal(*states)


def test_a_width_that_four_heads_cannot_share_is_one_clear_line() -> None:
    with pytest.raises(
        BadInput, match=r"^solver\.hidden: graph2tree needs a multiple of 4, one part a head; found 30$"
    ):
        toy_encoder(hidden=30)
