import json
import re
from collections import Counter
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from mwp.arith.expressions import ONE, PI, Constant, evaluate, leaves, operator_count
from mwp.arith.notation import parse
from mwp.arith.numerals import NUMERAL, parse_numeral
from mwp.data.cleaning import clean, trainable, twin_groups
from mwp.data.formats import Object, read_objects
from mwp.data.readers import read_problems
from mwp.data.text import find_numbers, map_equation
from tools.sample import SampleCounts, full, weak, write_sample
from tools.sample.problem import StoryError, solve
from tools.sample.story import AnswerForm, Situation, Story
from tools.sample.writer import MATH23K, WEAK12K, tell_many

BARE_SUM = re.compile(r"[-+*/].*=")
COMMITTED = Path(__file__).parents[2] / "data" / "sample"


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sample")
    write_sample(folder)
    return folder


@pytest.fixture(scope="module")
def problems() -> list[Object]:
    return read_objects(COMMITTED / MATH23K)


@pytest.fixture(scope="module")
def weak_problems() -> list[Object]:
    return json.loads((COMMITTED / WEAK12K).read_text(encoding="utf8"))


def skeleton(text: str) -> str:
    return re.sub(r"[\W_]+", "", NUMERAL.sub("N", text))


def rng_of(situation: Situation) -> Random:
    return Random(situation.name)


def fractions_of(text: str) -> list[Fraction]:
    return [parse_numeral(number) for number in NUMERAL.findall(text) if "(" in number]


@pytest.mark.parametrize("name", [MATH23K, WEAK12K])
def test_the_committed_files_are_what_the_writer_writes(fresh: Path, name: str) -> None:
    assert (COMMITTED / name).read_bytes() == (fresh / name).read_bytes()


def test_another_seed_gives_other_problems(fresh: Path, tmp_path: Path) -> None:
    write_sample(tmp_path, seed=24)
    for name in (MATH23K, WEAK12K):
        assert (tmp_path / name).read_bytes() != (fresh / name).read_bytes()


def test_the_readme_quotes_the_counts(tmp_path: Path) -> None:
    counts = write_sample(tmp_path)
    assert counts == SampleCounts(
        full=1600, weak=546, with_equation_in_text=66, situations=len(full.SITUATIONS) + len(weak.SITUATIONS)
    )
    readme = (COMMITTED / "README.md").read_text(encoding="utf8")
    for quoted in (
        f"{counts.full:,} word problems with equations from {len(full.SITUATIONS)} situations",
        f"{counts.with_equation_in_text} bare sums",
        f"{counts.weak} word problems with answers only, from {len(weak.SITUATIONS)} other situations",
    ):
        assert quoted in readme


def test_the_sample_is_large_and_varied_and_small_in_bytes() -> None:
    assert len(full.SITUATIONS) >= 40
    assert len(weak.SITUATIONS) >= 12
    assert sum((COMMITTED / name).stat().st_size for name in (MATH23K, WEAK12K)) < 1_000_000


def test_the_weak_part_shares_no_situation_with_the_full_part() -> None:
    names = [situation.name for situation in (*full.SITUATIONS, *weak.SITUATIONS)]
    assert len(set(names)) == len(names)
    tellers = {situation.tell for situation in (*full.SITUATIONS, *weak.SITUATIONS)}
    assert len(tellers) == len(names)


def test_math23k_is_a_run_of_objects_without_commas(problems: list[Object]) -> None:
    text = (COMMITTED / MATH23K).read_text(encoding="utf8")
    assert text.startswith('{\n  "id": "1",\n  "original_text": "')
    assert text.count("\n}\n{\n") == len(problems) - 1
    assert [problem["id"] for problem in problems] == [str(number) for number in range(1, len(problems) + 1)]
    assert {tuple(problem) for problem in problems} == {("id", "original_text", "equation", "ans")}


def test_every_equation_gives_its_answer_exactly(problems: list[Object]) -> None:
    for problem in problems:
        expression = parse(problem["equation"].removeprefix("x="), fractions_of(problem["original_text"]))
        assert evaluate(expression) == parse_numeral(problem["ans"]), problem


