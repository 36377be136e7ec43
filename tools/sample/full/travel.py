"""On the road: meeting, starting late, catching up, return trips, bridges, rivers, laps and maps."""

from decimal import Decimal
from random import Random

from tools.sample.quantity import decimal, whole
from tools.sample.story import AnswerForm, Story, pick, situations, told, two
from tools.sample.words import ADULTS, WORKERS, child, hour

CARS = (("客车", "货车"), ("甲车", "乙车"), ("快车", "慢车"), ("小轿车", "大客车"))
TOWNS = ("甲、乙两地", "两城", "东、西两站", "A、B两地", "甲、乙两城")

# Out at so many kilometres an hour for so many hours, back in so many.
TRIPS = tuple(
    (speed, hours, back)
    for speed in range(40, 81, 5)
    for hours in range(3, 9)
    for back in range(2, 9)
    if back != hours and speed * hours % back == 0 and speed * hours // back in range(40, 101)
)


def meeting_distance(rng: Random) -> Story:
    (x, y), places = pick(rng, *CARS), pick(rng, *TOWNS)
    a, b, t, gap = whole(rng, 60, 95), whole(rng, 45, 80), whole(rng, 2, 5), whole(rng, 12, 60, 2)
    half = pick(rng, Decimal(t), Decimal(t), t + Decimal("0.5"))
    met = (
        f"{x}和{y}从{places}同时开出，迎面行驶，{x}每小时行{a}千米，{y}每小时行{b}千米，过了{half}小时在途中相遇，{places}之间有多少千米？",
        f"{places}之间有一条公路，{x}和{y}分别从{places}同时出发，相向而行，{x}每小时行驶{a}千米，{y}每小时行驶{b}千米，{half}小时后两车相遇．这条公路长多少千米？",
        f"两辆汽车同时从{places}相对开出，一辆每小时行{a}千米，另一辆每小时行{b}千米，{half}小时后两车在途中相遇，{places}间的路程是多少千米？",
    )
    apart = (
        f"{hour(rng)}，{x}和{y}同时从{places}相对开出，{x}每小时行{a}千米，{y}每小时行{b}千米，{t}小时后两车还相距{gap}千米，{places}相距多少千米？",
        f"{x}和{y}同时从{places}相对开出，{x}每小时行{a}千米，{y}每小时行{b}千米，{t}小时后两车还相距{gap}千米，{places}相距多少千米？",
        f"两列火车从{places}同时相向开出，一列每小时行{a}千米，另一列每小时行{b}千米，行了{t}小时后还相距{gap}千米．求{places}间的距离．",
    )
    if rng.random() < 0.35:
        return told(rng, apart, (f"({a}+{b})*{t}+{gap}", f"{a}*{t}+{b}*{t}+{gap}"))
    return told(rng, met, (f"({a}+{b})*{half}", f"{a}*{half}+{b}*{half}"), AnswerForm.AMOUNT)


def meeting_time(rng: Random) -> Story:
    (x, y), (who, other), places = (
        pick(rng, *CARS),
        two(rng, ("小明", "小红", "小华", "小军", "小林", "小丽")),
        pick(rng, *TOWNS),
    )
    a, b, t = whole(rng, 60, 95), whole(rng, 45, 80), whole(rng, 2, 6)
    p, q, s = whole(rng, 55, 75), whole(rng, 50, 70), whole(rng, 6, 15)
    road, lane = (a + b) * t, (p + q) * s
    cars = (
        f"{places}相距{road}千米，{x}和{y}同时从{places}相对开出，{x}每小时行{a}千米，{y}每小时行{b}千米，几小时后两车相遇？",
        f"{places}之间的公路长{road}千米，{x}和{y}分别从{places}同时出发相向而行，{x}每小时行{a}千米，{y}每小时行{b}千米，经过多少小时两车相遇？",
    )
    walks = (
        f"{who}和{other}两家相距{lane}米，两人同时从家里出发，相向而行，{who}每分钟走{p}米，{other}每分钟走{q}米，经过几分钟两人相遇？",
        f"{who}家和{other}家相距{lane}米，他们同时从家出发去对方家，{who}每分钟走{p}米，{other}每分钟走{q}米，多少分钟后两人在路上相遇？",
    )
    speed = (
        f"{places}相距{road}千米，{x}和{y}同时从{places}相对开出，{t}小时后相遇，{x}每小时行{a}千米，{y}每小时行多少千米？",
        f"{x}和{y}从相距{road}千米的{places}同时相向而行，经过{t}小时相遇．已知{x}每小时行{a}千米，求{y}的速度．",
    )
    return pick(
        rng,
        told(rng, cars, (f"{road}/({a}+{b})",)),
        told(rng, walks, (f"{lane}/({p}+{q})",)),
        told(rng, speed, (f"{road}/{t}-{a}", f"({road}-{a}*{t})/{t}")),
    )


