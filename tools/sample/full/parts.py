"""Fractions of a whole: what is left, the whole behind a part, two days, the rest of the rest."""

from dataclasses import dataclass
from random import Random

from tools.sample.quantity import Part, part, whole
from tools.sample.story import AnswerForm, Story, pick, situations, told, two
from tools.sample.words import FARMERS, GRADES, child, school, school_class


@dataclass(frozen=True)
class Stuff:
    """Something used up bit by bit: 一桶油 重 40 千克, 用去 a part; 这桶油 原来重 how much."""

    one: str
    has: str
    unit: str
    used: str
    was: str

    @property
    def this(self) -> str:
        return "这" + self.one[1:]


STUFF = (
    Stuff("一桶油", "重", "千克", "用去", "原来重"),
    Stuff("一批大米", "有", "千克", "吃去", "原来有"),
    Stuff("一堆煤", "有", "吨", "烧去", "原来有"),
    Stuff("一堆沙子", "有", "吨", "用去", "原来有"),
    Stuff("一批货物", "有", "吨", "运走", "原来有"),
    Stuff("一根铁丝", "长", "米", "用去", "原来长"),
    Stuff("一根绳子", "长", "米", "剪去", "原来长"),
    Stuff("一条水渠", "长", "米", "修好", "全长"),
    Stuff("一条公路", "长", "千米", "修好", "全长"),
)


def _two_parts(rng: Random, high: int) -> tuple[Part, Part]:
    """Two different fractions that leave something over, the smaller first."""
    while True:
        f, g = part(rng, 3, high), part(rng, 3, high)
        if f.value < g.value < 1 - f.value:
            return f, g


def left_over(rng: Random) -> Story:
    stuff, f, who = pick(rng, *STUFF), part(rng), child(rng)
    one, u = stuff.one, stuff.unit
    a, many = f.bottom * whole(rng, 4, 12), f.bottom * whole(rng, 15, 40)
    some = (
        f"{one}{stuff.has}{a}{u}，{stuff.used}了{f}，还剩多少{u}？",
        f"{one}{stuff.has}{a}{u}，已经{stuff.used}了它的{f}，还剩下多少{u}？",
    )
    counted = (
        f"{who}要练完{many}道速算题，已经练了{f}，还有多少道没练？",
        f"果园里有{many}棵果树，其中{f}是苹果树，其余的都是梨树，梨树有多少棵？",
        f"{school(rng)}{pick(rng, *GRADES)}有学生{many}人，其中{f}参加了兴趣小组，没有参加的有多少人？",
        f"食堂运来{many}千克蔬菜，上午吃了{f}，下午还剩多少千克？",
        f"{school_class(rng)}的同学折了{many}只纸鹤，送给敬老院{f}，还剩多少只？",
    )
    if rng.random() < 0.5:
        return told(rng, some, (f"{a}*(1-{f})", f"{a}-{a}*{f}"))
    return told(rng, counted, (f"{many}*(1-{f})", f"{many}-{many}*{f}"))


def whole_from_part(rng: Random) -> Story:
    stuff, f, who = pick(rng, *STUFF), part(rng), child(rng)
    one, this, u = stuff.one, stuff.this, stuff.unit
    a, many = f.bottom * whole(rng, 4, 12), f.bottom * whole(rng, 15, 40)
    by_used = (
        f"{one}，{stuff.used}了{f.of(a)}{u}，正好占{this}的{f}，{this}{stuff.was}多少{u}？",
        f"{one}，{stuff.used}的部分是{f.of(a)}{u}，相当于{this}的{f}，{this}{stuff.was}多少{u}？",
    )
    by_left = (
        f"{one}，{stuff.used}了{f}，还剩{a - f.of(a)}{u}，{this}{stuff.was}多少{u}？",
        f"{one}，{stuff.used}它的{f}后，还剩下{a - f.of(a)}{u}，{this}{stuff.was}多少{u}？",
    )
    read = (
        f"{who}看一本书，已经看了{f.of(many)}页，正好是全书的{f}，这本书共有多少页？",
        f"{school(rng)}今年栽了{f.of(many)}棵松树，占栽树总数的{f}，今年一共栽树多少棵？",
    )
    unread = (
        f"{who}看一本书，看了全书的{f}，还剩{many - f.of(many)}页没有看，这本书共有多少页？",
        f"{school(rng)}有{many - f.of(many)}名学生没有参加春游，参加的占全校人数的{f}，全校共有学生多少人？",
    )
    return pick(
        rng,
        told(rng, by_used, (f"{f.of(a)}/{f}",)),
        told(rng, by_left, (f"{a - f.of(a)}/(1-{f})",)),
        told(rng, read, (f"{f.of(many)}/{f}",)),
        told(rng, unread, (f"{many - f.of(many)}/(1-{f})",)),
    )


