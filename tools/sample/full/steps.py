"""Problems of a single step."""

from random import Random

from tools.sample.quantity import decimal, part, tidy, whole
from tools.sample.story import AnswerForm, Story, pick, situations, told, two
from tools.sample.words import (
    ADULTS,
    CHILDREN,
    FARMERS,
    FRUIT,
    SCHOOLS,
    STATIONERY,
    WORKERS,
    child,
    school,
    school_class,
)

VEHICLES = (
    ("一辆汽车", 50, 90),
    ("一列火车", 80, 140),
    ("一辆摩托车", 40, 60),
    ("一辆自行车", 12, 18),
    ("一艘轮船", 25, 40),
)


def single_price(rng: Random) -> Story:
    good, who, n = pick(rng, *STATIONERY), child(rng), whole(rng, 3, 12)
    price, fruit, kilos = good.odd_price(rng), pick(rng, *FRUIT), decimal(rng, 2, 6)
    total, per = tidy(price * n), decimal(rng, 3, 9)
    m = good.measure
    return pick(
        rng,
        Story(f"{good.each}{price}元，{who}买{n}{m}，一共要付多少元？", f"{price}*{n}", AnswerForm.AMOUNT),
        Story(f"{who}买了{good.of(n)}，共付{total}元，{good.each}多少元？", f"{total}/{n}", AnswerForm.AMOUNT),
        Story(f"{good.each}{price}元，{who}有{total}元，可以买多少{m}？", f"{total}/{price}"),
        Story(
            f"{fruit}每千克{per}元，{pick(rng, *ADULTS)}买了{kilos}千克，应付多少元？",
            f"{per}*{kilos}",
            AnswerForm.AMOUNT,
        ),
    )


def single_trip(rng: Random) -> Story:
    car, low, high = pick(rng, *VEHICLES)
    v, t, who = whole(rng, low, high), whole(rng, 2, 9), child(rng)
    pace, minutes = whole(rng, 55, 80), whole(rng, 8, 25)
    road, walk = v * t, pace * minutes
    return pick(
        rng,
        Story(f"{car}每小时行{v}千米，从甲地到乙地要{t}小时，两地相距多少千米？", f"{v}*{t}"),
        Story(f"甲、乙两地相距{road}千米，{car}用{t}小时行完，平均每小时行多少千米？", f"{road}/{t}"),
        Story(f"甲、乙两地相距{road}千米，{car}每小时行{v}千米，行完这段路要多少小时？", f"{road}/{v}"),
        Story(f"{who}每分钟走{pace}米，从家到学校要走{minutes}分钟，{who}家离学校多少米？", f"{pace}*{minutes}"),
        Story(f"{who}家到学校有{walk}米，{who}走了{minutes}分钟，平均每分钟走多少米？", f"{walk}/{minutes}"),
        Story(f"{who}家离图书馆{walk}米，{who}每分钟走{pace}米，走到图书馆要多少分钟？", f"{walk}/{pace}"),
    )


def single_part(rng: Random) -> Story:
    f, p, who = part(rng), whole(rng, 15, 85, 5), child(rng)
    a, b = f.bottom * whole(rng, 6, 30), whole(rng, 60, 400, 20)
    by_part = (
        f"{school(rng)}有{a}人参加运动会，其中{f}是六年级学生，六年级有多少人参加？",
        f"{who}有{a}张邮票，把其中的{f}送给了同学，送出多少张？",
        f"一本书共{a}页，{who}已经看了全书的{f}，看了多少页？",
        f"{pick(rng, *FARMERS)}收了{a}千克蔬菜，卖出了{f}，卖出多少千克？",
    )
    by_percent = (
        f"{school(rng)}五年级有{b}名学生，其中{p}%会骑自行车，会骑自行车的有多少人？",
        f"{school(rng)}的图书室有{b}本科技书，借出了{p}%，借出多少本？",
        f"修一条长{b}米的路，已经修了全长的{p}%，已经修了多少米？",
        f"{pick(rng, *WORKERS)}要加工{b}个零件，已经完成了{p}%，已经加工了多少个？",
    )
    if rng.random() < 0.5:
        return told(rng, by_part, (f"{a}*{f}",))
    return told(rng, by_percent, (f"{b}*{p}%",))


def equal_shares(rng: Random) -> Story:
    n, each, shop = whole(rng, 4, 15), whole(rng, 6, 40), pick(rng, "商店", "超市", "幼儿园", "批发部")
    total = n * each
    thing, m = pick(
        rng, ("练习本", "本"), ("铅笔", "支"), ("糖果", "颗"), ("苹果", "个"), ("气球", "个"), ("图画纸", "张")
    )
    return pick(
        rng,
        Story(f"{pick(rng, *ADULTS)}把{total}{m}{thing}平均分给{n}个小朋友，每人分到多少{m}？", f"{total}/{n}"),
        Story(f"{school(rng)}把{total}{m}{thing}平均分给{n}个班，每个班分到多少{m}？", f"{total}/{n}"),
        Story(f"{shop}把{total}{m}{thing}每{n}{m}装成一袋，可以装多少袋？", f"{total}/{n}"),
        Story(f"{school_class(rng)}有{n}个小组，每组分到{each}{m}{thing}，一共要准备{thing}多少{m}？", f"{n}*{each}"),
    )


