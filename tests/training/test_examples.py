"""The discriminator's positives and negatives."""

from random import Random

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from mwp.arith.equality import same_function
from mwp.arith.expressions import evaluate
from mwp.arith.notation import Solution, from_prefix
from mwp.data.problems import Problem
from mwp.data.vocabulary import FIRST_NUMBER, symbol_id, symbol_ids, symbol_token
from mwp.training.buffer import BufferEntry, SolutionBuffer, seed_with_gold
from mwp.training.discriminator import MAX_NUMBERS, PAD, ROWS, pad
from mwp.training.examples import Examples, ExampleSampler, negative, positives
from tests.arith.strategies import many
from tests.data.toys import toy

APPLES = toy("小明有3个苹果，小红有5个，小兰有7个，一共有多少个？", "15", "3+5+7")
PENS = toy("每盒12支笔，3盒共有多少支？", "36", "12*3")
TREES = toy("每隔2米种一棵树，一共种了11棵，长多少米？", "20", "(11-1)*2")
EMPTY = toy("有9个", "81")
PROBLEMS = {"full/1": APPLES, "full/2": PENS, "weak/1": TREES, "weak/2": EMPTY}
KEYS = list(PROBLEMS)


def tokens(text: str) -> Solution:
    return tuple(text.split())


def entry(text: str, source: str = "search") -> BufferEntry:
    return BufferEntry.model_validate({"solution": tokens(text), "source": source, "epoch": 0})


def filled() -> SolutionBuffer:
    """Two problems with a ground truth, one with two solutions of WDA, one with none."""
    buffer = SolutionBuffer(PROBLEMS)
    seed_with_gold(buffer, {key: PROBLEMS[key] for key in ("full/1", "full/2")})
    buffer.add("full/2", tokens("- * N0 N1 - 1 1"), "beam", 5)
    buffer.add("weak/1", tokens("* N0 - N1 1"), "search", 0)
    buffer.add("weak/1", tokens("- * N0 N1 N0"), "beam", 5)
    return buffer


def source(seed: int = 3, per_problem: int = 2) -> ExampleSampler:
    return ExampleSampler(PROBLEMS, filled(), seed, per_problem)


def solutions(examples: Examples, problem_index: int, target: int) -> list[str]:
    return [
        " ".join(map(symbol_token, symbols))
        for symbols, each, kind in zip(examples.symbols, examples.problem_index, examples.targets, strict=True)
        if (each, kind) == (problem_index, target)
    ]


def test_a_ground_truth_and_its_variants_are_right_and_what_beams_brought_does_not_count() -> None:
    given_first = [entry("+ N0 N1", "gold"), entry("+ N0 N1 - 1 1", "beam")]
    assert list(positives(given_first, max_positives=50)) == [tokens("+ N0 N1"), tokens("+ N1 N0")]


def test_without_a_ground_truth_the_buffers_own_solutions_are_right() -> None:
    assert positives([entry("+ N0 N1"), entry("- N1 1", "beam")], max_positives=50) == [
        tokens("+ N0 N1"),
        tokens("- N1 1"),
    ]
    assert positives([], max_positives=50) == []


@pytest.mark.parametrize("limit", [1, 2, 5, 50])
def test_no_more_positives_come_than_the_limit_and_the_ground_truth_is_one(limit: int) -> None:
    truth = "- + + + N0 N1 N2 N3 N4"
    right = positives([entry(truth, "gold")], limit)
    assert right[0] == tokens(truth)
    assert len(set(right)) == len(right) == limit
    assert all(same_function(from_prefix(solution), from_prefix(tokens(truth))) for solution in right)


def test_the_ground_truth_of_a_problem_that_is_only_measured_with_it_is_never_drawn() -> None:
    assert TREES.gold == (("*", "-", "N1", "1", "N0"),)
    drawn = {solution for epoch in range(40) for solution in solutions(source().draw(KEYS, epoch), 2, target=1)}
    assert drawn == {"* N0 - N1 1", "- * N0 N1 N0"}


def test_a_problem_has_as_many_negatives_as_positives_and_an_empty_buffer_none() -> None:
    examples = source().draw(KEYS, epoch=1)
    assert [len(solutions(examples, problem_index, 1)) for problem_index in range(4)] == [2, 2, 2, 0]
    assert [len(solutions(examples, problem_index, 0)) for problem_index in range(4)] == [2, 2, 2, 0]
    assert len(examples) == 12
    assert examples.missing == 0


def test_positives_of_one_draw_are_distinct_and_no_more_than_there_are() -> None:
    examples = source(per_problem=5).draw(KEYS, epoch=1)
    assert [len(set(solutions(examples, problem_index, 1))) for problem_index in range(4)] == [4, 2, 2, 0]