def test_every_literal_of_an_equation_stands_in_its_text_or_is_one_or_pi(problems: list[Object]) -> None:
    for problem in problems:
        spelled = {*NUMERAL.findall(problem["original_text"]), "1", "3.14"}
        for literal in NUMERAL.findall(problem["equation"]):
            # (40/8) is a division unless the text holds this fraction.
            assert literal in spelled or set(NUMERAL.findall(literal.strip("()"))) <= spelled, problem


def test_one_to_five_operators_occur(problems: list[Object]) -> None:
    counts = Counter(
        operator_count(parse(problem["equation"].removeprefix("x="), fractions_of(problem["original_text"])))
        for problem in problems
    )
    assert set(counts) == {1, 2, 3, 4, 5}
    assert min(counts.values()) >= 20


def test_answers_come_in_all_spellings(problems: list[Object]) -> None:
    spellings = {
        "whole": r"\d+",
        "decimal": r"\d+\.\d+",
        "percent": r"\d+(\.\d+)?%",
        "fraction": r"\(\(\d+\)/\(\d+\)\)",
        "mixed": r"\d+\(\(\d+\)/\(\d+\)\)",
    }
    found = {
        name: sum(bool(re.fullmatch(spelling, problem["ans"])) for problem in problems)
        for name, spelling in spellings.items()
    }
    assert sum(found.values()) == len(problems)
    assert min(found.values()) >= 10


def test_some_equations_are_written_in_several_equal_ways(problems: list[Object]) -> None:
    equations = " ".join(problem["equation"] for problem in problems)
    for first, second in (
        (r"=\((\d+)\+(\d+)\)\*(\d+) ", r"=(\d+)\*(\d+)\+(\d+)\*\2 "),
        (r"=(\d+)\*\(1-\d+%\) ", r"=(\d+)-\1\*\d+% "),
        (r"=[\d.]+-[\d.]+-[\d.]+ ", r"=[\d.]+-\([\d.]+\+[\d.]+\) "),
    ):
        assert re.search(first, equations), first
        assert re.search(second, equations), second


def test_some_texts_hold_numbers_that_no_solution_needs(problems: list[Object]) -> None:
    idle = 0
    for problem in problems:
        equation = parse(problem["equation"].removeprefix("x="), fractions_of(problem["original_text"]))
        used = {leaf.value for leaf in leaves(equation) if isinstance(leaf, Constant)}
        idle += any(parse_numeral(number) not in used for number in NUMERAL.findall(problem["original_text"]))
    assert 0.03 < idle / len(problems) < 0.15


def test_few_texts_repeat_a_number_and_none_is_crowded(problems: list[Object]) -> None:
    numbers = [[parse_numeral(number) for number in NUMERAL.findall(problem["original_text"])] for problem in problems]
    assert max(map(len, numbers)) <= 8
    assert 0 < sum(len(set(values)) < len(values) for values in numbers) <= 0.02 * len(problems)


def test_no_decimal_ends_in_a_zero(problems: list[Object], weak_problems: list[Object]) -> None:
    for problem in (*problems, *weak_problems):
        assert not re.search(r"\d\.\d*0(?!\d)", problem["original_text"]), problem


def test_texts_are_all_different(problems: list[Object], weak_problems: list[Object]) -> None:
    texts = [problem["original_text"].rstrip("？．") for problem in (*problems, *weak_problems)]
    assert len(set(texts)) == len(texts)


def test_our_reader_takes_everything_and_the_clean_stage_drops_the_bare_sums() -> None:
    reading = read_problems(COMMITTED / MATH23K)
    assert reading.drops == []
    cleaning = clean(reading.problems)
    assert Counter(drop.reason for drop in cleaning.drops) == {"equation in the text": 66}
    assert [problem for problem in cleaning.kept if trainable(problem)] == []


def test_twins_are_about_as_many_as_in_the_real_data() -> None:
    """One in eleven there; enough for the folds that keep twins together."""
    kept = clean(read_problems(COMMITTED / MATH23K).problems).kept
    twins = sum(len(group) for group in twin_groups(kept) if len(group) > 1)
    assert 0.05 < twins / len(kept) < 0.15


