"""Cues read off the text."""

import pytest

from mwp.wda.tasks import ANSWERS, KINDS, UNUSED, tolerance
from tests.wda.problems import task


def test_kinds_follow_the_spelling_and_the_value() -> None:
    cues = task("有12个，1只，25%，(1/3)，0.5，3(1/2)，150%", "7").cues
    assert [KINDS[kind] for kind in cues.kind] == ["count", "unity", "part", "part", "part", "part", "part"]


def test_a_number_behind_第_is_an_ordinal() -> None:
    assert [UNUSED[reason] for reason in task("第3天看了24页，5人", "8").cues.unused] == ["ordinal", "other", "small"]


def test_units_are_the_characters_behind_counts_and_behind_the_question() -> None:
    cues = task("路长12米，有25%是石路，3天修完，每天修多少米？", "4").cues
    assert [chr(unit) if unit else "" for unit in cues.unit] == ["米", "", "天"]
    assert chr(cues.asked_unit) == "米"


@pytest.mark.parametrize(
    ("answer", "form"),
    [("20", "whole"), ("2.5", "decimal"), ("(1/6)", "fraction"), ("8((1)/(3))", "fraction"), ("25%", "percent")],
)
def test_the_answers_form_follows_its_spelling(answer: str, form: str) -> None:
    assert ANSWERS[task("12个", answer).cues.answer_form] == form


def test_tolerance_is_float_noise_unless_the_answer_was_cut() -> None:
    assert tolerance(20.0, "20") == pytest.approx(2e-8)
    assert tolerance(39.76, "39.76") < 1e-7
    assert tolerance(0.333333, "0.333333") == pytest.approx(1e-6)