def more_or_less(rng: Random) -> Story:
    (who, other), a, d = two(rng, CHILDREN), whole(rng, 30, 160), whole(rng, 4, 28)
    (one, two_), b = two(rng, SCHOOLS), whole(rng, 180, 600)
    thing, m = pick(rng, ("邮票", "张"), ("贝壳", "个"), ("课外书", "本"), ("画片", "张"))
    return pick(
        rng,
        Story(f"{who}有{a}{m}{thing}，{other}比{who}多{d}{m}，{other}有多少{m}{thing}？", f"{a}+{d}"),
        Story(f"{who}有{a}{m}{thing}，比{other}少{d}{m}，{other}有多少{m}{thing}？", f"{a}+{d}"),
        Story(f"{who}有{a}{m}{thing}，比{other}多{d}{m}，{other}有多少{m}{thing}？", f"{a}-{d}"),
        Story(f"{one}有学生{b}人，{two_}有学生{b + d}人，{two_}比{one}多多少人？", f"{b + d}-{b}"),
        Story(f"{one}植树{b}棵，{two_}植树{a}棵，两所学校一共植树多少棵？", f"{b}+{a}"),
    )


def how_many_times(rng: Random) -> Story:
    k, a, who = whole(rng, 3, 9), whole(rng, 8, 40), child(rng)
    b, half = a * k, pick(rng, "1.5", "2.5", "1.2", "1.6")
    few, many = pick(rng, ("鸭", "鸡"), ("黑羊", "白羊"), ("白兔", "灰兔"))
    return pick(
        rng,
        Story(f"{pick(rng, *FARMERS)}养了{a}只{few}，养的{many}是{few}的{k}倍，养了多少只{many}？", f"{a}*{k}"),
        Story(f"{pick(rng, *FARMERS)}养了{many}{b}只，{few}{a}只，{many}的只数是{few}的多少倍？", f"{b}/{a}"),
        Story(f"{who}集了{b}张邮票，正好是弟弟的{k}倍，弟弟集了多少张邮票？", f"{b}/{k}"),
        Story(f"{school(rng)}的器材室有跳绳{a}根，毽子的个数是跳绳根数的{half}倍，毽子有多少个？", f"{a}*{half}"),
    )


def what_percent(rng: Random) -> Story:
    n, who, worker = pick(rng, 40, 50, 60, 80, 120, 160, 200), child(rng), pick(rng, *WORKERS)
    a = n * whole(rng, 10, 19) // 20
    texts = (
        f"{school(rng)}六年级有{n}人，其中{a}人会游泳，会游泳的人数占六年级人数的百分之几？",
        f"{who}看一本{n}页的书，已经看了{a}页，看了全书的百分之几？",
        f"一卷{n}米长的电线，{worker}用去{a}米，用去了百分之几？",
        f"{worker}计划加工{n}个零件，上午加工了{a}个，上午完成了计划的百分之几？",
        f"{who}做了{n}道口算题，做对{a}道，做对的占百分之几？",
    )
    return told(rng, texts, (f"{a}/{n}",), AnswerForm.PERCENT)


def plain_area(rng: Random) -> Story:
    wide = whole(rng, 5, 30)
    long, side, who = wide + whole(rng, 3, 30), whole(rng, 4, 60), pick(rng, *FARMERS)
    place = pick(rng, "菜地", "花圃", "果园", "草坪", "苗圃")
    return pick(
        rng,
        Story(f"{who}家有一块长方形{place}，长{long}米，宽{wide}米，它的面积是多少平方米？", f"{long}*{wide}"),
        Story(
            f"{who}家的长方形{place}占地{long * wide}平方米，量得长边是{long}米，短边是多少米？",
            f"{long * wide}/{long}",
        ),
        Story(f"{who}家有一块平行四边形的{place}，底是{long}米，高是{wide}米，面积是多少平方米？", f"{long}*{wide}"),
        Story(f"{school(rng)}的正方形{place}边长是{side}米，它的面积是多少平方米？", f"{side}*{side}"),
        Story(
            f"{school(rng)}有一块平行四边形的{place}，面积是{long * wide}平方米，高是{wide}米，底是多少米？",
            f"{long * wide}/{wide}",
        ),
    )


def fraction_sum(rng: Random) -> Story:
    f, g, who = part(rng, 3, 9), part(rng, 3, 9), child(rng)
    units, n, nuts = whole(rng, 3, 5), whole(rng, 2, 8), two(rng, ("花生", "核桃", "红枣", "瓜子", "绿豆", "白糖"))
    return pick(
        rng,
        Story(f"{who}做作业用了{f}小时，看书用了{g}小时，一共用了多少小时？", f"{f}+{g}", AnswerForm.FRACTION),
        Story(f"一根彩带长{units}米，{who}做花用去{f}米，还剩多少米？", f"{units}-{f}", AnswerForm.FRACTION),
        Story(
            f"{pick(rng, *ADULTS)}买了{f}千克{nuts[0]}，又买了{g}千克{nuts[1]}，一共买了多少千克？",
            f"{f}+{g}",
            AnswerForm.FRACTION,
        ),
        Story(f"一袋糖重{f}千克，{who}买了这样的糖{n}袋，一共重多少千克？", f"{f}*{n}", AnswerForm.FRACTION),
        Story(f"{who}一小时走{units}千米，{f}小时走多少千米？", f"{units}*{f}", AnswerForm.FRACTION),
    )


SITUATIONS = situations(
    single_price,
    single_trip,
    single_part,
    equal_shares,
    more_or_less,
    how_many_times,
    what_percent,
    plain_area,
    fraction_sum,
)
