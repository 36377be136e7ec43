"""Buying and selling: change, several goods, sets, the same money, cases, profit."""

from decimal import Decimal
from random import Random

from tools.sample.quantity import decimal, tidy, whole
from tools.sample.story import AnswerForm, Story, pick, situations, told, two
from tools.sample.words import FRUIT, SPORTS, STATIONERY, TEACHERS, banknotes, child, school, school_class


def change(rng: Random) -> Story:
    who, (good, other) = child(rng), two(rng, STATIONERY)
    noun, m = good.noun, good.measure
    count, price = whole(rng, 2, 9), good.odd_price(rng)
    paid = banknotes(count * price)
    texts = (
        f"{who}到文具店买了{good.of(count)}，每{m}{price}元，付给售货员{paid}元，应找回多少元？",
        f"{noun}每{m}{price}元，{who}买了{count}{m}，付了{paid}元，应找回多少钱？",
        f"{who}带了{paid}元去买{noun}，每{m}{price}元，买了{count}{m}后还剩多少元？",
        f"一{m}{noun}{price}元，{who}拿{paid}元钱买了这样的{noun}{count}{m}，营业员应找给{who}多少元？",
        f"妈妈给{who}{paid}元去买{noun}．{good.each}{price}元，买{count}{m}，还剩多少元？",
        f"文具店里{other.each}{other.price(rng)}元，{good.each}{price}元．{who}付{paid}元买了{good.of(count)}，应找回多少元？",
    )
    return told(rng, texts, (f"{paid}-{price}*{count}", f"{paid}-{count}*{price}"), AnswerForm.AMOUNT)


def two_goods(rng: Random) -> Story:
    (a, b), who = two(rng, SPORTS), pick(rng, *TEACHERS)
    m, n, p, q = whole(rng, 2, 9), whole(rng, 2, 9), a.price(rng), b.price(rng)
    total = (
        f"{school(rng)}买来{a.of(m)}和{b.of(n)}，{a.each}{p}元，{b.each}{q}元，一共用去多少元？",
        f"体育用品商店里，{a.each}{p}元，{b.each}{q}元．{who}买了{a.of(m)}和{b.of(n)}，一共应付多少元？",
        f"{school_class(rng)}要买{a.of(m)}和{b.of(n)}，{a.each}{p}元，{b.each}{q}元，一共需要多少元？",
        f"学校体育组购买了{m}{a.measure}单价{p}元的{a.noun}和{n}{b.measure}单价{q}元的{b.noun}，一共要付多少钱？",
        f"{who}为学校买体育器材，买{a.of(m)}，每{a.measure}{p}元，又买{b.of(n)}，每{b.measure}{q}元，一共花了多少元？",
    )
    gap = (
        f"{school(rng)}买了{a.of(m)}和{b.of(n)}，{a.each}{p}元，{b.each}{q}元，买{a.noun}比买{b.noun}多用多少元？",
        f"{a.each}{p}元，{b.each}{q}元．{who}买{a.of(m)}比买{b.of(n)}要多付多少元？",
    )
    if rng.random() < 0.3 and p * m > q * n:
        return told(rng, gap, (f"{p}*{m}-{q}*{n}", f"{m}*{p}-{n}*{q}"))
    return told(rng, total, (f"{p}*{m}+{q}*{n}", f"{m}*{p}+{n}*{q}"))


def money_left(rng: Random) -> Story:
    (a, b), who = two(rng, STATIONERY), child(rng)
    m, n, p, q = whole(rng, 2, 6), whole(rng, 2, 6), a.odd_price(rng), b.odd_price(rng)
    paid, age = banknotes(m * p + n * q), whole(rng, 8, 12)
    texts = (
        f"{who}带{paid}元去文具店，买了{a.of(m)}，每{a.measure}{p}元，又买了{b.of(n)}，每{b.measure}{q}元，还剩多少元？",
        f"{a.each}{p}元，{b.each}{q}元．{who}买了{a.of(m)}和{b.of(n)}，付了{paid}元，应找回多少元？",
        f"{who}今年{age}岁，用零花钱{paid}元买了{a.of(m)}和{b.of(n)}，{a.each}{p}元，{b.each}{q}元，还剩多少元？",
        f"{who}用{paid}元买了{m}{a.measure}单价{p}元的{a.noun}和{n}{b.measure}单价{q}元的{b.noun}，还剩下多少钱？",
    )
    equations = (f"{paid}-{p}*{m}-{q}*{n}", f"{paid}-({p}*{m}+{q}*{n})", f"{paid}-{m}*{p}-{n}*{q}")
    return told(rng, texts, equations, AnswerForm.AMOUNT)


def sets(rng: Random) -> Story:
    n, a, b = whole(rng, 12, 80), whole(rng, 60, 160), whole(rng, 25, 90)
    texts = (
        f"{school(rng)}新买了{n}套课桌椅，每张课桌{a}元，每把椅子{b}元，一共要付多少元？",
        f"鼓号队添置{n}套队服，一件上衣{a}元，一条裤子{b}元，添置这些队服共要多少元？",
        f"一件运动上衣{a}元，一条运动裤{b}元，体育老师给校队买{n}套这样的运动服，一共要用多少元？",
        f"一个书包{a}元，一个水壶{b}元．爱心人士给山区的{n}名学生每人送一个书包和一个水壶，一共需要多少元？",
        f"{pick(rng, *TEACHERS)}要为{n}名同学每人买一套校服，上衣每件{a}元，裤子每条{b}元，一共需要多少元？",
    )
    cheaper = (
        f"一张课桌{a}元，一把椅子比一张课桌便宜{b}元，{school(rng)}买了{n}套这样的课桌椅，共需多少元？",
        f"一件上衣{a}元，一条裤子比一件上衣便宜{b}元．舞蹈队买{n}套这样的服装，一共要付多少元？",
    )
    if rng.random() < 0.3 and a > 2 * b:
        return told(rng, cheaper, (f"({a}+{a}-{b})*{n}", f"({a}-{b}+{a})*{n}", f"{a}*{n}+({a}-{b})*{n}"))
    return told(rng, texts, (f"({a}+{b})*{n}", f"{a}*{n}+{b}*{n}"))


