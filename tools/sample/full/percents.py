"""Percents: discount, the price before it, interest, solutions, growth, rates of success, tax, yields."""

from random import Random

from tools.sample.quantity import whole
from tools.sample.story import AnswerForm, Story, pick, situations, told
from tools.sample.words import ADULTS, APPLIANCES, CLOTHES, FARMERS, child, school


def discount(rng: Random) -> Story:
    good, device = pick(rng, *APPLIANCES, *CLOTHES), pick(rng, *APPLIANCES[:8])
    a, cost, p = good.price(rng, step=20), device.price(rng, step=20), whole(rng, 5, 40, 5)
    kept, who, years = 100 - p, pick(rng, *ADULTS), whole(rng, 2, 3)
    cut = (
        f"{good.one}原价{a}元，现在降价{p}%出售，现价是多少元？",
        f"商场搞促销活动，一{good.measure}原价{a}元的{good.noun}降价{p}%，现在买一{good.measure}要多少元？",
        f"一种{good.noun}原来每{good.measure}{a}元，国庆节期间降价{p}%，现在每{good.measure}多少元？",
        f"一{good.measure}{good.noun}的标价是{a}元，店庆期间优惠{p}%，{who}买这{good.measure}{good.noun}要付多少元？",
    )
    warranted = (
        f"{device.one}保修{years}年，原价{cost}元，现在降价{p}%出售，现价是多少元？",
        f"商场里一{device.measure}保修{years}年的{device.noun}标价{cost}元，促销时降价{p}%，促销价是多少元？",
    )
    saved = (
        f"{good.one}原价{a}元，现在按原价的{kept}%出售，比原价便宜多少元？",
        f"{who}看中了一{good.measure}标价{a}元的{good.noun}，店里正按标价的{kept}%促销，现在买可以节省多少元？",
    )
    if rng.random() < 0.15:
        return told(rng, warranted, (f"{cost}*(1-{p}%)", f"{cost}-{cost}*{p}%"), AnswerForm.AMOUNT)
    if rng.random() < 0.35:
        return told(rng, saved, (f"{a}*(1-{kept}%)", f"{a}-{a}*{kept}%"), AnswerForm.AMOUNT)
    return told(rng, cut, (f"{a}*(1-{p}%)", f"{a}-{a}*{p}%"), AnswerForm.AMOUNT)


def original_price(rng: Random) -> Story:
    good = pick(rng, *APPLIANCES, *CLOTHES)
    old, p = good.low + whole(rng, 0, good.high - good.low, 20), whole(rng, 5, 40, 5)
    saved, who = old * p // 100, pick(rng, *ADULTS)
    raised, lowered = old + saved, old - saved
    cheaper = (
        f"{good.one}打折后卖{lowered}元，比打折前便宜{p}%，打折前卖多少元？",
        f"一种{good.noun}降价{p}%后，每{good.measure}卖{lowered}元，这种{good.noun}原来每{good.measure}多少元？",
        f"{who}买了{good.one}，比原价便宜了{p}%，只花了{lowered}元，这{good.measure}{good.noun}原价多少元？",
    )
    dearer = (
        f"一种{good.noun}涨价{p}%后，每{good.measure}要卖{raised}元，涨价以前每{good.measure}卖多少元？",
        f"由于原料涨价，一种{good.noun}提价{p}%后每{good.measure}{raised}元，提价前每{good.measure}多少元？",
    )
    by_saving = (
        f"{good.one}降价{p}%后，比原来便宜了{saved}元，原价是多少元？",
        f"{who}在促销时买了{good.one}，便宜了{p}%，正好少付{saved}元，这{good.measure}{good.noun}原价多少元？",
    )
    now = (
        f"{good.one}降价{p}%后，比原来便宜了{saved}元，现价是多少元？",
        f"商店将一种{good.noun}降价{p}%出售，每{good.measure}比原来便宜{saved}元，现在每{good.measure}售价多少元？",
    )
    return pick(
        rng,
        told(rng, cheaper, (f"{lowered}/(1-{p}%)",)),
        told(rng, dearer, (f"{raised}/(1+{p}%)",)),
        told(rng, by_saving, (f"{saved}/{p}%",)),
        told(rng, now, (f"{saved}/{p}%-{saved}", f"{saved}/{p}%*(1-{p}%)")),
    )