def two_days(rng: Random) -> Story:
    (f, g), who = _two_parts(rng, 7), child(rng)
    a = f.bottom * g.bottom * whole(rng, 3, 20)
    left = (
        f"园林队要栽{a}棵树苗，上午栽了总数的{f}，下午栽了总数的{g}，还有多少棵没有栽？",
        f"{who}攒了{a}枚硬币，把其中的{f}捐给灾区，{g}用来买书，还剩多少枚？",
        f"一批化肥有{a}吨，第一次运走总数的{f}，第二次运走总数的{g}，还剩多少吨？",
        f"学校图书馆有图书{a}本，其中{f}是故事书，{g}是科技书，其余的是连环画，连环画有多少本？",
    )
    done = (
        f"农机队要耕{a}亩地，第一天耕了总数的{f}，第二天耕了总数的{g}，两天共耕地多少亩？",
        f"{who}计划练{a}个毛笔字，周六练了{f}，周日练了总数的{g}，这个周末共练了多少个字？",
        f"粮店有大米{a}千克，上午卖出{f}，下午卖出总数的{g}，这一天共卖出大米多少千克？",
    )
    if rng.random() < 0.4:
        return told(rng, done, (f"{a}*({f}+{g})", f"{a}*{f}+{a}*{g}"))
    return told(rng, left, (f"{a}*(1-{f}-{g})", f"{a}-{a}*{f}-{a}*{g}", f"{a}*[1-({f}+{g})]"))