@pytest.mark.parametrize("name", ["math23k.json", "weak12k_valid.json", "ape210k_valid.jsonl"])
def test_no_word_problem_is_a_real_one_with_other_numbers(
    real_data: Path, name: str, problems: list[Object], weak_problems: list[Object]
) -> None:
    real = {skeleton(record["original_text"]) for record in read_objects(real_data / name)}
    ours = [problem["original_text"] for problem in (*problems, *weak_problems)]
    assert [text for text in ours if not BARE_SUM.search(text) and skeleton(text) in real] == []


def test_situations_are_mixed_over_the_folds(problems: list[Object]) -> None:
    fifth = len(problems) // 5
    for start in range(0, 5 * fifth, fifth):
        fold = [problem["equation"] for problem in problems[start : start + fifth]]
        assert sum("3.14" in equation for equation in fold) > 5
        assert sum("%" in equation for equation in fold) > 10


def test_weak_problems_have_the_fields_of_weak12k(weak_problems: list[Object]) -> None:
    assert len(weak_problems) >= 500
    for problem in weak_problems:
        assert list(problem) == ["id", "original_text", "text", "num_list", "ans", "answer"]
        assert not re.search(r"[%/]", problem["original_text"])
        numbers = NUMERAL.findall(problem["original_text"])
        assert problem["num_list"] == [float(number) for number in numbers]
        words = problem["text"].split(" ")
        names = [word for word in words if word.startswith("temp_")]
        assert names == [f"temp_{letter}" for letter in "abcdefgh"[: len(numbers)]]
        spelled = dict(zip(names, numbers, strict=True))
        assert "".join(spelled.get(word, word) for word in words) == problem["original_text"]


def test_weak_answers_are_decimals_cut_at_twelve_digits(weak_problems: list[Object]) -> None:
    assert all(float(problem["ans"]) == problem["answer"] for problem in weak_problems)
    assert all(f"{problem['answer']:.12g}" == problem["ans"] for problem in weak_problems)
    assert "0.666666666667" in {problem["ans"] for problem in weak_problems}


def test_weak_problems_need_no_constants_but_one_and_pi() -> None:
    for situation in weak.SITUATIONS:
        for problem in tell_many(situation, 5, rng_of(situation)):
            (reading, *_) = map_equation(problem.equation, find_numbers(problem.text))
            assert {leaf for leaf in leaves(reading) if isinstance(leaf, Constant)} <= {ONE, PI}


def test_a_story_whose_equation_does_not_suit_its_text_is_an_error() -> None:
    story = Story("小明有3个苹果，小红有5个，一共有多少个？", "3+6")
    with pytest.raises(StoryError, match=r"^the equation does not suit the text: 3\+6 \| 小明有3个苹果"):
        solve(story)


@pytest.mark.parametrize(
    ("equation", "form"),
    [
        ("3-5", AnswerForm.COUNT),  # below zero
        ("3/5", AnswerForm.COUNT),  # no whole thing
        ("5/3", AnswerForm.AMOUNT),  # no short decimal
        ("5-3", AnswerForm.FRACTION),  # no fraction
        ("3/5/(3+5)/(3+5)", AnswerForm.PERCENT),  # too many digits
    ],
)
def test_a_story_whose_value_does_not_fit_is_told_again(equation: str, form: AnswerForm) -> None:
    assert solve(Story("小明有3个苹果，小红有5个，一共有多少个？", equation, form)) is None


def test_a_constant_one_beside_a_one_of_the_text_is_told_again() -> None:
    assert solve(Story("第1天看了全书的(1/5)，还剩几分之几？", "1-(1/5)", AnswerForm.FRACTION)) is None


def test_a_situation_that_cannot_fill_its_share_is_an_error() -> None:
    stuck = Situation("apples", lambda rng: Story("小明有3个苹果，小红有5个，一共有多少个？", "3+5"))
    with pytest.raises(StoryError, match=r"^only 1 of 2 fit problems of the situation 'apples'$"):
        tell_many(stuck, 2, rng_of(stuck))