def interest(rng: Random) -> Story:
    who, sum_ = pick(rng, *ADULTS), pick(rng, 800, 1000, 2000, 3000, 4000, 5000, 6000, 8000, 10000, 20000)
    years, rate = pick(rng, (2, "2.25"), (2, "2.1"), (3, "2.75"), (3, "3.3"), (3, "2.6"), (5, "3.6"), (5, "4.2"))
    day = f"{whole(rng, 2012, 2019)}年{whole(rng, 3, 12)}月，"
    only = (
        f"{who}把{sum_}元存入银行，定期{years}年，年利率是{rate}%，到期时可得利息多少元？",
        f"{day}{who}把{sum_}元存入银行，存期{years}年，年利率为{rate}%，到期可得到利息多少元？",
        f"{who}买了{sum_}元国债，定期{years}年，年利率{rate}%，到期后可以获得利息多少元？",
    )
    both = (
        f"{who}把{sum_}元存入银行，定期{years}年，年利率是{rate}%，到期时本金和利息一共多少元？",
        f"{day}{who}在银行存了{sum_}元，整存整取{years}年，年利率是{rate}%，到期后一共可取回多少元？",
        f"{who}买了{sum_}元的国家建设债券，定期{years}年，年利率是{rate}%，到期时能取回本金和利息共多少元？",
    )
    if rng.random() < 0.5:
        return told(rng, only, (f"{sum_}*{rate}%*{years}",), AnswerForm.AMOUNT)
    return told(rng, both, (f"{sum_}+{sum_}*{rate}%*{years}", f"{sum_}*(1+{rate}%*{years})"), AnswerForm.AMOUNT)


def solution(rng: Random) -> Story:
    stuff, liquid = pick(rng, ("盐", "盐水"), ("糖", "糖水"))
    p, total = whole(rng, 4, 30), whole(rng, 100, 800, 50)
    some = total * p // 100
    water = total - some
    rate = (
        f"把{some}克{stuff}放入{water}克水中，{liquid}的含{stuff}率是多少？",
        f"将{some}克{stuff}完全溶解在{water}克水里，这种{liquid}的含{stuff}率是百分之几？",
        f"科学课上，{child(rng)}往{water}克水中加入{some}克{stuff}，搅拌均匀后，{stuff}占{liquid}的百分之几？",
    )
    needed = (
        f"要配制含{stuff}{p}%的{liquid}{total}克，需要水多少克？",
        f"一种{liquid}的含{stuff}率是{p}%，{total}克这样的{liquid}里有水多少克？",
    )
    inside = (
        f"一种{liquid}的含{stuff}率是{p}%，{total}克这样的{liquid}中含{stuff}多少克？",
        f"要配制含{stuff}率为{p}%的{liquid}{total}克，需要{stuff}多少克？",
    )
    added = (
        f"有{some}克{stuff}，要配制成含{stuff}率为{p}%的{liquid}，需要加水多少克？",
        f"用{some}克{stuff}配制含{stuff}{p}%的{liquid}，应加水多少克？",
    )
    return pick(
        rng,
        told(rng, rate, (f"{some}/({some}+{water})",), AnswerForm.PERCENT),
        told(rng, rate, (f"{some}/({some}+{water})",), AnswerForm.PERCENT),
        told(rng, needed, (f"{total}*(1-{p}%)", f"{total}-{total}*{p}%")),
        told(rng, inside, (f"{total}*{p}%",)),
        told(rng, added, (f"{some}/{p}%-{some}",)),
    )


def growth(rng: Random) -> Story:
    a, p = whole(rng, 100, 600, 20), pick(rng, 5, 10, 12, 15, 20, 25, 30, 35, 40)
    b, plant = a * (100 + p) // 100, pick(rng, "玩具厂", "服装厂", "食品厂", "电子厂")
    up = (
        f"一家{plant}去年的产值是{a}万元，今年的产值是{b}万元，今年比去年增长了百分之几？",
        f"{school(rng)}去年有学生{a}人，今年有学生{b}人，今年的学生人数比去年增加了百分之几？",
        f"某农场去年收小麦{a}吨，今年收小麦{b}吨，今年比去年增产百分之几？",
        f"学校图书室上学期有科技书{a}本，这学期增加到{b}本，增加了百分之几？",
        f"{plant}上月计划生产产品{a}件，实际生产了{b}件，实际比计划多生产百分之几？",
    )
    c = a * (100 - p) // 100
    down = (
        f"一台空气净化器原价{a}元，现价{c}元，降价百分之几？",
        f"{school(rng)}上个月用电{a}度，这个月用电{c}度，这个月比上个月节约用电百分之几？",
        f"{school(rng)}去年用水{a}吨，今年注意节约，只用了{c}吨，今年比去年节约用水百分之几？",
    )
    if rng.random() < 0.4:
        return told(rng, down, (f"({a}-{c})/{a}", f"({a}-{c})/{a}", f"1-{c}/{a}"), AnswerForm.PERCENT)
    return told(rng, up, (f"({b}-{a})/{a}", f"({b}-{a})/{a}", f"{b}/{a}-1"), AnswerForm.PERCENT)


