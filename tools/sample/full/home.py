"""At home and on a payday: ages, temperature, water and power, wages."""

from decimal import Decimal
from random import Random

from tools.sample.quantity import decimal, tidy, whole
from tools.sample.story import AnswerForm, Story, pick, situations, told
from tools.sample.words import ADULTS, WORKERS, child

CITIES = ("北京", "武汉", "南京", "杭州", "西安", "成都", "济南", "本地")


def ages(rng: Random) -> Story:
    who, more, (k, age) = child(rng), whole(rng, 2, 4), _doubling(rng, 4, 6)
    parent = pick(rng, "爸爸", "妈妈")
    old = age * k + more
    born = whole(rng, 24, 33)
    older = (
        f"{who}今年{age}岁，{parent}的年龄比{who}的{k}倍多{more}岁，{parent}今年多少岁？",
        f"{who}今年{age}岁，{parent}比{who}年龄的{k}倍还大{more}岁，{parent}今年几岁？",
    )
    younger = (
        f"{parent}今年{old}岁，比{who}年龄的{k}倍大{more}岁，{who}今年多少岁？",
        f"{parent}今年{old}岁，比{who}年龄的{k}倍还多{more}岁，{who}今年几岁？",
    )
    gap = (
        f"{parent}的年龄是{who}的{k}倍，{parent}比{who}大{age * (k - 1)}岁，{who}今年多少岁？",
        f"{who}比{parent}小{age * (k - 1)}岁，今年{parent}的年龄正好是{who}的{k}倍，{who}今年几岁？",
    )
    later = (
        f"{who}今年{age}岁，{parent}比{who}大{born}岁，{more + 1}年后{parent}多少岁？",
        f"{parent}比{who}大{born}岁，{who}今年{age}岁，再过{more + 1}年{parent}多少岁？",
    )
    return pick(
        rng,
        told(rng, older, (f"{age}*{k}+{more}",)),
        told(rng, younger, (f"({old}-{more})/{k}",)),
        told(rng, gap, (f"{age * (k - 1)}/({k}-1)",)),
        told(rng, later, (f"{age}+{born}+{more + 1}",)),
    )


def ages_later(rng: Random) -> Story:
    who, elder, k, then = child(rng), pick(rng, "爸爸", "妈妈"), *_doubling(rng, 2, 4)
    young = whole(rng, 4, min(14, then - 2))
    old = young + then * (k - 1)
    ahead = (
        f"{elder}今年{old}岁，{who}今年{young}岁，几年后{elder}的年龄是{who}的{k}倍？",
        f"今年{elder}{old}岁，{who}{young}岁，再过多少年{elder}的年龄正好是{who}的{k}倍？",
        f"{who}今年{young}岁，{elder}今年{old}岁，多少年以后{elder}的年龄是{who}年龄的{k}倍？",
    )
    times, past = _doubling(rng, 4, 6)
    boy = past + whole(rng, 2, 5)
    man = boy + past * (times - 1)
    ago = (
        f"{elder}今年{man}岁，{who}今年{boy}岁，几年前{elder}的年龄是{who}的{times}倍？",
        f"今年{who}{boy}岁，{elder}{man}岁，多少年前{elder}的年龄是{who}的{times}倍？",
    )
    if rng.random() < 0.4:
        return told(rng, ago, (f"{boy}-({man}-{boy})/({times}-1)",))
    return told(rng, ahead, (f"({old}-{young})/({k}-1)-{young}",))