def late_start(rng: Random) -> Story:
    (x, y), places = pick(rng, *CARS), pick(rng, "甲、乙两地", "A、B两地", "甲、乙两城")
    start, end = places[0] + places[-1], places[2] + places[-1]
    a, b, early, t = whole(rng, 60, 90, 2), whole(rng, 45, 80), whole(rng, 2, 3), whole(rng, 2, 5)
    road = a * early + (a + b) * t
    texts = (
        f"{x}从{start}驶向{end}，每小时行{a}千米，早出发{early}小时；{y}随后从{end}驶向{start}，每小时行{b}千米．已知{places}相距{road}千米，{y}行驶几小时后两车相遇？",
        f"{places}之间的路程是{road}千米，{x}先从{start}开出，每小时行{a}千米，行了{early}小时后，{y}从{end}出发迎面开来，每小时行{b}千米．再过多少小时两车相遇？",
        f"{x}以每小时{a}千米的速度从{start}开往相距{road}千米的{end}，开出{early}小时后，{y}以每小时{b}千米的速度从{end}开往{start}，{y}出发后几小时两车相遇？",
    )
    return told(rng, texts, (f"({road}-{a}*{early})/({a}+{b})",))


def catching_up(rng: Random) -> Story:
    slow, extra, t = whole(rng, 50, 75, 5), pick(rng, 10, 15, 20, 25, 30, 40), whole(rng, 4, 12)
    fast, lead = slow + extra, extra * t
    bike, wait = slow * pick(rng, 3, 4), pick(rng, 6, 12, 18)
    gap = (
        f"{child(rng)}在前面{lead}米处以每分钟{slow}米的速度步行，爸爸以每分钟{fast}米的速度在后面追赶，多少分钟可以追上？",
        f"甲、乙两人沿同一条路同向而行，甲在乙前面{lead}米，甲每分钟走{slow}米，乙每分钟走{fast}米，经过多少分钟乙追上甲？",
    )
    late = (
        f"弟弟以每分钟{slow}米的速度步行去学校，{wait}分钟后，哥哥骑自行车以每分钟{bike}米的速度去追，哥哥几分钟可以追上弟弟？",
        f"{child(rng)}步行上学，每分钟走{slow}米，离家{wait}分钟后，妈妈发现书忘了带，骑车以每分钟{bike}米的速度去追，妈妈多少分钟能追上？",
    )
    if rng.random() < 0.5:
        return told(rng, gap, (f"{lead}/({fast}-{slow})",))
    return told(rng, late, (f"{slow}*{wait}/({bike}-{slow})", f"{wait}*{slow}/({bike}-{slow})"))