def success_rate(rng: Random) -> Story:
    n = pick(rng, 40, 50, 60, 80, 120, 150, 200, 250, 300, 400, 500)
    bad = max(1, n * pick(rng, 2, 4, 5, 6, 8, 10, 12) // 100)
    good, many, hits = n - bad, n * pick(rng, 3, 4), n * pick(rng, 3, 5, 6, 7) // 10
    day = pick(rng, "3月12日植树节那天，", "植树节期间，", "今年春天，")
    some_bad = (
        f"用{many}粒玉米种子做发芽试验，有{bad}粒没有发芽，这批种子的发芽率是多少？",
        f"{day}{school(rng)}的同学栽了{many}棵树苗，有{bad}棵没有成活，求这批树苗的成活率．",
    )
    some_bad_of_n = (
        f"六年级共有{n}名学生，今天有{bad}人请假，今天的出勤率是多少？",
        f"某车间生产了一批零件，从中抽查{n}个，发现有{bad}个不合格，这批零件的合格率是多少？",
        f"五年级{n}名同学参加体育达标测试，有{bad}人没有达标，达标率是百分之几？",
    )
    counted = (
        f"质检员抽查一批灯泡，合格的有{good}只，不合格的有{bad}只，这批灯泡的合格率是多少？",
        f"一次数学测验，六年级及格的有{good}人，不及格的有{bad}人，这次测验的及格率是多少？",
        f"{day}同学们栽的树成活了{good}棵，没有成活的有{bad}棵，这批树的成活率是百分之几？",
    )
    share = (
        f"{child(rng)}参加投篮训练，一共投了{n}次，投中{hits}次，投篮的命中率是多少？",
        f"{child(rng)}一周内练习投篮{n}次，投中{hits}次，命中率是百分之几？",
    )
    return pick(
        rng,
        told(rng, some_bad, (f"({many}-{bad})/{many}",), AnswerForm.PERCENT),
        told(rng, some_bad_of_n, (f"({n}-{bad})/{n}", f"({n}-{bad})/{n}", f"1-{bad}/{n}"), AnswerForm.PERCENT),
        told(rng, counted, (f"{good}/({good}+{bad})",), AnswerForm.PERCENT),
        told(rng, share, (f"{hits}/{n}",), AnswerForm.PERCENT),
    )


def income_tax(rng: Random) -> Story:
    who, pay = pick(rng, *ADULTS), whole(rng, 5300, 7900, 100)
    fee, rate = whole(rng, 1200, 3900, 100), pick(rng, 12, 14)
    after = (
        f"个人月收入超过5000元的部分要按3%缴纳个人所得税．{who}的月工资是{pay}元，缴税后实际得到多少元？",
        f"{who}每月工资{pay}元，超过5000元的部分按3%缴纳个人所得税，{who}每月税后收入是多少元？",
    )
    due = (
        f"按规定，月收入超过5000元的部分应按3%的税率缴纳个人所得税．{who}上月工资{pay}元，应缴纳个人所得税多少元？",
        f"{who}的月工资是{pay}元，其中超过5000元的部分要缴纳3%的个人所得税，每月应缴税多少元？",
    )
    writing = (
        f"{who}发表了一篇小说，得到稿费{fee}元，超过800元的部分按{rate}%缴税，应缴税多少元？",
        f"按规定，稿费超过800元的部分要按{rate}%缴纳个人所得税．{who}这次得稿费{fee}元，要缴个人所得税多少元？",
    )
    return pick(
        rng,
        told(rng, after, (f"{pay}-({pay}-5000)*3%",)),
        told(rng, due, (f"({pay}-5000)*3%",)),
        told(rng, writing, (f"({fee}-800)*{rate}%",)),
    )


def crop_yield(rng: Random) -> Story:
    seed, made, name, low, high = pick(
        rng,
        ("花生仁", "花生油", "出油率", 38, 45),
        ("油菜籽", "菜籽油", "出油率", 35, 42),
        ("大豆", "豆油", "出油率", 15, 20),
        ("小麦", "面粉", "出粉率", 75, 85),
        ("稻谷", "大米", "出米率", 65, 75),
    )
    p, seeds = whole(rng, low, high), whole(rng, 200, 3000, 100)
    oil, who = seeds * p // 100, pick(rng, *FARMERS)
    forward = (
        f"{who}种的{seed}的{name}是{p}%，{seeds}千克{seed}可以加工出多少千克{made}？",
        f"一种{seed}的{name}是{p}%，加工厂用{seeds}千克这样的{seed}，能得到{made}多少千克？",
    )
    back = (
        f"{seed}的{name}是{p}%，{who}要得到{oil}千克{made}，需要{seed}多少千克？",
        f"一种{seed}的{name}为{p}%，加工厂要生产{oil}千克{made}，需要这种{seed}多少千克？",
    )
    rest = (
        f"{who}用{seeds}千克{seed}加工出{oil}千克{made}，这种{seed}的{name}是多少？",
        f"{seeds}千克{seed}可以加工出{oil}千克{made}，{seed}的{name}是百分之几？",
    )
    return pick(
        rng,
        told(rng, forward, (f"{seeds}*{p}%",)),
        told(rng, back, (f"{oil}/{p}%",)),
        told(rng, rest, (f"{oil}/{seeds}",), AnswerForm.PERCENT),
    )


SITUATIONS = situations(discount, original_price, interest, solution, growth, success_rate, income_tax, crop_yield)
