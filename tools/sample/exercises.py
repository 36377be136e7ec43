"""Sums whose text holds the equation itself; the clean stage drops them."""

from random import Random

from tools.sample.quantity import decimal, part, whole
from tools.sample.story import AnswerForm, Story, pick

HEADS = ("计算：", "脱式计算：", "递等式计算：", "")
SHORT_CUT_HEADS = ("用简便方法计算：", "简便计算：", "怎样简便就怎样算：")
TAILS = ("=？", "=．", "=多少．", "=多少？")


def exercise(rng: Random) -> Story:
    kind = pick(rng, _plain, _plain, _short_cut, _fractions)
    head, sum_, form = kind(rng)
    return Story(f"{head}{sum_}{pick(rng, *TAILS)}", sum_, form)


def _plain(rng: Random) -> tuple[str, str, AnswerForm]:
    a, b, c, d = whole(rng, 12, 90), whole(rng, 3, 9), whole(rng, 11, 60), whole(rng, 120, 900)
    e = decimal(rng, 1, 9)
    sums = (
        f"{a * b * c}/{b}/{c}+{d}",
        f"({d}+{a})*{b}",
        f"{d}-{a}*{b}",
        f"{d}+{a}-{c}",
        f"({a}+{c})*{b}-{d}",
        f"{a * b}/{b}*{e}",
        f"{d * b}/{b}-{e}",
    )
    return pick(rng, *HEADS), pick(rng, *sums), AnswerForm.AMOUNT


def _short_cut(rng: Random) -> tuple[str, str, AnswerForm]:
    """Sums that a law of arithmetic makes easy."""
    e, a, b, d = decimal(rng, 2, 9), whole(rng, 11, 89), whole(rng, 3, 9), whole(rng, 320, 900)
    sums = (f"{e}*{a}+{e}*{100 - a}", f"{a}*{b}+{100 - a}*{b}", f"{d}-{a}-{100 - a}", f"{d}+{a}+{100 - a}", f"{a}*25*4")
    return pick(rng, *SHORT_CUT_HEADS), pick(rng, *sums), AnswerForm.AMOUNT


def _fractions(rng: Random) -> tuple[str, str, AnswerForm]:
    f, g, b, c = part(rng, 3, 8), part(rng, 3, 9), whole(rng, 3, 9), whole(rng, 11, 60)
    if rng.random() < 0.3:
        return pick(rng, *HEADS), f"{f}*{f.bottom * b}+{c}", AnswerForm.COUNT
    return pick(rng, "计算：", ""), pick(rng, f"{b}-{f}*{g}", f"{f}+{g}", f"{f}*{g}", f"{f}/{g}"), AnswerForm.FRACTION