def speed_gap(rng: Random) -> Story:
    (x, y), places, who = pick(rng, *CARS), pick(rng, *TOWNS), pick(rng, *ADULTS)
    short, long = pick(rng, (2, 3), (3, 4), (3, 5), (4, 5), (4, 6), (5, 6), (5, 8), (6, 8))
    road = short * long * (whole(rng, 50 // short + 1, 110 // long))
    speed, more = pick(rng, (60, 80), (50, 75), (60, 90), (48, 60), (64, 80), (72, 90), (75, 100))
    trip = pick(rng, *(road for road in range(120, 601, 20) if road * 10 % speed == 0 and road * 10 % more == 0))
    faster = (
        f"{places}相距{road}千米，{x}行完全程要{short}小时，{y}行完全程要{long}小时，{x}每小时比{y}多行多少千米？",
        f"{who}开车行一段{road}千米的路，原来要{long}小时，道路改建后只要{short}小时，现在每小时比原来多行多少千米？",
        f"{places}之间的铁路长{road}千米，普通列车要行{long}小时，动车只要{short}小时，动车每小时比普通列车快多少千米？",
    )
    sooner = (
        f"{who}开车去{trip}千米外的海边，原计划每小时行{speed}千米，实际每小时行{more}千米，可以提前几小时到达？",
        f"{places}相距{trip}千米，一辆卡车每小时行{speed}千米，一辆轿车每小时行{more}千米，行完全程轿车比卡车少用多少小时？",
    )
    if rng.random() < 0.5:
        return told(rng, faster, (f"{road}/{short}-{road}/{long}",), AnswerForm.AMOUNT)
    return told(rng, sooner, (f"{trip}/{speed}-{trip}/{more}",), AnswerForm.AMOUNT)


def return_trip(rng: Random) -> Story:
    v, t, back = pick(rng, *TRIPS)
    start = pick(rng, "县城", "甲城", "山区")
    w, there, home, d = v * t // back, whole(rng, 2, 4), whole(rng, 3, 5), whole(rng, 150, 240, 6)
    who, car = pick(rng, *ADULTS, "一辆汽车", "一辆货车"), pick(rng, "一辆汽车", "一辆客车", "一辆货车")
    time = (
        f"{car}从甲地开往乙地，去时每小时行{v}千米，用了{t}小时，返回时每小时行{w}千米，返回要用多少小时？",
        f"{pick(rng, *WORKERS)}开车送货，每小时行{v}千米，{t}小时到达，原路返回时每小时行{w}千米，几小时可以返回？",
    )
    speed = (
        f"{car}从{start}开往省城，每小时行{v}千米，{t}小时到达，返回时用了{back}小时，返回时每小时行多少千米？",
        f"从甲地到乙地，如果每小时行{v}千米，{t}小时可以到达，要想{back}小时到达，每小时应行多少千米？",
    )
    average = (
        f"{who}从甲地到乙地，路程是{d}千米，去时用了{there}小时，按原路返回用了{home}小时，往返的平均速度是每小时多少千米？",
        f"甲、乙两地相距{d}千米，{who}去时用了{there}小时，返回时用了{home}小时，往返平均每小时行多少千米？",
    )
    return pick(
        rng,
        told(rng, time, (f"{v}*{t}/{w}",)),
        told(rng, speed, (f"{v}*{t}/{back}",)),
        told(rng, average, (f"({d}+{d})/({there}+{home})",), AnswerForm.AMOUNT),
    )


def bridge(rng: Random) -> Story:
    v, t, long = whole(rng, 15, 30), whole(rng, 30, 80, 5), whole(rng, 120, 300, 10)
    what, one = pick(rng, ("大桥", "一座"), ("铁路桥", "一座"), ("隧道", "一条"), ("山洞", "一个"))
    train, across = pick(rng, "火车", "客车", "货车", "动车"), v * t - long
    time = (
        f"一列{train}长{long}米，每秒行{v}米，要通过{one}长{across}米的{what}，从车头进入到车尾离开一共需要多少秒？",
        f"{one}{what}长{across}米，一列长{long}米的{train}以每秒{v}米的速度通过，全车通过{what}需要多少秒？",
        f"一列{long}米长的{train}通过{one}{across}米长的{what}，{train}每秒行{v}米，完全通过要用多少秒？",
    )
    length = (
        f"一列{train}长{long}米，以每秒{v}米的速度完全通过{one}{what}，用了{t}秒，这{one[1]}{what}长多少米？",
        f"一列长{long}米的{train}，每秒行驶{v}米，从车头进入{what}到车尾离开{what}共用{t}秒，求{what}的长度．",
    )
    if rng.random() < 0.6:
        return told(rng, time, (f"({across}+{long})/{v}", f"({long}+{across})/{v}"))
    return told(rng, length, (f"{v}*{t}-{long}",))


def river(rng: Random) -> Story:
    c, v, t = whole(rng, 2, 5), whole(rng, 14, 30), whole(rng, 3, 9)
    up = (v - c) * t
    still, flow = pick(rng, (15, 3), (20, 4), (25, 5), (30, 6), (18, 2), (27, 3), (22, 2), (33, 3), (18, 6))
    boat = pick(rng, "一艘轮船", "一艘客轮", "一艘货船", "一艘游船", "一艘渔船", "一艘快艇")
    away = (
        f"{boat}在静水中每小时行{v}千米，水流速度是每小时{c}千米，顺水航行{t}小时，行了多少千米？",
        f"{boat}在静水中的速度是每小时{v}千米，已知水速是每小时{c}千米，它顺流而下{t}小时可以行多少千米？",
    )
    against = (
        f"甲、乙两港相距{up}千米，{boat}在静水中每小时行{v}千米，水流速度是每小时{c}千米，从甲港逆水航行到乙港要多少小时？",
        f"{boat}在静水中的速度是每小时{v}千米，水速是每小时{c}千米，逆水航行{up}千米需要几小时？",
    )
    home = (
        f"{boat}从甲港顺水开往乙港，{t}小时到达，它在静水中每小时行{still}千米，水流速度是每小时{flow}千米，从乙港返回甲港要多少小时？",
        f"{boat}在静水中每小时行{still}千米，水速每小时{flow}千米，从上游码头到下游码头行了{t}小时，原路返回需要多少小时？",
    )
    return pick(
        rng,
        told(rng, away, (f"({v}+{c})*{t}",)),
        told(rng, against, (f"{up}/({v}-{c})",)),
        told(rng, home, (f"({still}+{flow})*{t}/({still}-{flow})",), AnswerForm.AMOUNT),
    )


def road_left(rng: Random) -> Story:
    v, t, rest, more = whole(rng, 45, 90), whole(rng, 2, 5), whole(rng, 2, 4), whole(rng, 40, 95)
    road, who = v * t + rest * more, pick(rng, *ADULTS)
    left = (
        f"{who}{hour(rng)}开车去{road}千米外的省城，每小时行{v}千米，行了{t}小时后，离省城还有多少千米？",
        f"从甲地到乙地的公路长{road}千米，一辆汽车每小时行{v}千米，行了{t}小时后，离乙地还有多少千米？",
        f"{who}开车去{road}千米外的省城，每小时行{v}千米，{t}小时后还剩多少千米？",
    )
    speed = (
        f"甲、乙两地相距{road}千米，一辆汽车从甲地开出，前{t}小时每小时行{v}千米，剩下的路程要在{rest}小时内行完，每小时应行多少千米？",
        f"{who}开车去{road}千米外的省城，先以每小时{v}千米的速度行了{t}小时，余下的路程{rest}小时行完，余下的路程平均每小时行多少千米？",
    )
    if rng.random() < 0.5:
        return told(rng, left, (f"{road}-{v}*{t}", f"{road}-{t}*{v}"))
    return told(rng, speed, (f"({road}-{v}*{t})/{rest}",))


def laps(rng: Random) -> Story:
    (who, other), track = two(rng, ("小明", "小华", "小刚", "小军", "小强", "小亮")), pick(rng, 200, 250, 300, 400)
    a, b = pick(rng, (220, 180), (250, 150), (240, 160), (260, 240), (300, 200), (280, 220), (270, 230))
    t = whole(rng, 5, 10)
    n = max(2, whole(rng, 140, 240) * t // track)
    pace = (
        f"学校操场一圈长{track}米，{who}跑了{n}圈，用了{t}分钟，平均每分钟跑多少米？",
        f"{who}每天早上绕{track}米的环形跑道跑{n}圈，要用{t}分钟，{who}平均每分钟跑多少米？",
    )
    apart = (
        f"环形跑道一圈长{track}米，{who}和{other}从同一地点同时出发，背向而行，{who}每分钟跑{a}米，{other}每分钟跑{b}米，几分钟后两人第一次相遇？",
        f"{who}和{other}在周长{track}米的环形跑道上跑步，两人同时从同一点反向出发，{who}每分钟跑{a}米，{other}每分钟跑{b}米，多少分钟后相遇？",
    )
    behind = (
        f"{who}和{other}在一条长{track}米的环形跑道上跑步，两人从同一地点同时同向出发，{who}每分钟跑{a}米，{other}每分钟跑{b}米，{who}几分钟后第一次追上{other}？",
        f"环形跑道长{track}米，{who}每分钟跑{a}米，{other}每分钟跑{b}米，两人同时同地同向起跑，多少分钟后{who}比{other}多跑一圈？",
    )
    return pick(
        rng,
        told(rng, pace, (f"{track}*{n}/{t}",), AnswerForm.AMOUNT),
        told(rng, apart, (f"{track}/({a}+{b})",), AnswerForm.AMOUNT),
        told(rng, behind, (f"{track}/({a}-{b})",), AnswerForm.AMOUNT),
    )


def map_scale(rng: Random) -> Story:
    scale, d, v = pick(rng, 20, 25, 30, 40, 50, 60), decimal(rng, 3, 9), whole(rng, 50, 90, 5)
    places, who = pick(rng, "甲、乙两城", "两个县城", "A、B两市", "甲、乙两港", "两座城市"), child(rng)
    plan, driver = pick(rng, "一幅地图", "一张交通图", "一幅旅游图"), pick(rng, *ADULTS)
    far = (
        f"在{plan}上，图上1厘米表示实际距离{scale}千米，量得{places}的图上距离是{d}厘米，{places}的实际距离是多少千米？",
        f"{plan}上用1厘米的线段表示实际{scale}千米，{who}在图上量得{places}相距{d}厘米，它们实际相距多少千米？",
    )
    drive = (
        f"在{plan}上，图上1厘米表示实际距离{scale}千米，量得{places}相距{d}厘米．一辆汽车以每小时{v}千米的速度从一地开往另一地，需要多少小时？",
        f"{plan}上1厘米代表实际{scale}千米，{who}量得{places}间的路长{d}厘米，{driver}开车每小时行{v}千米，行完这段路要多少小时？",
    )
    if rng.random() < 0.5:
        return told(rng, far, (f"{d}*{scale}", f"{scale}*{d}"), AnswerForm.AMOUNT)
    return told(rng, drive, (f"{d}*{scale}/{v}", f"{scale}*{d}/{v}"), AnswerForm.AMOUNT)


SITUATIONS = situations(
    meeting_distance,
    meeting_time,
    late_start,
    catching_up,
    speed_gap,
    return_trip,
    bridge,
    river,
    road_left,
    laps,
    map_scale,
)
