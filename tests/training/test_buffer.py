"""The solution buffer and its file."""

import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from mwp.arith.notation import Solution
from mwp.data.problems import Problem
from mwp.data.soundness import gives_answer
from mwp.errors import BadInput
from mwp.training.buffer import (
    FULL,
    UNKNOWN_SYMBOL,
    WRONG,
    BufferEntry,
    SolutionBuffer,
    WeightRecord,
    read_buffer,
    seed_with_candidates,
    seed_with_gold,
    write_buffer,
)
from mwp.wda.labels import Label, LabelCandidate
from tests.arith.strategies import many
from tests.data.toys import toy

APPLES = toy("小明有3个苹果，小红有5个苹果，一共有多少个？", "8", "3+5", name="1")
PENS = toy("每盒12支笔，3盒共有多少支？", "36", "12*3", name="2")
TREES = toy("每隔2米种一棵树，一共种了11棵，长多少米？", "20", name="1")
PROBLEMS = {"full/1": APPLES, "full/2": PENS, "weak/1": TREES}
WEAK = {"weak/1": TREES}
FULL_ONES = {"full/1": APPLES, "full/2": PENS}


def tokens(text: str) -> Solution:
    return tuple(text.split())


def found(name: str, *solutions: str) -> Label:
    candidates = tuple(
        LabelCandidate(solution=tokens(solution), score=-0.5 - position) for position, solution in enumerate(solutions)
    )
    return Label(id=name, strategy="ranked", candidates=candidates, alternatives=0, tries=0)


def solutions(buffer: SolutionBuffer, key: str) -> list[str]:
    return [" ".join(entry.solution) for entry in buffer.entries(key)]


def test_solutions_stay_in_order_of_arrival_and_know_where_they_came_from() -> None:
    buffer = SolutionBuffer(PROBLEMS)
    assert buffer.add("full/1", tokens("+ N0 N1"), "gold", epoch=0)
    assert buffer.add("full/1", tokens("+ N1 N0"), "beam", epoch=5)
    assert buffer.entries("full/1") == [
        BufferEntry(solution=("+", "N0", "N1"), source="gold", epoch=0, score=None),
        BufferEntry(solution=("+", "N1", "N0"), source="beam", epoch=5, score=None),
    ]


def test_a_token_sequence_is_taken_once_and_a_variant_is_another() -> None:
    buffer = SolutionBuffer(PROBLEMS)
    taken = [buffer.add("full/1", tokens(text), "beam", 5) for text in ("+ N0 N1", "+ N0 N1", "+ N1 N0")]
    assert taken == [True, False, True]
    assert not buffer.refusals


def test_a_full_buffer_keeps_its_first_solutions_and_refuses_more() -> None:
    buffer = SolutionBuffer(PROBLEMS, max_solutions=2)
    for text in ("+ N0 N1", "+ N1 N0", "- N0 N1", "+ N0 N1"):
        buffer.add("full/1", tokens(text), "beam", 5)
    assert solutions(buffer, "full/1") == ["+ N0 N1", "+ N1 N0"]
    assert buffer.refusals == {FULL: 1}


@pytest.mark.parametrize("max_solutions", [0, -1])
def test_a_limit_below_1_is_no_limit(max_solutions: int) -> None:
    with pytest.raises(ValueError, match=f"^expected max_solutions of 1 or more, found {max_solutions}$"):
        SolutionBuffer(PROBLEMS, max_solutions)


@pytest.mark.parametrize("text", ["* N0 100", "% N0 N1", "+ N0 Nx", "+ N0 ?"])
def test_symbols_that_no_solver_knows_are_refused_and_counted(text: str) -> None:
    buffer = SolutionBuffer(PROBLEMS)
    assert not buffer.add("full/1", tokens(text), "beam", 5)
    assert buffer.refusals == {UNKNOWN_SYMBOL: 1}


def test_sizes_count_solutions_and_problems_without_one() -> None:
    buffer = SolutionBuffer(PROBLEMS)
    buffer.add("full/1", tokens("+ N0 N1"), "gold", 0)
    buffer.add("full/1", tokens("+ N1 N0"), "beam", 5)
    assert buffer.sizes == {"full/1": 2, "full/2": 0, "weak/1": 0}
    assert (buffer.size, buffer.empty) == (2, 2)


def test_a_key_that_comes_twice_is_refused() -> None:
    with pytest.raises(BadInput) as error:
        SolutionBuffer(["full/1", "full/1"])
    assert str(error.value) == "expected every problem once in a buffer, found 'full/1' again"


def test_equal_ids_of_two_datasets_are_two_problems() -> None:
    buffer = SolutionBuffer(PROBLEMS)
    seed_with_gold(buffer, FULL_ONES)
    seed_with_candidates(buffer, WEAK, [found("1", "* N0 - N1 1")], max_candidates=5)
    assert solutions(buffer, "full/1") == ["+ N0 N1"]
    assert solutions(buffer, "weak/1") == ["* N0 - N1 1"]


