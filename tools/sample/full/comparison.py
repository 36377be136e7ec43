"""Two or three amounts compared: multiples, sum and multiple, difference and multiple, ratios."""

from dataclasses import dataclass
from math import gcd
from random import Random

from tools.sample.quantity import whole
from tools.sample.story import Story, pick, situations, told
from tools.sample.words import school


@dataclass(frozen=True)
class Pair:
    """Two kinds of things at one place, counted with one measure word."""

    place: str
    first: str
    second: str
    measure: str

    @property
    def tally(self) -> str:
        return f"{self.measure}数"


PAIRS = (
    Pair("养殖场", "鸭", "鸡", "只"),
    Pair("果园里", "桃树", "梨树", "棵"),
    Pair("图书室", "科技书", "故事书", "本"),
    Pair("花圃里", "月季花", "菊花", "盆"),
    Pair("水果店", "梨", "苹果", "筐"),
    Pair("养兔场", "黑兔", "白兔", "只"),
    Pair("公园里", "松树", "柳树", "棵"),
    Pair("体育用品店", "篮球", "足球", "个"),
    Pair("商店", "钢笔", "圆珠笔", "支"),
    Pair("停车场", "客车", "小轿车", "辆"),
)

RATIOS = tuple((a, b) for a in range(2, 9) for b in range(2, 10) if gcd(a, b) == 1)


def multiple_and_more(rng: Random) -> Story:
    x = pick(rng, *PAIRS)
    m, y = x.measure, x.second
    a, k, b = whole(rng, 12, 40), whole(rng, 2, 6), whole(rng, 3, 11)
    more = (
        f"{x.place}有{x.first}{a}{m}，{y}的{x.tally}比{x.first}的{k}倍多{b}{m}，{y}有多少{m}？",
        f"{x.place}有{a}{m}{x.first}，{y}比{x.first}的{k}倍还多{b}{m}．{x.place}有{y}多少{m}？",
    )
    less = (
        f"{x.place}有{x.first}{a}{m}，{y}的{x.tally}比{x.first}的{k}倍少{b}{m}，{y}有多少{m}？",
        f"{x.place}有{a}{m}{x.first}，有{y}的{x.tally}比{x.first}的{k}倍少{b}{m}，求{y}的{x.tally}．",
    )
    total = (
        f"{x.place}有{x.first}{a}{m}，{y}的{x.tally}比{x.first}的{k}倍多{b}{m}，{x.first}和{y}一共有多少{m}？",
        f"{x.place}有{a}{m}{x.first}，{y}比{x.first}的{k}倍还多{b}{m}，{x.place}共有{x.first}和{y}多少{m}？",
    )
    return pick(
        rng,
        told(rng, more, (f"{a}*{k}+{b}", f"{k}*{a}+{b}")),
        told(rng, less, (f"{a}*{k}-{b}", f"{k}*{a}-{b}")),
        told(rng, total, (f"{a}*{k}+{b}+{a}", f"{a}+({a}*{k}+{b})", f"{a}*({k}+1)+{b}")),
    )


def behind_a_multiple(rng: Random) -> Story:
    x = pick(rng, *PAIRS)
    m, y = x.measure, x.second
    a, k, b = whole(rng, 12, 40), whole(rng, 2, 6), whole(rng, 3, 11)
    more, less = a * k + b, a * k - b
    above = (
        f"{x.place}有{y}{more}{m}，比{x.first}的{k}倍多{b}{m}，{x.first}有多少{m}？",
        f"{x.place}有{more}{m}{y}，{y}的{x.tally}比{x.first}的{k}倍还多{b}{m}，{x.place}有多少{m}{x.first}？",
    )
    below = (
        f"{x.place}有{y}{less}{m}，比{x.first}的{k}倍少{b}{m}，{x.first}有多少{m}？",
        f"{x.place}有{less}{m}{y}，{y}的{x.tally}比{x.first}的{k}倍少{b}{m}，{x.place}有多少{m}{x.first}？",
    )
    return pick(rng, told(rng, above, (f"({more}-{b})/{k}",)), told(rng, below, (f"({less}+{b})/{k}",)))


def sum_and_multiple(rng: Random) -> Story:
    x = pick(rng, *PAIRS)
    m, a, k = x.measure, whole(rng, 12, 40), whole(rng, 2, 7)
    s = a * (k + 1)
    small = (
        f"{x.place}有{x.first}和{x.second}共{s}{m}，{x.second}的{x.tally}是{x.first}的{k}倍，{x.first}有多少{m}？",
        f"{x.place}{x.second}的{x.tally}是{x.first}的{k}倍，{x.first}和{x.second}一共有{s}{m}，{x.first}有多少{m}？",
    )
    large = (
        f"{x.place}有{x.first}和{x.second}共{s}{m}，{x.second}的{x.tally}是{x.first}的{k}倍，{x.second}有多少{m}？",
        f"{x.place}共有{s}{m}{x.first}和{x.second}，其中{x.second}的{x.tally}是{x.first}的{k}倍，求{x.second}的{x.tally}．",
    )
    return pick(
        rng,
        told(rng, small, (f"{s}/({k}+1)", f"{s}/(1+{k})")),
        told(rng, large, (f"{s}/({k}+1)*{k}", f"{s}-{s}/({k}+1)")),
    )


