"""Solid shapes: cylinders, cones, tanks, pits and stones under water."""

from random import Random

from tools.sample.quantity import decimal, whole
from tools.sample.story import AnswerForm, Story, pick, situations, told
from tools.sample.words import FARMERS, child


def cylinder(rng: Random) -> Story:
    r, h, d = whole(rng, 2, 4), whole(rng, 5, 15), whole(rng, 6, 12)
    wide, long = whole(rng, 14, 30, 2), whole(rng, 40, 120, 10)
    deep, per, who = decimal(rng, 2, 4), whole(rng, 500, 800, 50), pick(rng, *FARMERS)
    can, box = pick(rng, "水桶", "油桶", "铁桶", "水缸"), pick(rng, "罐头盒", "笔筒", "茶叶筒", "饼干盒")
    volume = (
        f"一个圆柱形{can}，底面半径是{r}分米，高是{h}分米，它的容积是多少立方分米？",
        f"{child(rng)}家有一个圆柱形{can}，从里面量底面半径是{r}分米，高{h}分米，它的容积是多少立方分米？",
    )
    pool = (
        f"一个圆柱形蓄水池，从里面量底面半径是{r}米，深{deep}米，这个水池最多能蓄水多少立方米？",
        f"一个圆柱形沼气池，底面半径是{r}米，深{deep}米，挖这个沼气池要挖土多少立方米？",
    )
    label = (
        f"一个圆柱形{box}，底面直径是{d}厘米，高是{h}厘米，在它的侧面贴一圈包装纸，包装纸的面积是多少平方厘米？",
        f"{child(rng)}给一个圆柱形{box}的侧面贴彩纸，底面直径是{d}厘米，高是{h}厘米，至少需要彩纸多少平方厘米？",
    )
    pipe = (
        f"工人用铁皮卷一根圆柱形的排水管，管口直径{wide}厘米，管长{long}厘米，至少要用铁皮多少平方厘米？",
        f"一节圆柱形烟囱长{long}厘米，底面直径是{wide}厘米，做这节烟囱至少要用铁皮多少平方厘米？",
    )
    grain = (
        f"一个圆柱形粮囤，底面半径是{r}米，高{deep}米，如果每立方米稻谷重{per}千克，这个粮囤能装稻谷多少千克？",
        f"{who}家有一个圆柱形粮仓，底面半径{r}米，装有{deep}米高的小麦，每立方米小麦重{per}千克，这些小麦重多少千克？",
    )
    return pick(
        rng,
        told(rng, volume, (f"3.14*{r}*{r}*{h}",), AnswerForm.AMOUNT),
        told(rng, pool, (f"3.14*{r}*{r}*{deep}",), AnswerForm.AMOUNT),
        told(rng, label, (f"3.14*{d}*{h}",), AnswerForm.AMOUNT),
        told(rng, pipe, (f"3.14*{wide}*{long}",), AnswerForm.AMOUNT),
        told(rng, grain, (f"3.14*{r}*{r}*{deep}*{per}",), AnswerForm.AMOUNT),
    )


def cone(rng: Random) -> Story:
    r, h, who = whole(rng, 2, 9), whole(rng, 6, 24, 3), pick(rng, *FARMERS)
    wide, high = whole(rng, 2, 5), pick(rng, "0.9", "1.2", "1.5", "1.8", "2.1")
    sand = (
        f"一个圆锥形沙堆，底面半径是{wide}米，高是{high}米，它的体积是等底等高圆柱体积的(1/3)，这堆沙子的体积是多少立方米？",
        f"{who}把晒干的稻谷堆成圆锥形，底面半径是{wide}米，高{high}米，体积是等底等高圆柱的(1/3)，这堆稻谷的体积是多少立方米？",
    )
    texts = (
        f"一根圆柱形木料，底面半径是{r}厘米，高是{h}厘米，把它削成一个最大的圆锥，圆锥的体积是圆柱的(1/3)，这个圆锥的体积是多少立方厘米？",
        f"圆锥的体积等于和它等底等高的圆柱体积的(1/3)，一个圆锥形零件的底面半径是{r}厘米，高是{h}厘米，它的体积是多少立方厘米？",
    )
    carved = (
        f"把一个底面半径{r}厘米、高{h}厘米的圆柱形木块削成最大的圆锥，削去部分是圆柱体积的(2/3)，削去的体积是多少立方厘米？",
        f"一块圆柱形橡皮泥底面半径{r}厘米，高{h}厘米，{child(rng)}把它削成最大的圆锥，削掉了它的(2/3)，削掉的体积是多少立方厘米？",
    )
    return pick(
        rng,
        told(rng, carved, (f"3.14*{r}*{r}*{h}*(2/3)",), AnswerForm.AMOUNT),
        told(rng, texts, (f"3.14*{r}*{r}*{h}*(1/3)", f"(1/3)*3.14*{r}*{r}*{h}"), AnswerForm.AMOUNT),
        told(rng, sand, (f"3.14*{wide}*{wide}*{high}*(1/3)", f"(1/3)*3.14*{wide}*{wide}*{high}"), AnswerForm.AMOUNT),
    )


