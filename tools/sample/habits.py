"""Small habits of the real files: closing marks, `=多少`, and 第1天 for 第一天."""

from dataclasses import replace
from random import Random

from tools.sample.story import Story

STOP_FOR_QUESTION = 0.25
EQUALS_FOR_IS = 0.3
DIGITS_FOR_ORDINALS = 0.3


def with_habits(story: Story, rng: Random) -> Story:
    text = story.text
    if rng.random() < STOP_FOR_QUESTION and text.endswith("？"):
        text = f"{text[:-1]}．"
    if rng.random() < EQUALS_FOR_IS:
        head, separator, tail = text.rpartition("是多少")
        text = f"{head}=多少{tail}" if separator else text
    if rng.random() < DIGITS_FOR_ORDINALS:
        text = text.replace("第一", "第1").replace("第二", "第2")
    return replace(story, text=text)
