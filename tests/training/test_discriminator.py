"""The solution discriminator."""

from collections.abc import Iterator

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor, nn

from mwp.training.buffer import SolutionBuffer, seed_with_gold
from mwp.training.discriminator import ROWS, Discriminator, auc, discriminator_loss, pad
from mwp.training.examples import ExampleSampler
from tests.arith.strategies import many
from tests.data.toys import toy

WIDTH = 6
SOLUTIONS = [[0, 7, 8], [5], [2, 1, 8, 5, 7], [0, 0, 7, 8, 9, 3, 4]]


@pytest.fixture
def discriminator() -> Discriminator:
    torch.manual_seed(0)
    return Discriminator(WIDTH, hidden=5, embedding=4)


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def problems(count: int) -> Tensor:
    return torch.randn(count, WIDTH, generator=torch.Generator().manual_seed(1))


def logits(discriminator: Discriminator, z_w: Tensor, solutions: list[list[int]], problem_index: list[int]) -> Tensor:
    padded = pad(solutions)
    result: Tensor = discriminator(z_w, padded.tokens, padded.lengths, torch.tensor(problem_index))
    return result


def plain_logit(discriminator: Discriminator, z_w: Tensor, solution: list[int]) -> Tensor:
    """The slow plain twin: one solution at a time through torch's own bidirectional GRU, and z_w X z_s + b."""
    embedding, hidden = discriminator.ahead.input_size, discriminator.ahead.hidden_size
    both = nn.GRU(embedding, hidden, bidirectional=True)
    weights = dict(discriminator.ahead.named_parameters())
    weights |= {f"{name}_reverse": value for name, value in discriminator.back.named_parameters()}
    both.load_state_dict(weights)
    states, _ = both(discriminator.embedding(torch.tensor(solution) + 1))
    fit = discriminator.fit.weight.T  # X, (H_w, 2 H_d)
    return z_w @ fit @ states.mean(0) + discriminator.bias


def test_logits_are_those_of_the_plain_twin(discriminator: Discriminator) -> None:
    nn.init.constant_(discriminator.bias, 0.3)
    z_w, problem_index = problems(3), [0, 2, 2, 1]
    plain = [
        plain_logit(discriminator, z_w[each], solution) for each, solution in zip(problem_index, SOLUTIONS, strict=True)
    ]
    torch.testing.assert_close(
        logits(discriminator, z_w, SOLUTIONS, problem_index), torch.stack(plain), atol=1e-6, rtol=1e-5
    )


def test_x_is_problem_width_by_twice_the_hidden_width(discriminator: Discriminator) -> None:
    assert discriminator.fit.weight.T.shape == (WIDTH, 10)


def test_padding_does_not_matter(discriminator: Discriminator) -> None:
    z_w = problems(1)
    alone = [logits(discriminator, z_w, [solution], [0])[0] for solution in SOLUTIONS]
    torch.testing.assert_close(logits(discriminator, z_w, SOLUTIONS, [0] * 4), torch.stack(alone))
    padded = pad(SOLUTIONS)
    wider = nn.functional.pad(padded.tokens, (0, 5))
    far = discriminator(z_w, wider, padded.lengths, torch.zeros(4, dtype=torch.long))
    torch.testing.assert_close(far, torch.stack(alone))


def test_the_same_leaves_in_another_order_are_another_solution(discriminator: Discriminator) -> None:
    first, second = logits(discriminator, problems(1), [[1, 7, 8], [1, 8, 7]], [0, 0])
    assert first != second


def test_no_gradient_reaches_the_problem(discriminator: Discriminator) -> None:
    encoder = nn.Linear(3, WIDTH)
    z_w = encoder(torch.ones(2, 3))
    discriminator_loss(logits(discriminator, z_w, SOLUTIONS, [0, 1, 1, 0]), torch.tensor([1, 0, 1, 0])).backward()
    assert all(weight.grad is None for weight in encoder.parameters())
    assert all(weight.grad is not None and weight.grad.any() for weight in discriminator.parameters())


def test_scores_are_the_sigmoid_of_the_logits_and_leave_no_trace(discriminator: Discriminator) -> None:
    padded, problem_index = pad(SOLUTIONS), torch.tensor([0, 1, 1, 0])
    scores = discriminator.scores(problems(2), padded.tokens, padded.lengths, problem_index)
    torch.testing.assert_close(scores, logits(discriminator, problems(2), SOLUTIONS, [0, 1, 1, 0]).sigmoid())
    assert not scores.requires_grad
    assert discriminator.training