def _doubling(rng: Random, low: int, high: int) -> tuple[int, int]:
    """How many times as old a parent is, and the child's age then, for a parent 24 to 33 years older."""
    times = whole(rng, low, high)
    return times, whole(rng, -(-24 // (times - 1)), 33 // (times - 1))


def temperature(rng: Random) -> Story:
    low, up, down = decimal(rng, 9, 18), decimal(rng, 5, 11), decimal(rng, 2, 8)
    day = pick(rng, "某天", "星期一", f"{whole(rng, 4, 10)}月{whole(rng, 3, 28)}日", "昨天") + pick(rng, *CITIES)
    evening = (
        f"{day}日出时测得气温{low}摄氏度，午后升高{up}摄氏度，入夜后又降低{down}摄氏度，入夜后的气温是多少摄氏度？",
        f"{child(rng)}记录{day}的气温：早晨{low}摄氏度，到下午两点上升了{up}摄氏度，到晚上八点又下降了{down}摄氏度，晚上八点的气温是多少摄氏度？",
    )
    foot, height, per = whole(rng, 22, 32), whole(rng, 2, 5), whole(rng, 2, 3) * 2
    mountain = (
        f"高度每升高1千米，气温大约下降6摄氏度．{child(rng)}测得山脚的气温是{foot}摄氏度，{height}千米高的山顶气温大约是多少摄氏度？",
        f"{child(rng)}一家去爬山，山高{height}千米，山脚的气温是{foot}摄氏度，高度每增加1千米气温下降6摄氏度，山顶的气温是多少摄氏度？",
    )
    hot, minutes, shop, who = foot + 60, height * 2, pick(rng, "饭店", "超市", "食堂"), pick(rng, *ADULTS)
    cold = (
        f"{shop}的一台冰柜现在的温度是{foot}摄氏度，接通电源后每小时降低{per}摄氏度，{height}小时后柜内温度是多少摄氏度？",
        f"{who}把一壶{hot}摄氏度的水放在室内，每分钟大约降低{per}摄氏度，{minutes}分钟后水温大约是多少摄氏度？",
    )
    return pick(
        rng,
        told(rng, evening, (f"{low}+{up}-{down}",), AnswerForm.AMOUNT),
        told(rng, mountain, (f"{foot}-6*{height}", f"{foot}-{height}*6")),
        pick(
            rng,
            Story(cold[0], f"{foot}-{per}*{height}"),
            Story(cold[1], f"{hot}-{per}*{minutes}"),
        ),
    )


def household(rng: Random) -> Story:
    who, months = child(rng), whole(rng, 3, 9)
    price, before = decimal(rng, 2, 4), whole(rng, 14, 26)
    now, start = before - whole(rng, 2, 6), whole(rng, 300, 900)
    end, rate = (
        start + whole(rng, 60, 180, 5),
        pick(rng, Decimal("0.5"), Decimal("0.52"), Decimal("0.6"), Decimal("0.55")),
    )
    used = tidy(before * months * price)
    water = (
        f"{who}家上个月用水{before}吨，这个月用水{now}吨，每吨水{price}元，这个月比上个月少付水费多少元？",
        f"每吨自来水{price}元，{who}家上月用水{before}吨，本月注意节约用水，只用了{now}吨，本月可以节约水费多少元？",
    )
    power = (
        f"{who}家的电表上月底的读数是{start}度，这个月底的读数是{end}度，每度电{rate}元，这个月应付电费多少元？",
        f"电费每度{rate}元，{who}家五月底电表读数是{start}度，六月底电表读数是{end}度，六月份要付电费多少元？",
    )
    year = (
        f"{who}家平均每月用水{before}吨，每吨水{price}元，{months}个月的水费一共是多少元？",
        f"{who}家{months}个月一共付水费{used}元，每吨水{price}元，平均每月用水多少吨？",
    )
    return pick(
        rng,
        told(rng, water, (f"({before}-{now})*{price}", f"{before}*{price}-{now}*{price}"), AnswerForm.AMOUNT),
        told(rng, power, (f"({end}-{start})*{rate}",), AnswerForm.AMOUNT),
        pick(
            rng,
            Story(year[0], f"{before}*{price}*{months}", AnswerForm.AMOUNT),
            Story(year[1], f"{used}/{price}/{months}", AnswerForm.AMOUNT),
        ),
    )


def wages(rng: Random) -> Story:
    base, sold, p = whole(rng, 1800, 3600, 100), whole(rng, 12000, 60000, 2000), whole(rng, 2, 6)
    piece, count, who = decimal(rng, 2, 9), whole(rng, 120, 480, 20), pick(rng, *WORKERS)
    hours, rate, bonus = whole(rng, 20, 26), whole(rng, 80, 160, 5), whole(rng, 200, 600, 50)
    seller, years = pick(rng, *ADULTS[:6]), whole(rng, 5, 20)
    commission = (
        f"{seller}是商场营业员，每月基本工资{base}元，另外按销售额的{p}%提成，上月销售额是{sold}元，上月一共收入多少元？",
        f"{seller}做销售工作，每月底薪{base}元，再加销售额{p}%的提成．如果一个月的销售额是{sold}元，这个月能拿到多少元？",
    )
    pieces = (
        f"{who}在工厂工作了{years}年，每月基本工资{base}元，每加工一个零件另得{piece}元，上月加工了{count}个零件，上月的工资是多少元？",
        f"{who}每月基本工资{base}元，每加工一个零件另得{piece}元，上月加工了{count}个零件，上月的工资是多少元？",
        f"工厂实行计件工资，{who}每月底薪{base}元，每做一个零件再得{piece}元，这个月做了{count}个，一共能领工资多少元？",
    )
    daily = (
        f"{who}每天工资{rate}元，上月出勤{hours}天，另得奖金{bonus}元，上月共收入多少元？",
        f"{who}上月工作了{hours}天，每天工资{rate}元，交伙食费{bonus}元后，还剩多少元？",
    )
    return pick(
        rng,
        told(rng, commission, (f"{base}+{sold}*{p}%",)),
        told(rng, pieces, (f"{base}+{piece}*{count}", f"{base}+{count}*{piece}"), AnswerForm.AMOUNT),
        Story(daily[0], f"{rate}*{hours}+{bonus}"),
        Story(daily[1], f"{rate}*{hours}-{bonus}"),
    )


SITUATIONS = situations(ages, ages_later, temperature, household, wages)
