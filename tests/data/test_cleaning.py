from collections import Counter

import pytest

from mwp.data.cleaning import Cleaning, clean, trainable, without
from mwp.data.problems import Drop
from mwp.data.readers import Reading
from mwp.data.soundness import gold_gives_answer

from .toys import toy


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("10.6-0.4与5.5的积=？", "equation in the text"),
        ("(3/4)*8=多少", "equation in the text"),
        ("速度是80千米/小时，路程=？", "equation in the text"),
        ("小强的体重是28.4千克的(1/4)，小强的体重=多少千克？", None),
        ("10.6-0.4与5.5的积是多少？", None),
        ("一打铅笔有多少支？", "no number in the text"),
    ],
)
def test_calculations_and_texts_without_numbers_are_dropped(text: str, reason: str | None) -> None:
    problem = toy(text)
    cleaning = clean([problem])
    if reason is None:
        assert cleaning == Cleaning([problem], [])
    else:
        assert cleaning == Cleaning([], [Drop(id="1", reason=reason, detail=text)])


@pytest.mark.parametrize(
    ("text", "equation", "answer", "reason"),
    [
        ("2米种一棵树，种了11棵", "(11-1)*2", "20", None),
        ("圆的半径是2米", "3.14*2*2", "12.56", None),
        ("葡萄7千克售55元，33元买多少", "33/(55/7)", "4.2", None),
        ("葡萄7千克售55元，33元买多少", "33/(55/7)", "4.21", "equation does not give the answer"),
        ("有2个和3个", "2/(3-3)", "4", "equation does not give the answer"),
        ("2打铅笔", "2*12", "24", "a constant other than 1 and 3.14"),
        ("2打铅笔", None, "24", "no equation"),
        ("一打铅笔", "1", "1", "no number in the text"),
    ],
)
def test_a_problem_trains_if_its_equation_is_writable_and_right(
    text: str, equation: str | None, answer: str, reason: str | None
) -> None:
    assert trainable(toy(text, answer, equation)) == reason


def test_a_problem_without_an_equation_does_not_give_its_answer() -> None:
    assert not gold_gives_answer(toy("2打铅笔", "24"))


def test_what_stands_in_the_other_dataset_too_is_dropped_whatever_its_punctuation() -> None:
    others = [toy("小明有3支笔，又买了4支．一共有多少支？", "7", "3+4")]
    own = [
        toy("小明有3支笔,又买了4支,一共有多少支", "7", name="same"),
        toy("小明有3支笔，又买了5支，一共有多少支？", "8", name="other numbers"),
        toy("小红有3支笔，又买了4支，一共有多少支？", "7", name="other words"),
    ]
    found = without(Cleaning(own, [Drop(id="0", reason="before", detail="")]), others)
    assert [problem.id for problem in found.kept] == ["other numbers", "other words"]
    assert [(drop.id, drop.reason) for drop in found.drops] == [
        ("0", "before"),
        ("same", "also in the dataset with equations"),
    ]


def test_d_math23k_keeps_22213_of_23162(math23k: Reading, d_math23k: Cleaning) -> None:
    assert len(d_math23k.kept) == 22_213
    assert Counter(drop.reason for drop in d_math23k.drops) == {"equation in the text": 947}
    assert len(d_math23k.drops) + len(math23k.drops) == 949


def test_five_problems_of_d_math23k_cannot_train(d_math23k: Cleaning) -> None:
    reasons = {problem.id: trainable(problem) for problem in d_math23k.kept}
    assert {name: reason for name, reason in reasons.items() if reason} == {
        "5728": "a constant other than 1 and 3.14",
        "15840": "a constant other than 1 and 3.14",
        "22279": "a constant other than 1 and 3.14",
        "9761": "equation does not give the answer",
        "22085": "equation does not give the answer",
    }