def test_the_ground_truth_comes_in_its_first_reading() -> None:
    twice = toy("甲有6个，乙有6个，丙有2个，甲和丙共有多少个？", "8", "6+2")
    assert len(twice.gold) == 2
    buffer = SolutionBuffer(["full/1"])
    seed_with_gold(buffer, {"full/1": twice})
    assert buffer.entries("full/1") == [BufferEntry(solution=("+", "N0", "N2"), source="gold", epoch=0)]


@pytest.mark.parametrize(
    ("problem", "reason"),
    [
        (toy("每盒12支笔", "1200", "12*100"), "a constant other than 1 and 3.14"),
        (toy("每盒12支笔，3盒", "37", "12*3"), "equation does not give the answer"),
        (TREES, "no equation"),
    ],
)
def test_a_problem_that_is_no_supervised_example_gets_no_ground_truth(problem: Problem, reason: str) -> None:
    buffer = SolutionBuffer(["full/1"])
    seed_with_gold(buffer, {"full/1": problem})
    assert buffer.empty == 1
    assert buffer.refusals == {reason: 1}


def test_the_best_candidates_come_with_the_scores_of_their_prior() -> None:
    buffer = SolutionBuffer(WEAK)
    seed_with_candidates(buffer, WEAK, [found("1", "* N0 - N1 1", "* - N1 1 N0", "- * N0 N1 N0")], max_candidates=2)
    assert [(entry.source, entry.epoch, entry.score) for entry in buffer.entries("weak/1")] == [
        ("search", 0, -0.5),
        ("search", 0, -1.5),
    ]


def test_a_problem_without_candidates_starts_empty() -> None:
    buffer = SolutionBuffer(WEAK)
    seed_with_candidates(buffer, WEAK, [found("1")], max_candidates=5)
    assert buffer.empty == 1
    assert not buffer.refusals


def test_problems_held_out_of_training_are_passed_over() -> None:
    buffer = SolutionBuffer(["full/2"])
    seed_with_gold(buffer, FULL_ONES)
    seed_with_candidates(buffer, FULL_ONES, [found("1", "+ N0 N1"), found("2", "* N1 N0")], max_candidates=1)
    assert solutions(buffer, "full/2") == ["* N0 N1", "* N1 N0"]
    assert "full/1" not in buffer


def test_a_label_for_an_unknown_problem_is_named() -> None:
    with pytest.raises(BadInput) as error:
        seed_with_candidates(SolutionBuffer(PROBLEMS), FULL_ONES, [found("77", "N0")], max_candidates=1)
    assert str(error.value) == (
        "a label for an unknown problem: '77' is none of the 2 problems; "
        "search again, so that labels and problems belong together"
    )


@pytest.mark.parametrize("text", ["+ N0 N1", "N7", "+ N0", "/ N0 - N0 N0"])
def test_a_candidate_that_does_not_give_the_answer_is_refused_and_counted(text: str) -> None:
    buffer = SolutionBuffer(WEAK)
    seed_with_candidates(buffer, WEAK, [found("1", text, "* N0 - N1 1")], max_candidates=2)
    assert solutions(buffer, "weak/1") == ["* N0 - N1 1"]
    assert buffer.refusals == {WRONG: 1}


@pytest.mark.parametrize(
    ("text", "answer", "reached"),
    [
        ("/ N0 N1", "0.666666666667", True),
        ("/ N0 N1", "0.667", True),
        ("/ N0 N1", "0.66", False),
        ("* N0 10000", "20001", True),
        ("* N0 10000", "20003", False),
        ("* N0 10000", "-20000", False),
        ("/ N0 - N1 N1", "0", False),
        ("+ N0", "2", False),
    ],
)
def test_the_answer_is_reached_to_a_thousandth_or_to_a_ten_thousandth_of_it(
    text: str, answer: str, reached: bool
) -> None:
    assert gives_answer(tokens(text), toy("有2个和3个", answer)) is reached


def started() -> SolutionBuffer:
    buffer = SolutionBuffer(PROBLEMS, max_solutions=2)
    seed_with_gold(buffer, FULL_ONES)
    seed_with_candidates(buffer, WEAK, [found("1", "* N0 - N1 1", "N0")], max_candidates=5)
    for text in ("+ N1 N0", "+ N1 N1"):
        buffer.add("full/1", tokens(text), "beam", 5)
    return buffer


def test_a_buffer_comes_back_as_it_was_with_its_refusals(tmp_path: Path) -> None:
    write_buffer(tmp_path / "buffer.jsonl.gz", started())
    back = read_buffer(tmp_path / "buffer.jsonl.gz", max_solutions=2)
    assert back.records() == started().records()
    assert back.refusals == {WRONG: 1, FULL: 1}
    assert back.sizes == {"full/1": 2, "full/2": 1, "weak/1": 1}


