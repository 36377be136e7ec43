"""Flat shapes: circles and rings, wheels, fields, fences, tiles."""

from random import Random

from tools.sample.quantity import decimal, whole
from tools.sample.story import AnswerForm, Story, pick, situations, told
from tools.sample.words import ADULTS, FARMERS, child, school


def circle(rng: Random) -> Story:
    r, d, price = pick(rng, *range(3, 13), "2.5", "3.5", "1.5"), whole(rng, 10, 40), whole(rng, 15, 60, 5)
    area = (
        f"一个圆形花坛的半径是{r}米，这个花坛的占地面积是多少平方米？",
        f"公园里有一个圆形喷水池，半径是{r}米，它的占地面积是多少平方米？",
        f"自动喷灌装置的最远喷水距离是{r}米，它旋转一周最多能喷灌多少平方米的草地？",
    )
    around = (
        f"一个圆形水池的直径是{d}米，{child(rng)}沿着池边走一圈，要走多少米？",
        f"一个圆形溜冰场的直径是{d}米，它的周长是多少米？",
    )
    lawn = (
        f"{school(rng)}要在一个半径是{r}米的圆形空地上铺草皮，每平方米草皮{price}元，一共需要多少元？",
        f"公园修建一个半径{r}米的圆形广场，每平方米造价{price}元，修建这个广场要用多少元？",
    )
    return pick(
        rng,
        told(rng, area, (f"3.14*{r}*{r}",), AnswerForm.AMOUNT),
        told(rng, around, (f"3.14*{d}",), AnswerForm.AMOUNT),
        told(rng, lawn, (f"3.14*{r}*{r}*{price}",), AnswerForm.AMOUNT),
    )


RINGS = (
    ("零件", "一个", "厘米"),
    ("铁片", "一块", "分米"),
    ("纸片", "一张", "厘米"),
    ("垫圈", "一个", "毫米"),
    ("木板", "一块", "分米"),
    ("塑料片", "一块", "厘米"),
    ("铜片", "一块", "厘米"),
)


def ring(rng: Random) -> Story:
    noun, one, u = pick(rng, *RINGS)
    inner = whole(rng, 2, 8)
    outer = inner + whole(rng, 1, 5)
    texts = (
        f"{one}环形{noun}，外圆半径是{outer}{u}，内圆半径是{inner}{u}，它的面积是多少平方{u}？",
        f"{one}圆环形的{noun}，内圆半径{inner}{u}，外圆半径{outer}{u}，求这{one[1]}{noun}的面积．",
        f"一个圆的半径是{outer}{u}，从中挖去一个半径{inner}{u}的同心圆，做成{one}环形{noun}，它的面积是多少平方{u}？",
        f"{child(rng)}量得{one}环形{noun}的外圆半径是{outer}{u}，内圆半径是{inner}{u}，这{one[1]}{noun}的面积是多少平方{u}？",
    )
    equations = (f"3.14*({outer}*{outer}-{inner}*{inner})", f"3.14*{outer}*{outer}-3.14*{inner}*{inner}")
    return told(rng, texts, equations, AnswerForm.AMOUNT)


def wheel(rng: Random) -> Story:
    d, turns, t = pick(rng, "0.5", "0.6", "0.7", "0.8"), whole(rng, 80, 200, 10), whole(rng, 3, 15)
    bike = pick(rng, "一辆自行车的车轮直径是", f"{child(rng)}的自行车车轮直径是", "一种自行车轮胎的外直径是")
    pace = (
        f"{bike}{d}米，车轮每分钟转{turns}圈，这辆自行车每分钟行多少米？",
        f"{bike}{d}米，如果车轮滚动{turns}周，自行车前进多少米？",
    )
    bridge = (
        f"{bike}{d}米，车轮每分钟转{turns}圈，绕公园骑一圈要{t}分钟，绕公园一圈是多少米？",
        f"{bike}{d}米，如果车轮每分钟转{turns}周，从家到学校要{t}分钟，家到学校的路程是多少米？",
    )
    if rng.random() < 0.4:
        return told(rng, pace, (f"3.14*{d}*{turns}",), AnswerForm.AMOUNT)
    return told(rng, bridge, (f"3.14*{d}*{turns}*{t}",), AnswerForm.AMOUNT)