def cuboid(rng: Random) -> Story:
    a, b, c, load = whole(rng, 20, 50, 2), whole(rng, 10, 18), decimal(rng, 2, 4), pick(rng, 4, 5, 6, 8)
    shallow, x, y, z = decimal(rng, 1, 2), whole(rng, 7, 15), whole(rng, 4, 6), whole(rng, 2, 3)
    hole, team = pick(rng, "蓄水池", "鱼塘", "地基", "水池"), pick(rng, "工程队", "施工队", "建筑队")
    stuff, per = pick(rng, ("石料", "2.7"), ("大理石", "2.8"), ("木料", "0.6"), ("钢材", "7.8"))
    owner = pick(rng, "学校", "体育馆", "少年宫")
    pool = (
        f"{owner}的长方体游泳池长{a}米，宽{b}米，池中水深{shallow}米，池里有水多少立方米？",
        f"一个游泳池从里面量长{a}米，宽{b}米，要注入{shallow}米深的水，需要多少立方米的水？",
    )
    pit = (
        f"{team}挖一个长{a}米、宽{b}米、深{c}米的长方体{hole}，一共要挖土多少立方米？",
        f"{team}要建一个长方体{hole}，长{a}米，宽{b}米，深{c}米，要挖出多少立方米的土？",
    )
    trips = (
        f"{team}要挖一个长{a}米、宽{b}米、深{c}米的长方体{hole}，挖出的土用卡车运走，每车运{load}立方米，要运多少车？",
        f"{owner}要填平一个长{a}米、宽{b}米、深{c}米的长方体土坑，一辆车每次运土{load}立方米，一共要运多少次？",
    )
    weight = (
        f"工地运来一块长方体{stuff}，量得长{x}分米、宽{y}分米、高{z}分米，已知每立方分米{stuff}重{per}千克，它重多少千克？",
        f"每立方分米{stuff}重{per}千克，一块长方体{stuff}长{x}分米，宽{y}分米，厚{z}分米，它重多少千克？",
    )
    return pick(
        rng,
        told(rng, pit, (f"{a}*{b}*{c}",), AnswerForm.AMOUNT),
        told(rng, pool, (f"{a}*{b}*{shallow}",), AnswerForm.AMOUNT),
        told(rng, trips, (f"{a}*{b}*{c}/{load}",)),
        told(rng, weight, (f"{x}*{y}*{z}*{per}", f"{per}*({x}*{y}*{z})"), AnswerForm.AMOUNT),
    )


def water_level(rng: Random) -> Story:
    b, low = whole(rng, 15, 30), whole(rng, 8, 20)
    a = b + whole(rng, 5, 30)
    rise = decimal(rng, 1, 5)
    high, (thing, m) = low + rise, pick(rng, ("石头", "块"), ("铁球", "个"), ("珊瑚石", "块"))
    stone = (
        f"一个长方体鱼缸，长{a}厘米，宽{b}厘米，里面的水深{low}厘米，放入一{m}{thing}后（完全浸没，水没有溢出），水深变为{high}厘米，这{m}{thing}的体积是多少立方厘米？",
        f"一个长方体玻璃缸长{a}厘米，宽{b}厘米，原来水深{low}厘米，{child(rng)}把一{m}{thing}浸没在水中，水面上升到{high}厘米，{thing}的体积是多少立方厘米？",
    )
    direct = (
        f"{child(rng)}想测一{m}{thing}的体积，把它完全沉入长{a}厘米、宽{b}厘米的长方体水槽里，水面升高了{rise}厘米，它的体积是多少立方厘米？",
        f"在一个底面长{a}厘米、宽{b}厘米的长方体容器里放入一{m}{thing}，{thing}完全浸没后水面升高{rise}厘米，求这{m}{thing}的体积．",
    )
    water = a * b * low // 2
    depth = (
        f"把{water}立方厘米的水倒入一个底面长{a}厘米、宽{b}厘米的长方体容器里，水深多少厘米？",
        f"一个长方体水箱，底面长{a}厘米，宽{b}厘米，倒入{water}立方厘米的水后，水深多少厘米？",
    )
    return pick(
        rng,
        told(rng, stone, (f"{a}*{b}*({high}-{low})", f"{a}*{b}*{high}-{a}*{b}*{low}"), AnswerForm.AMOUNT),
        told(rng, direct, (f"{a}*{b}*{rise}",), AnswerForm.AMOUNT),
        told(rng, depth, (f"{water}/({a}*{b})", f"{water}/{a}/{b}"), AnswerForm.AMOUNT),
    )


SITUATIONS = situations(cylinder, cone, cuboid, water_level)