def test_a_buffer_that_came_back_goes_on_like_one_that_never_left(tmp_path: Path) -> None:
    write_buffer(tmp_path / "a.gz", started())
    both = [started(), read_buffer(tmp_path / "a.gz", max_solutions=2)]
    for buffer in both:
        buffer.add("full/2", tokens("* N1 N0"), "beam", 10)
        buffer.add("full/2", tokens("* N1 N1"), "beam", 10)
    assert both[0].records() == both[1].records()


def test_the_same_buffer_makes_the_same_bytes_at_any_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_buffer(tmp_path / "a.gz", started())
    monkeypatch.setattr("time.time", lambda: 1e9)
    write_buffer(tmp_path / "b.gz", started())
    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()


def test_a_line_is_plain_json(tmp_path: Path) -> None:
    write_buffer(tmp_path / "a.gz", started())
    assert gzip.decompress((tmp_path / "a.gz").read_bytes()).decode().split("\n")[2:] == [
        '{"problem":"weak/1","entries":[{"solution":["*","N0","-","N1","1"],"source":"search","epoch":0,"score":-0.5,"weights":[]}],'
        '"refused":{"does not give the answer":1}}',
        "",
    ]


def test_a_solution_remembers_what_it_weighed_when(tmp_path: Path) -> None:
    buffer = SolutionBuffer(FULL_ONES)
    seed_with_gold(buffer, FULL_ONES)
    buffer.record_weights("full/1", [WeightRecord(0, None, None, 1.0)])
    buffer.add("full/1", tokens("+ N1 N0"), "beam", epoch=5)
    buffer.record_weights("full/1", [WeightRecord(5, 2 / 3, 0.123456, 0.4), WeightRecord(5, 1 / 3, None, float("nan"))])
    assert buffer.entries("full/1")[0].weights == (
        WeightRecord(0, None, None, 1.0),
        WeightRecord(5, 0.6667, 0.1235, 0.4),
    )
    write_buffer(tmp_path / "a.gz", buffer)
    write_buffer(tmp_path / "b.gz", read_buffer(tmp_path / "a.gz"))
    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()
    assert (
        '"weights":[[0,null,null,1.0],[5,0.6667,0.1235,0.4]]'
        in gzip.decompress((tmp_path / "b.gz").read_bytes()).decode()
    )


def test_a_weighing_takes_all_solutions_of_a_problem() -> None:
    buffer = SolutionBuffer(FULL_ONES)
    seed_with_gold(buffer, FULL_ONES)
    with pytest.raises(ValueError, match="zip"):
        buffer.record_weights("full/1", [])


def test_a_broken_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "buffer.jsonl.gz"
    write_buffer(path, started())
    complete = path.read_bytes()
    for content in (b"", complete[:60], complete[:-8], b"no gzip at all"):
        path.write_bytes(content)
        with pytest.raises(BadInput) as error:
            read_buffer(path)
        assert str(error.value) == f"{path} is no complete gzip file; delete it and let it be written again"
    path.write_bytes(gzip.compress(b'{"problem": "1", "entries": []}\n'))
    with pytest.raises(BadInput) as error:
        read_buffer(path)
    assert str(error.value) == f"{path}, line 1: no ProblemBuffer record: refused: Field required"
    path.unlink()
    with pytest.raises(BadInput) as error:
        read_buffer(path)
    assert str(error.value) == f"cannot read {path}: No such file or directory"


def test_a_score_is_a_number() -> None:
    with pytest.raises(ValidationError, match="finite number"):
        SolutionBuffer(WEAK).add("weak/1", ("N0",), "search", 0, score=float("-inf"))


SOME = st.sampled_from(["N0", "N1", "+ N0 N1", "+ N1 N0", "* N0 N1", "* N0 100", "- N1 1"]).map(tokens)


@many
@given(st.lists(st.tuples(st.sampled_from(list(PROBLEMS)), SOME)), st.none() | st.integers(1, 3))
def test_a_buffer_equals_its_plain_twin(arrivals: list[tuple[str, Solution]], max_solutions: int | None) -> None:
    buffer = SolutionBuffer(PROBLEMS, max_solutions)
    plain: dict[str, list[Solution]] = {key: [] for key in PROBLEMS}
    for key, solution in arrivals:
        new = (
            solution not in plain[key]
            and "100" not in solution
            and (max_solutions is None or len(plain[key]) < max_solutions)
        )
        plain[key] += [solution] if new else []
        assert buffer.add(key, solution, "beam", 1) is new
    assert {key: [entry.solution for entry in buffer.entries(key)] for key in PROBLEMS} == plain
    assert SolutionBuffer.of_records(buffer.records(), max_solutions).records() == buffer.records()