def same_money(rng: Random) -> Story:
    (a, b), who = two(rng, SPORTS[:5]), pick(rng, *TEACHERS)
    p, q, n = a.price(rng), b.price(rng), whole(rng, 10, 30)
    texts = (
        f"{who}带的钱正好可以买{n}{a.measure}单价{p}元的{a.noun}，如果买单价{q}元的{b.noun}，可以买多少{b.measure}？",
        f"{school(rng)}用一笔钱买{a.noun}，每{a.measure}{p}元，正好能买{n}{a.measure}．如果改买每{b.measure}{q}元的{b.noun}，能买多少{b.measure}？",
        f"{a.each}{p}元，{b.each}{q}元．买{a.of(n)}的钱可以买多少{b.measure}{b.noun}？",
    )
    return told(rng, texts, (f"{p}*{n}/{q}", f"{n}*{p}/{q}"))


def price_gap(rng: Random) -> Story:
    who, other = two(rng, ("妈妈", "李阿姨", "张阿姨", "王奶奶", "刘叔叔", "陈老师"))
    noun, price = pick(rng, *FRUIT), decimal(rng, 3, 9)
    more, less = whole(rng, 6, 15), whole(rng, 2, 5)
    gap = tidy(price * (more - less))
    each = (
        f"{who}买了{more}千克{noun}，{other}买了{less}千克同样的{noun}，{who}比{other}多付{gap}元，每千克{noun}多少元？",
        f"同一种{noun}，{who}买了{less}千克，{other}买了{more}千克，{who}比{other}少花了{gap}元．这种{noun}每千克多少元？",
        f"水果店里，{who}买{noun}{more}千克，{other}买同样的{noun}{less}千克，{other}比{who}少用{gap}元．{noun}的单价是每千克多少元？",
    )
    paid = (
        f"{who}买了{more}千克{noun}，{other}买了{less}千克同样的{noun}，{who}比{other}多付{gap}元，{who}付了多少元？",
        f"同一种{noun}，{other}买了{less}千克，{who}买了{more}千克，{other}比{who}少付{gap}元．{who}应付多少元？",
    )
    if rng.random() < 0.35:
        return told(rng, paid, (f"{gap}/({more}-{less})*{more}",), AnswerForm.AMOUNT)
    return told(rng, each, (f"{gap}/({more}-{less})",), AnswerForm.AMOUNT)


def whole_case(rng: Random) -> Story:
    noun, m, box = pick(
        rng,
        ("牛奶", "盒", "箱"),
        ("矿泉水", "瓶", "箱"),
        ("酸奶", "杯", "箱"),
        ("果汁", "瓶", "箱"),
        ("方便面", "包", "箱"),
        ("铅笔", "支", "盒"),
        ("饼干", "包", "盒"),
    )
    count = pick(rng, 10, 12, 16, 20, 24)
    price, who = decimal(rng, 1, 3), pick(rng, *TEACHERS)
    case_price, single = tidy(price * count), tidy(price + decimal(rng, 0, 1))
    each = (
        f"一{box}{noun}有{count}{m}，整{box}买要{case_price}元，零买每{m}{single}元．整{box}买，每{m}便宜多少元？",
        f"超市里的{noun}单{m}买{single}元，如果买一{box}（{count}{m}）只要{case_price}元，整{box}买每{m}可以便宜多少元？",
    )
    case = (
        f"一{box}{noun}有{count}{m}，零买每{m}{single}元，整{box}买只要{case_price}元，整{box}买比零买便宜多少元？",
        f"{who}去买{noun}，零买每{m}{single}元，一{box}{count}{m}，整{box}的优惠价是{case_price}元．买一整{box}可以节省多少元？",
    )
    if rng.random() < 0.5:
        return told(rng, each, (f"{single}-{case_price}/{count}",), AnswerForm.AMOUNT)
    return told(rng, case, (f"{single}*{count}-{case_price}", f"{count}*{single}-{case_price}"), AnswerForm.AMOUNT)


def profit(rng: Random) -> Story:
    good, shop = pick(rng, *STATIONERY), pick(rng, "文具店", "小卖部", "超市", "校园超市")
    noun, m = good.noun, good.measure
    cost, count = good.odd_price(rng), whole(rng, 30, 200, 10)
    price = tidy(cost + Decimal(whole(rng, 5, 40)) / 10)
    texts = (
        f"{shop}以每{m}{cost}元的价格购进{count}{m}{noun}，又以每{m}{price}元的价格全部卖出，一共可赚多少元？",
        f"{shop}购进{good.of(count)}，进价每{m}{cost}元，售价每{m}{price}元，卖完这批{noun}可以获利多少元？",
        f"一种{noun}，进货价是每{m}{cost}元，零售价是每{m}{price}元．卖出{count}{m}这样的{noun}，能赚多少钱？",
    )
    return told(rng, texts, (f"({price}-{cost})*{count}", f"{price}*{count}-{cost}*{count}"), AnswerForm.AMOUNT)


SITUATIONS = situations(change, two_goods, money_left, sets, same_money, price_gap, whole_case, profit)