def test_equation_4_by_hand() -> None:
    t = torch.tensor([0.8, 0.4, 0.5], dtype=torch.float64)
    loss = discriminator_loss(t.logit(), torch.tensor([1, 0, 1]))
    assert float(loss) == pytest.approx(-(t[0].log() + (1 - t[1]).log() + t[2].log()).item() / 3)


def test_the_forward_pass_never_asks_for_a_value(discriminator: Discriminator) -> None:
    # A tensor on the meta device has no values, so whatever would wait for a GPU fails here.
    problem_index = torch.zeros(4, dtype=torch.long, device="meta")
    tokens, lengths = torch.ones(4, 7, dtype=torch.long, device="meta"), torch.ones(4, device="meta")
    result = discriminator.to("meta")(problems(1).to("meta"), tokens, lengths.long(), problem_index)
    discriminator_loss(result, torch.ones(4, device="meta")).backward()
    assert result.shape == (4,)


def test_every_symbol_has_its_row(discriminator: Discriminator) -> None:
    assert discriminator.embedding.num_embeddings == ROWS
    assert not discriminator.embedding.weight[0].any()


def plain_auc(scores: list[float], targets: list[int]) -> float | None:
    """The slow plain twin: every pair of a right and a wrong one."""
    pairs = [
        (right > wrong) + (right == wrong) / 2
        for right, is_right in zip(scores, targets, strict=True)
        for wrong, is_also_right in zip(scores, targets, strict=True)
        if is_right and not is_also_right
    ]
    return sum(pairs) / len(pairs) if pairs else None


@pytest.mark.parametrize(
    ("scores", "targets", "area"),
    [
        ([0.9, 0.8, 0.2], [1, 1, 0], 1.0),
        ([0.1, 0.8], [1, 0], 0.0),
        ([0.5, 0.5], [1, 0], 0.5),
        ([0.9, 0.4, 0.6, 0.4], [1, 1, 0, 0], 0.625),
        ([0.9, 0.1], [1, 1], None),
        ([], [], None),
    ],
)
def test_the_area_under_the_curve_by_hand(scores: list[float], targets: list[int], area: float | None) -> None:
    assert auc(scores, targets) == area


@many
@given(st.lists(st.tuples(st.sampled_from([0.0, 0.1, 0.5, 0.50001, 1.0]) | st.floats(0, 1), st.integers(0, 1))))
def test_the_area_under_the_curve_counts_every_pair(pairs: list[tuple[float, int]]) -> None:
    scores, targets = [score for score, _ in pairs], [target for _, target in pairs]
    assert auc(scores, targets) == plain_auc(scores, targets)


EQUATIONS = {
    "(2+3)*5": "25",
    "2+3+5": "10",
    "5-2+3": "6",
    "2*3*5": "30",
    "5*3-2": "13",
    "3/2+5": "13/2",
    "2*5/3": "10/3",
    "5/(2+3)": "1",
}


def toy_source() -> ExampleSampler:
    """Problems with the same numbers, so that only z_w tells which solution fits which."""
    known = {equation: toy("有2个，3个和5个", answer, equation) for equation, answer in EQUATIONS.items()}
    buffer = SolutionBuffer(known)
    seed_with_gold(buffer, known)
    return ExampleSampler(known, buffer, seed=0)


def train(discriminator: Discriminator, source: ExampleSampler, z_w: Tensor, epochs: int) -> None:
    optimizer = torch.optim.Adam(discriminator.parameters(), lr=1e-2)
    for epoch in range(epochs):
        examples = source.draw(list(source.problems), epoch)
        optimizer.zero_grad()
        found = logits(discriminator, z_w, examples.symbols, examples.problem_index)
        discriminator_loss(found, torch.tensor(examples.targets)).backward()
        optimizer.step()


def area(discriminator: Discriminator, source: ExampleSampler, z_w: Tensor) -> float:
    """On draws of epochs that were not trained on."""
    scores: list[float] = []
    targets: list[int] = []
    for epoch in range(1000, 1010):
        examples = source.draw(list(source.problems), epoch)
        padded, problem_index = pad(examples.symbols), torch.tensor(examples.problem_index)
        scores += discriminator.scores(z_w, padded.tokens, padded.lengths, problem_index).tolist()
        targets += examples.targets
    found = auc(scores, targets)
    assert found is not None
    return found


def test_it_learns_to_tell_the_variants_of_a_problem_from_corruptions() -> None:
    torch.manual_seed(0)
    source, z_w = toy_source(), problems(len(EQUATIONS))
    discriminator = Discriminator(WIDTH, hidden=16, embedding=16)
    assert area(discriminator, source, z_w) < 0.7
    train(discriminator, source, z_w, epochs=150)
    assert area(discriminator, source, z_w) > 0.9
    assert area(discriminator, source, z_w.roll(1, 0)) < 0.8