def part_and_piece(rng: Random) -> Story:
    f, who = part(rng, 3, 9), child(rng)
    a = f.bottom * whole(rng, 12, 40)
    b = whole(rng, 5, max(6, (a - f.of(a)) // 2))
    texts = (
        f"{who}有{a}张彩纸，折飞机用去{f}，折小船用去{b}张，还剩多少张？",
        f"一块布长{a}米，做儿童服装用去{f}，做窗帘用去{b}米，还剩多少米？",
        f"面包房烤了{a}个面包，早上卖掉总数的{f}，中午卖掉{b}个，还剩多少个？",
        f"工程队修一段长{a}米的路，上午修了全长的{f}，下午修了{b}米，还有多少米没有修？",
    )
    more = (
        f"{who}爬山，山路共有{a}级台阶，先走了全部的{f}，又走了{b}级，一共走了多少级？",
        f"仓库有{a}吨大米，第一次运走{f}，第二次运走{b}吨，两次一共运走多少吨？",
    )
    if rng.random() < 0.3:
        return told(rng, more, (f"{a}*{f}+{b}",))
    return told(rng, texts, (f"{a}-{a}*{f}-{b}", f"{a}*(1-{f})-{b}", f"{a}-({a}*{f}+{b})"))


def rest_of_the_rest(rng: Random) -> Story:
    f, g, who = part(rng, 3, 6), part(rng, 3, 5), child(rng)
    a = f.bottom * g.bottom * whole(rng, 4, 20)
    rest = a - f.of(a)
    left = rest * (g.bottom - g.top) // g.bottom
    forward = (
        f"{who}要背{a}个英语单词，第一周背了全部的{f}，第二周背了余下的{g}，还有多少个没有背？",
        f"环卫工人清扫一条长{a}米的街道，先扫了全长的{f}，又扫了剩下的{g}，没有扫的还有多少米？",
        f"一桶汽油有{a}升，第一次用去{f}，第二次用去余下的{g}，桶里还剩汽油多少升？",
        f"粮库有小麦{a}吨，先运走{f}，又运走剩下的{g}，粮库里还有小麦多少吨？",
    )
    back = (
        f"工人给一条步行街铺砖，头一周铺了全长的{f}，第二周铺了余下部分的{g}，最后还有{left}米没铺，这条步行街长多少米？",
        f"{who}折幸运星，上周折了计划的{f}，这周折了余下的{g}，还差{left}颗没折，{who}计划折多少颗？",
    )
    if rng.random() < 0.3:
        return told(rng, back, (f"{left}/(1-{g})/(1-{f})", f"{left}/[(1-{f})*(1-{g})]"))
    return told(rng, forward, (f"{a}*(1-{f})*(1-{g})", f"({a}-{a}*{f})*(1-{g})"))


def gap_of_parts(rng: Random) -> Story:
    g, f = _two_parts(rng, 9)
    who, a = child(rng), f.bottom * g.bottom * whole(rng, 3, 15)
    gap, both = f.of(a) - g.of(a), f.of(a) + g.of(a)
    by_gap = (
        f"修一段路，第一天修了全长的{f}，第二天修了全长的{g}，第一天比第二天多修{gap}米，这段路全长多少米？",
        f"{who}看一本书，第一周看了全书的{f}，第二周看了全书的{g}，第二周比第一周少看{gap}页，这本书共有多少页？",
        f"学校图书室里，故事书占图书总数的{f}，科技书占总数的{g}，故事书比科技书多{gap}本，图书室共有图书多少本？",
    )
    by_sum = (
        f"码头有一批集装箱，上午吊走总数的{f}，下午吊走总数的{g}，这一天共吊走{both}个，这批集装箱一共有多少个？",
        f"{who}做一本口算练习，上周做了全部的{f}，这周做了全部的{g}，两周一共做了{both}道，这本口算练习共有多少道题？",
        f"果园里桃树占果树总数的{f}，梨树占总数的{g}，桃树和梨树共有{both}棵，果园里一共有果树多少棵？",
    )
    if rng.random() < 0.5:
        return told(rng, by_gap, (f"{gap}/({f}-{g})",))
    return told(rng, by_sum, (f"{both}/({f}+{g})",))


def what_part(rng: Random) -> Story:
    boys, girls, clean = whole(rng, 16, 28), whole(rng, 15, 27), school_class(rng)
    n, some = whole(rng, 40, 56), whole(rng, 6, 30)
    long, pieces = two(rng, (2, 3, 4, 5, 6, 7, 8, 9))
    share = (
        f"{clean}的男生是{boys}人，女生是{girls}人，男生是全班人数的几分之几？",
        f"{clean}男生有{boys}人，女生有{girls}人，男生占全班人数的多少？",
    )
    others = (
        f"{clean}共有{n}人，其中{some}人参加了课外活动小组，没有参加的人数占全班人数的几分之几？",
        f"一本连环画共{n}页，{child(rng)}已经看了{some}页，没看的页数占全书的几分之几？",
    )
    cut = (
        f"手工课上，{child(rng)}把{long}米长的花边剪成同样长的{pieces}段，每段是多少米？",
        f"{child(rng)}把{long}千克糖果平均装在{pieces}个袋子里，每袋装多少千克？",
        f"{long}米彩带平均分给{pieces}个同学，每人分得多少米？",
    )
    return pick(
        rng,
        told(rng, share, (f"{boys}/({boys}+{girls})",), AnswerForm.FRACTION),
        told(rng, others, (f"({n}-{some})/{n}", f"({n}-{some})/{n}", f"1-{some}/{n}"), AnswerForm.FRACTION),
        told(rng, cut, (f"{long}/{pieces}",), AnswerForm.FRACTION),
    )


def more_by_a_part(rng: Random) -> Story:
    f, unit, n = part(rng, 3, 8), whole(rng, 2, 6), whole(rng, 5, 12)
    less, b, base = unit * n, unit * (n + whole(rng, 1, 4)), f.bottom * whole(rng, 6, 30)
    ask = (
        f"果园里有桃树{less}棵，梨树{b}棵，梨树比桃树多几分之几？",
        f"{school(rng)}美术组有{less}人，合唱组有{b}人，合唱组的人数比美术组多几分之几？",
        f"商店上周卖出自行车{less}辆，这周卖出{b}辆，这周比上周多卖出几分之几？",
    )
    less_ask = (
        f"饲养小组养黑兔{less}只，白兔{b}只，黑兔比白兔少几分之几？",
        f"{child(rng)}昨天做了{b}道口算题，今天做了{less}道，今天比昨天少做几分之几？",
    )
    more = (
        f"书法社有毛笔{base}支，铅笔比毛笔多{f}，铅笔有多少支？",
        f"花坛里有月季花{base}盆，菊花比月季花多{f}，菊花有多少盆？",
        f"王奶奶家三月份用电{base}度，四月份比三月份多用{f}，四月份用电多少度？",
    )
    return pick(
        rng,
        told(rng, ask, (f"({b}-{less})/{less}",), AnswerForm.FRACTION),
        told(rng, less_ask, (f"({b}-{less})/{b}",), AnswerForm.FRACTION),
        told(rng, more, (f"{base}*(1+{f})", f"{base}+{base}*{f}")),
    )


def lengths(rng: Random) -> Story:
    f, g = part(rng, 3, 9), part(rng, 3, 9)
    long = part(rng, 2, 6, units=whole(rng, 2, 8))
    farmer, crops = pick(rng, *FARMERS), two(rng, ("玉米", "大豆", "棉花", "花生", "蔬菜"))
    used = (
        f"电工有一捆长{long}米的电线，修灯用去{f}米，装插座用去{g}米，这捆电线还有多少米？",
        f"一块布长{long}米，做上衣用去{f}米，做裤子用去{g}米，这块布还剩下多少米？",
        f"一桶油重{long}千克，第一周吃了{f}千克，第二周吃了{g}千克，还剩多少千克？",
    )
    rest = (
        f"{farmer}家的承包地，{f}种了{crops[0]}，{g}种了{crops[1]}，剩下的种瓜果，种瓜果的地是全部承包地的几分之几？",
        f"社区清理一段河道，第一周清理了全长的{f}，第二周清理了全长的{g}，没有清理的部分是全长的几分之几？",
        f"{child(rng)}做寒假作业，第一周完成了总量的{f}，第二周完成了总量的{g}，没完成的部分是总量的几分之几？",
    )
    if rng.random() < 0.5:
        return told(rng, used, (f"{long}-{f}-{g}", f"{long}-({f}+{g})"), AnswerForm.FRACTION)
    return told(rng, rest, (f"1-{f}-{g}", f"1-({f}+{g})"), AnswerForm.FRACTION)


SITUATIONS = situations(
    left_over,
    whole_from_part,
    two_days,
    part_and_piece,
    rest_of_the_rest,
    gap_of_parts,
    what_part,
    more_by_a_part,
    lengths,
)