def field(rng: Random) -> Story:
    long, wide, per = whole(rng, 30, 120, 2), whole(rng, 12, 60), decimal(rng, 4, 12)
    crop, who = pick(rng, "白菜", "萝卜", "西红柿", "黄瓜", "土豆"), pick(rng, *FARMERS)
    harvest = (
        f"一块长方形菜地长{long}米，宽{wide}米，平均每平方米收{crop}{per}千克，这块地一共可收{crop}多少千克？",
        f"{who}家有一块长{long}米、宽{wide}米的长方形菜地，如果每平方米产{crop}{per}千克，这块地共产{crop}多少千克？",
        f"{who}在一块平行四边形的地里种{crop}，这块地底{long}米，高{wide}米，平均每平方米收{crop}{per}千克，一共收{crop}多少千克？",
    )
    total = long * wide * whole(rng, 4, 9)
    share = (
        f"一块平行四边形的地，底是{long}米，高是{wide}米，共收{crop}{total}千克，平均每平方米收{crop}多少千克？",
        f"{who}在一块长{long}米、宽{wide}米的长方形地里收了{total}千克{crop}，平均每平方米收{crop}多少千克？",
    )
    if rng.random() < 0.7:
        return told(rng, harvest, (f"{long}*{wide}*{per}", f"{per}*({long}*{wide})"), AnswerForm.AMOUNT)
    return told(rng, share, (f"{total}/({long}*{wide})", f"{total}/{long}/{wide}"))


def fence(rng: Random) -> Story:
    wide = whole(rng, 6, 30)
    long = wide + whole(rng, 4, 25)
    times, price, who = whole(rng, 2, 5), whole(rng, 8, 30), pick(rng, *FARMERS)
    a, b = long * 4, wide * 4
    wall = (
        f"{who}用篱笆围一块长方形菜地，长{long}米，宽{wide}米，一条长边靠墙，需要篱笆多少米？",
        f"一个长方形养鸡场长{long}米，宽{wide}米，其中一条长边靠着院墙，另外三面围上篱笆，篱笆长多少米？",
        f"{who}靠墙围一个长方形羊圈，长{long}米，宽{wide}米，长边靠墙的一面不用围，要围多长的栅栏？",
    )
    around = (
        f"一个长方形游泳池长{long}米，宽{wide}米，{child(rng)}沿着池边走了一圈，走了多少米？",
        f"{who}要给一块长{long}米、宽{wide}米的长方形苗圃围一圈篱笆，需要篱笆多少米？",
    )
    laps = (
        f"一个长方形操场长{a}米，宽{b}米，{child(rng)}沿操场跑了{times}圈，一共跑了多少米？",
        f"{child(rng)}每天绕一个长{a}米、宽{b}米的长方形广场走{times}圈，每天走多少米？",
    )
    cost = (
        f"{who}用竹篱笆围一块长{long}米、宽{wide}米的长方形菜地，一条长边靠墙，每米竹篱笆{price}元，围这块菜地要用多少元？",
        f"一个长方形花圃长{long}米，宽{wide}米，一条长边靠墙，其余三边装栏杆，每米栏杆{price}元，装栏杆共需多少元？",
    )
    return pick(
        rng,
        told(rng, wall, (f"{long}+{wide}+{wide}", f"{wide}+{wide}+{long}")),
        told(rng, around, (f"{long}+{wide}+{long}+{wide}", f"({long}+{wide})+({long}+{wide})")),
        told(rng, laps, (f"({a}+{b}+{a}+{b})*{times}",)),
        told(rng, cost, (f"({long}+{wide}+{wide})*{price}",)),
    )


def tiles(rng: Random) -> Story:
    side, m = pick(rng, 3, 4, 5, 6, 8), whole(rng, 5, 15)
    long, wide = side * (m + whole(rng, 1, 8)), side * m
    room = pick(rng, "会议室", "教室", "活动室", "阅览室")
    count = (
        f"{school(rng)}的一间{room}长{long}分米，宽{wide}分米，用边长{side}分米的方砖铺地，需要多少块这样的方砖？",
        f"{pick(rng, *ADULTS)}的办公室长{long}分米，宽{wide}分米，准备铺边长{side}分米的正方形地砖，一共需要多少块？",
    )
    old, new = pick(rng, (9, 16), (16, 9), (9, 25), (16, 25), (25, 16), (9, 36))
    bricks = new * whole(rng, 12, 40)
    change = (
        f"{school(rng)}给一间{room}铺地，如果用面积是{old}平方分米的方砖，需要{bricks}块，如果改用面积是{new}平方分米的方砖，需要多少块？",
        f"一间{room}用面积{old}平方分米的地砖铺地，正好用了{bricks}块，若换成每块{new}平方分米的地砖，要用多少块？",
    )
    if rng.random() < 0.5:
        return told(rng, count, (f"{long}*{wide}/({side}*{side})",))
    return told(rng, change, (f"{old}*{bricks}/{new}", f"{bricks}*{old}/{new}"))


SITUATIONS = situations(circle, ring, wheel, field, fence, tiles)