def difference_and_multiple(rng: Random) -> Story:
    x = pick(rng, *PAIRS)
    m, a, k = x.measure, whole(rng, 12, 40), whole(rng, 3, 8)
    d = a * (k - 1)
    small = (
        f"{x.place}{x.second}的{x.tally}是{x.first}的{k}倍，{x.second}比{x.first}多{d}{m}，{x.first}有多少{m}？",
        f"{x.place}{x.first}比{x.second}少{d}{m}，{x.second}的{x.tally}正好是{x.first}的{k}倍，{x.place}有{x.first}多少{m}？",
    )
    large = (
        f"{x.place}{x.second}的{x.tally}是{x.first}的{k}倍，{x.first}比{x.second}少{d}{m}，{x.second}有多少{m}？",
        f"{x.place}{x.second}比{x.first}多{d}{m}，{x.second}的{x.tally}是{x.first}的{k}倍，求{x.second}有多少{m}．",
    )
    return pick(
        rng,
        told(rng, small, (f"{d}/({k}-1)",)),
        told(rng, large, (f"{d}/({k}-1)*{k}", f"{d}/({k}-1)+{d}")),
    )


def ratio(rng: Random) -> Story:
    x, unit, (a, b) = pick(rng, *PAIRS), whole(rng, 6, 30), pick(rng, *RATIOS)
    m = x.measure
    s, known = unit * (a + b), unit * a
    shared = (
        f"{x.place}有{x.first}和{x.second}共{s}{m}，{x.first}与{x.second}{x.tally}的比是{a}：{b}，{x.first}有多少{m}？",
        f"{x.place}的{x.first}和{x.second}一共有{s}{m}，{x.tally}的比是{a}：{b}，求{x.first}的{x.tally}．",
        f"{school(rng)}把{s}棵树苗按{a}：{b}分给五年级和六年级种植，五年级应种多少棵？",
        f"两个修路队合修一段长{s}米的公路，甲队和乙队修路长度的比是{a}：{b}，甲队修了多少米？",
        f"农场有{s}平方米的菜地，按{a}：{b}的面积比种西红柿和黄瓜，西红柿种了多少平方米？",
    )
    given = (
        f"{x.place}{x.first}与{x.second}{x.tally}的比是{a}：{b}，{x.first}有{known}{m}，{x.second}有多少{m}？",
        f"{x.place}有{x.first}{known}{m}，{x.first}和{x.second}{x.tally}的比是{a}：{b}，{x.place}有{x.second}多少{m}？",
    )
    if rng.random() < 0.3:
        return told(rng, given, (f"{known}/{a}*{b}", f"{known}*{b}/{a}"))
    return told(rng, shared, (f"{s}*{a}/({a}+{b})", f"{s}/({a}+{b})*{a}", f"{s}*[{a}/({a}+{b})]"))


def three_way_ratio(rng: Random) -> Story:
    a, b, c = pick(
        rng, (2, 3, 5), (2, 3, 4), (3, 4, 5), (2, 4, 5), (3, 5, 7), (2, 5, 6), (4, 5, 6), (3, 4, 8), (2, 5, 7)
    )
    s, site = (a + b + c) * whole(rng, 6, 20), pick(rng, "建筑工地", "施工队", "工程队")
    x, y, z = rng.sample(("数学", "美术", "书法", "舞蹈", "音乐", "体育"), 3)
    p, q, r = rng.sample(("苹果树", "桃树", "梨树", "枣树", "杏树"), 3)
    first = (
        f"{site}用水泥、沙子和石子按{a}：{b}：{c}的比搅拌混凝土，要搅拌{s}吨混凝土，需要水泥多少吨？",
        f"{school(rng)}把{s}本图书按{a}：{b}：{c}分给四、五、六三个年级，四年级分得多少本？",
        f"{pick(rng, '饲养场', '农场')}里鹅、鸭、鸡只数的比是{a}：{b}：{c}，三种家禽共有{s}只，鹅有多少只？",
    )
    second = (
        f"{site}把水泥、沙子和石子按{a}：{b}：{c}配制成{s}吨混凝土，用了沙子多少吨？",
        f"参加{x}、{y}、{z}小组的人数比是{a}：{b}：{c}，三个小组共有{s}人，{y}小组有多少人？",
        f"果园里{p}、{q}和{r}棵数的比是{a}：{b}：{c}，一共有{s}棵，{q}有多少棵？",
    )
    parts = f"({a}+{b}+{c})"
    return pick(
        rng,
        told(rng, first, (f"{s}*{a}/{parts}", f"{s}/{parts}*{a}")),
        told(rng, second, (f"{s}*{b}/{parts}", f"{s}/{parts}*{b}")),
    )


SITUATIONS = situations(
    multiple_and_more, behind_a_multiple, sum_and_multiple, difference_and_multiple, ratio, three_way_ratio
)
