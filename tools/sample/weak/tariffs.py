"""Prices by steps: taxis, electricity, parking, parcels."""

from random import Random

from tools.sample.quantity import decimal, tidy, whole
from tools.sample.story import AnswerForm, Story, pick, situations, told
from tools.sample.words import ADULTS, child


def taxi(rng: Random) -> Story:
    who, near, start = pick(rng, *ADULTS), pick(rng, 2, 3, 4), whole(rng, 6, 12)
    price, far = decimal(rng, 1, 3), whole(rng, 7, 25)
    fare = tidy(start + (far - near) * price)
    forward = (
        f"某市出租车起步价为{start}元（{near}千米以内），超过的部分每千米收{price}元，{who}坐出租车到{far}千米外的机场，要付多少元？",
        f"出租车起步{near}千米收费{start}元，以后每千米收费{price}元，{who}乘车{far}千米，需付车费多少元？",
    )
    back = (
        f"某市出租车起步价为{start}元（{near}千米以内），超过的部分每千米收{price}元，{who}下车时付了{fare}元，{who}乘车行了多少千米？",
        f"出租车起步{near}千米收费{start}元，以后每千米收费{price}元，{who}一共付车费{fare}元，行了多少千米？",
    )
    if rng.random() < 0.6:
        return told(rng, forward, (f"{start}+({far}-{near})*{price}",), AnswerForm.AMOUNT)
    return told(rng, back, (f"({fare}-{start})/{price}+{near}",), AnswerForm.AMOUNT)


def electricity(rng: Random) -> Story:
    who, base, price = child(rng), pick(rng, 60, 80, 100, 120, 150), pick(rng, "0.5", "0.52", "0.55", "0.56")
    used, dear = base + whole(rng, 10, 90, 5), pick(rng, "0.6", "0.62", "0.65", "0.7")
    texts = (
        f"为鼓励节约用电，某市规定每月用电不超过{base}度，每度{price}元，超过的部分每度{dear}元．{who}家上月用电{used}度，应付电费多少元？",
        f"电力公司规定：月用电量在{base}度以内的，每度电收{price}元，超出部分每度电收{dear}元．{who}家这个月用了{used}度电，要交电费多少元？",
        f"{who}家本月用电{used}度，其中{base}度按每度{price}元收费，超过的部分按每度{dear}元收费，{who}家本月电费是多少元？",
    )
    return told(rng, texts, (f"{base}*{price}+({used}-{base})*{dear}",), AnswerForm.AMOUNT)


def parking(rng: Random) -> Story:
    who, free, start, per = pick(rng, *ADULTS), pick(rng, 2, 3), whole(rng, 4, 8), pick(rng, "1.5", "2.5", "3", "3.5")
    hours = free + whole(rng, 2, 7)
    texts = (
        f"停车场的收费标准是：停车{free}小时以内收{start}元，以后每小时加收{per}元．{who}停车{hours}小时，应付停车费多少元？",
        f"{who}去商场购物，把车停在停车场．前{free}小时共收费{start}元，超出后每小时收{per}元，{who}停了{hours}小时，要交停车费多少元？",
        f"公园租自行车，{free}小时以内收费{start}元，超过的时间每小时收{per}元，{child(rng)}租了{hours}小时，应付租金多少元？",
    )
    return told(rng, texts, (f"{start}+({hours}-{free})*{per}",), AnswerForm.AMOUNT)


def phone(rng: Random) -> Story:
    who, rent, rate, minutes = (
        pick(rng, *ADULTS),
        whole(rng, 15, 30),
        pick(rng, "0.1", "0.15", "0.2", "0.25"),
        whole(rng, 80, 400, 20),
    )
    other, bill = pick(rng, "0.3", "0.4", "0.5"), whole(rng, 50, 90)
    cost = (
        f"一种电话卡每月月租费{rent}元，通话费每分钟{rate}元，{who}上月通话{minutes}分钟，上月应付话费多少元？",
        f"{who}的手机每月要交月租费{rent}元，每分钟通话费{rate}元，本月共通话{minutes}分钟，本月话费是多少元？",
    )
    talk = (
        f"{who}的手机月租费是{rent}元，通话每分钟{rate}元，上月话费共{bill}元，{who}上月通话多少分钟？",
        f"{who}上月付话费{bill}元，其中月租费{rent}元，其余是通话费，通话费每分钟{other}元，上月一共通话多少分钟？",
    )
    return pick(
        rng,
        told(rng, cost, (f"{rent}+{rate}*{minutes}",), AnswerForm.AMOUNT),
        Story(talk[0], f"({bill}-{rent})/{rate}"),
        Story(talk[1], f"({bill}-{rent})/{other}"),
    )


SITUATIONS = situations(taxi, electricity, parking, phone)
