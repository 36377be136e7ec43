from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mwp.data.cleaning import Cleaning, twin_groups, twin_key
from mwp.data.folds import SCHEMES, Fold, Scheme, make_folds
from mwp.data.problems import Problem
from mwp.errors import BadInput

from .toys import toy

NAMES = "甲乙丙丁戊己庚辛壬癸子丑寅卯辰巳午未申酉戌亥"
SINGLES = [toy(f"{name}有{i}个苹果", name=str(i)) for i, name in enumerate(NAMES)]
# Five groups of four twins, then twenty problems on their own.
TWINS = [toy(f"{NAMES[i % 5]}有{i}个梨" if i < 20 else f"{NAMES[i - 20]}买了{i}个梨", name=str(i)) for i in range(40)]


def fold(problems: list[Problem], **changes: Any) -> list[Fold]:
    wanted: dict[str, Any] = {"dataset": "toys", "scheme": "paper", "count": 5, "valid": 0.2, "seed": 1}
    return make_folds(problems, **{**wanted, **changes})


def check_partition(problems: list[Problem], folds: list[Fold]) -> None:
    ids = [problem.id for problem in problems]
    assert Counter(name for fold in folds for name in fold.test) == Counter(ids)
    tokens = {problem.id: problem.tokens for problem in problems}
    for fold in folds:
        assert Counter((*fold.train, *fold.valid, *fold.test)) == Counter(ids)
        assert fold.train
        assert fold.test
        assert fold.vocabulary == Counter(token for name in fold.train for token in tokens[name])
        for part in (fold.train, fold.valid, fold.test):
            assert list(part) == sorted(part, key=ids.index)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_problem_is_tested_once_and_words_are_counted_in_training_alone(scheme: Scheme) -> None:
    for problems in (SINGLES, TWINS):
        check_partition(problems, fold(problems, scheme=scheme))


def test_paper_folds_are_contiguous_and_the_rest_is_in_the_last() -> None:
    tests = [list(map(int, part.test)) for part in fold(SINGLES)]
    assert tests == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11], [12, 13, 14, 15], [16, 17, 18, 19, 20, 21]]


def test_a_word_of_the_valid_or_test_part_alone_is_not_in_the_vocabulary() -> None:
    for part in fold(SINGLES):
        held_out = {NAMES[int(name)] for name in (*part.valid, *part.test)}
        assert len(held_out) >= 4
        assert held_out.isdisjoint("".join(part.vocabulary))


def test_the_vocabulary_is_ordered_by_count_then_spelling() -> None:
    (first, *_) = fold(SINGLES)
    assert list(first.vocabulary)[:1] == ["NUM"]
    assert list(first.vocabulary.items()) == sorted(first.vocabulary.items(), key=lambda item: (-item[1], item[0]))


@pytest.mark.parametrize("scheme", ["shuffled", "twin-safe"])
def test_the_seed_decides_the_folds(scheme: Scheme) -> None:
    assert fold(SINGLES, scheme=scheme) == fold(SINGLES, scheme=scheme)
    first, second = fold(SINGLES, scheme=scheme)[0], fold(SINGLES, scheme=scheme, seed=2)[0]
    assert first.test != second.test
    assert fold(SINGLES)[0].test == fold(SINGLES, seed=2)[0].test
    assert fold(SINGLES)[0].valid != fold(SINGLES, seed=2)[0].valid


@pytest.mark.parametrize(("valid", "size"), [(0, 0), (0.2, 3), (0.5, 9), (1, 1), (7, 7)])
def test_valid_is_a_fraction_of_the_training_part_or_a_count(valid: float, size: int) -> None:
    assert len(fold(SINGLES, valid=valid)[0].valid) == size


def test_twins_differ_in_numbers_and_punctuation_only() -> None:
    key = twin_key(toy("小明有3个苹果，吃了(1/3)，还剩多少？"))
    assert key == "小明有 NUM 个苹果吃了 NUM 还剩多少"
    assert key == twin_key(toy("小明有25个苹果．吃了20%，还剩多少．"))
    assert key != twin_key(toy("小红有3个苹果，吃了(1/3)，还剩多少？"))
    assert key != twin_key(toy("小明有3个苹果，吃了，还剩多少？"))


def is_split(group: list[Problem], fold: Fold) -> bool:
    ids = {problem.id for problem in group}
    return not any(ids <= set(part) for part in (fold.train, fold.valid, fold.test))


def test_twins_stay_together_in_twin_safe_folds_alone() -> None:
    groups = twin_groups(TWINS)
    assert sorted(map(len, groups), reverse=True)[:6] == [4, 4, 4, 4, 4, 1]
    assert not any(is_split(group, part) for part in fold(TWINS, scheme="twin-safe") for group in groups)
    assert any(is_split(group, part) for part in fold(TWINS) for group in groups)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 9), min_size=2, max_size=30), st.integers(2, 5), st.integers(0, 20), st.integers())
def test_twin_safe_folds_of_any_groups_are_whole(kinds: list[int], count: int, valid: int, seed: int) -> None:
    problems = [SINGLES[kind].model_copy(update={"id": str(i)}) for i, kind in enumerate(kinds)]
    try:
        folds = fold(problems, scheme="twin-safe", count=count, valid=valid, seed=seed)
    except BadInput:
        assert len(set(kinds)) < count or valid > 0
        return
    check_partition(problems, folds)
    assert not any(is_split(group, part) for part in folds for group in twin_groups(problems))
    sizes = [len(part.test) for part in folds]
    assert max(sizes) - min(sizes) <= max(Counter(kinds).values())


@pytest.mark.parametrize(
    ("problems", "changes", "message"),
    [
        (SINGLES[:4], {}, "toys: expected 5 or more problems for 5 folds, found 4"),
        (SINGLES, {"count": 1}, "toys: expected 2 or more folds, found 1"),
        (SINGLES, {"scheme": "random"}, "toys: expected a scheme of paper, shuffled, twin-safe, found 'random'"),
        (SINGLES, {"valid": -1}, "toys: expected valid as a fraction below 1 or a whole count, found -1"),
        (SINGLES, {"valid": 2.5}, "toys: expected valid as a fraction below 1 or a whole count, found 2.5"),
        (SINGLES, {"valid": 18}, "toys: nothing left to train on in fold 0; lower valid (18) or add problems"),
        (SINGLES + SINGLES[:2], {}, "toys: expected every id once, found '0' again (2 such ids)"),
        (
            [TWINS[i] for i in (0, 5, 10, 1, 6)],
            {"scheme": "twin-safe", "count": 3},
            "toys: expected 3 or more groups of twins for 3 folds, found 2",
        ),
    ],
)
def test_impossible_folds_are_refused(problems: list[Problem], changes: dict[str, Any], message: str) -> None:
    with pytest.raises(BadInput) as error:
        fold(problems, **changes)
    assert str(error.value) == message


def test_folds_of_d_math23k(d_math23k: Cleaning) -> None:
    problems = d_math23k.kept
    assert [len(part.test) for part in fold(problems)] == [4_442, 4_442, 4_442, 4_442, 4_445]
    groups = [group for group in twin_groups(problems) if len(group) > 1]
    assert (sum(map(len, groups)), len(groups)) == (1_643, 554)
    safe = fold(problems, scheme="twin-safe", valid=0.05)
    assert [len(part.test) for part in safe] == [4_443, 4_443, 4_443, 4_442, 4_442]
    assert [len(part.valid) for part in safe] == [888] * 5
    assert not any(is_split(group, part) for part in safe[:1] for group in groups)