def test_all_positives_are_drawn_in_time() -> None:
    drawn = {solution for epoch in range(200) for solution in solutions(source().draw(KEYS, epoch), 0, target=1)}
    right = positives([entry("+ + N0 N1 N2", "gold")], max_positives=50)
    assert drawn == {" ".join(solution) for solution in right}


def test_weights_say_which_of_the_buffers_own_solutions_are_drawn() -> None:
    weights = {"full/1": [1.0], "full/2": [0.0, 1.0], "weak/1": [0.9, 0.1]}
    drawn = [source().draw(KEYS, epoch, weights) for epoch in range(300)]
    first = [solution for examples in drawn for solution in solutions(examples, 2, 1)].count("* N0 - N1 1")
    assert 0.85 < first / 600 < 0.95
    assert {solution for examples in drawn for solution in solutions(examples, 1, 1)} == {"* N0 N1", "* N1 N0"}


def test_the_same_seed_and_epoch_draw_the_same_and_others_do_not() -> None:
    assert source().draw(KEYS, epoch=4) == source().draw(KEYS, epoch=4)
    assert source().draw(KEYS, epoch=4) != source().draw(KEYS, epoch=5)
    assert source(seed=3).draw(KEYS, epoch=4) != source(seed=4).draw(KEYS, epoch=4)


def test_a_problem_draws_the_same_in_any_batch() -> None:
    together = source().draw(KEYS, epoch=4)
    for problem_index, key in enumerate(KEYS):
        alone = source().draw([key], epoch=4)
        for target in (0, 1):
            assert solutions(alone, 0, target) == solutions(together, problem_index, target)


def test_what_is_drawn_is_the_same_on_every_machine() -> None:
    examples = source().draw(["full/2"], epoch=1)
    assert solutions(examples, 0, target=1) == ["* N1 N0", "* N0 N1"]
    assert solutions(examples, 0, target=0) == ["* N1 1", "* N1 N1"]


@many
@given(
    st.sampled_from([(APPLES, "+ + N0 N1 N2"), (PENS, "* N0 N1"), (TREES, "* - N1 1 N0"), (EMPTY, "* N0 N0")]),
    st.floats(0, 1),
    st.integers(0, 10**6),
)
def test_a_negative_has_the_shape_of_its_positive_but_not_its_value(
    pair: tuple[Problem, str], rate: float, seed: int
) -> None:
    problem, right = pair
    wrong = negative(tokens(right), problem, rate, Random(seed))
    assert wrong is not None
    assert evaluate(from_prefix(wrong), problem.values) != problem.answer
    assert [token in "+-*/" for token in wrong] == [token in "+-*/" for token in tokens(right)]
    leaves = {*(f"N{index}" for index in range(len(problem.numbers))), "1"}
    assert set(wrong) <= {"+", "-", "*", "/"} | leaves


def test_pi_comes_into_a_negative_only_where_the_positive_has_it() -> None:
    circle = toy("圆的半径是2米，高3米", "12.56", "3.14*2*2")
    drawn = [negative(tokens("* 3.14 * N0 N0"), circle, 0.3, Random(seed)) for seed in range(100)]
    assert any(wrong and wrong.count("3.14") > 1 for wrong in drawn)
    assert any(wrong and "3.14" not in wrong for wrong in drawn)
    assert not any("3.14" in (negative(tokens("* N0 N1"), PENS, 0.9, Random(seed)) or ()) for seed in range(100))


def test_a_negative_is_given_up_and_counted_where_every_change_gives_the_answer() -> None:
    ones = {"1": toy("1个和1个", "1")}
    buffer = SolutionBuffer(ones)
    buffer.add("1", ("N0",), "search", 0)
    examples = ExampleSampler(ones, buffer, seed=0).draw(["1"], epoch=1)
    assert (examples.targets, examples.missing) == ([1], 1)


def test_no_symbol_looks_like_padding() -> None:
    padded = pad([symbol_ids(tokens("+ N0 N1")), symbol_ids(tokens("3.14"))])
    assert padded.tokens.tolist() == [[1, FIRST_NUMBER + 1, FIRST_NUMBER + 2], [symbol_id("3.14") + 1, PAD, PAD]]
    assert padded.lengths.tolist() == [3, 1]
    assert padded.tokens.dtype == padded.lengths.dtype == torch.long


def test_the_numbers_from_n31_on_share_a_row() -> None:
    rows = pad([[symbol_id(f"N{index}")] for index in (0, MAX_NUMBERS - 2, MAX_NUMBERS - 1, MAX_NUMBERS, 900)])
    assert rows.tokens[:, 0].tolist() == [ROWS - MAX_NUMBERS, ROWS - 2, ROWS - 1, ROWS - 1, ROWS - 1]


def test_nothing_pads_to_nothing() -> None:
    assert pad([]).tokens.shape == (0, 0)
    assert pad([]).lengths.shape == (0,)
