"""Old favourites: heads and legs, and riddles about a number."""

from random import Random

from tools.sample.quantity import part, whole
from tools.sample.story import Story, pick, situations, told, two
from tools.sample.words import CHILDREN, GRADES, TEACHERS, child, school

# Two kinds with few and many limbs: the measure word, and what is counted on each.
HERDS = (
    ("鸡", 2, "兔", 4, "只", "条腿"),
    ("鹤", 2, "龟", 4, "只", "条腿"),
    ("鸭", 2, "羊", 4, "只", "条腿"),
    ("自行车", 2, "三轮车", 3, "辆", "个轮子"),
    ("三轮车", 3, "小汽车", 4, "辆", "个轮子"),
    ("摩托车", 2, "小汽车", 4, "辆", "个轮子"),
    ("面包车", 4, "卡车", 6, "辆", "个轮子"),
    ("蜻蜓", 6, "蜘蛛", 8, "只", "条腿"),
)


def heads_and_legs(rng: Random) -> Story:
    small, few, large, many, m, limb = pick(rng, *HERDS)
    x, y = whole(rng, 8, 30), whole(rng, 6, 25)
    heads, legs = x + y, few * x + many * y
    large_ones = (
        f"{small}和{large}一共有{heads}{m}，每{m}{small}有{few}{limb}，每{m}{large}有{many}{limb}，总共有{legs}{limb}，{large}有多少{m}？",
        f"{large}和{small}共{heads}{m}，一共有{legs}{limb}，已知每{m}{large}{many}{limb}，每{m}{small}{few}{limb}，求{large}的{m}数．",
    )
    small_ones = (
        f"{small}和{large}共有{heads}{m}，每{m}{small}有{few}{limb}，每{m}{large}有{many}{limb}，合起来共有{legs}{limb}，{small}有多少{m}？",
        f"{child(rng)}数了数，{small}和{large}共{heads}{m}，{legs}{limb}，每{m}{small}有{few}{limb}，每{m}{large}有{many}{limb}，{small}有多少{m}？",
    )
    return pick(
        rng,
        told(rng, large_ones, (f"({legs}-{few}*{heads})/({many}-{few})", f"({legs}-{heads}*{few})/({many}-{few})")),
        told(rng, small_ones, (f"({many}*{heads}-{legs})/({many}-{few})", f"({heads}*{many}-{legs})/({many}-{few})")),
    )


PRICED = (
    ("成人票", "儿童票", "张"),
    ("钢笔", "圆珠笔", "支"),
    ("科技书", "连环画", "本"),
    ("大笔记本", "小笔记本", "本"),
    ("大盒彩笔", "小盒彩笔", "盒"),
)


def two_prices(rng: Random) -> Story:
    (costly, simple, m), dear = pick(rng, *PRICED), whole(rng, 8, 20, 2)
    cheap = dear - pick(rng, 2, 3, 4, 5, 6)
    x, y, who = whole(rng, 6, 30), whole(rng, 5, 25), pick(rng, *TEACHERS)
    n, total = x + y, cheap * x + dear * y
    big, small = pick(rng, (6, 4), (8, 5), (10, 6), (12, 8))
    people, grade = small * x + big * y, pick(rng, *GRADES)
    bought = (
        f"{who}买了{costly}和{simple}共{n}{m}，{costly}每{m}{dear}元，{simple}每{m}{cheap}元，一共付了{total}元，买了{costly}多少{m}？",
        f"{costly}每{m}{dear}元，{simple}每{m}{cheap}元，{school(rng)}买这两种共{n}{m}，用去{total}元，其中{costly}有多少{m}？",
    )
    rooms = (
        f"{school(rng)}{people}名同学去公园划船，租了大船和小船共{n}条，每条大船坐{big}人，每条小船坐{small}人，正好坐满，大船租了多少条？",
        f"{grade}{people}名同学租大、小两种帐篷露营，大帐篷每顶住{big}人，小帐篷每顶住{small}人，共租了{n}顶，全部住满，大帐篷租了多少顶？",
    )
    if rng.random() < 0.6:
        return told(rng, bought, (f"({total}-{cheap}*{n})/({dear}-{cheap})", f"({total}-{n}*{cheap})/({dear}-{cheap})"))
    return told(rng, rooms, (f"({people}-{small}*{n})/({big}-{small})", f"({people}-{n}*{small})/({big}-{small})"))


def number_riddle(rng: Random) -> Story:
    (who, other), f, p = two(rng, CHILDREN), part(rng, 2, 6), pick(rng, 10, 15, 20, 25, 30, 40)
    k, b, n, a, c = whole(rng, 3, 9), whole(rng, 4, 40), whole(rng, 8, 60), whole(rng, 12, 60), whole(rng, 3, 9)
    x, more, less, product = 10 * f.bottom * whole(rng, 2, 12), n * k + b, n * k - b, a * b
    gap = f.of(x) - x * p // 100
    card = f"{who}抽到的卡片上写着{a}"
    riddles = [
        Story(f"{who}想好一个数，把它乘{k}，再加上{b}，得到{more}，{who}想的数是多少？", f"({more}-{b})/{k}"),
        Story(f"{who}心里有一个数，它的{k}倍减去{b}还有{less}，这个数是多少？", f"({less}+{b})/{k}"),
        Story(f"猜一猜：{who}写的数乘{k}后，比{less}多{b}，{who}写的数是多少？", f"({less}+{b})/{k}"),
        Story(f"{card}，{other}卡片上的数比它的{k}倍多{b}，{other}卡片上写着多少？", f"{a}*{k}+{b}"),
        Story(f"{card}，{other}卡片上的数比它的{k}倍少{b}，{other}卡片上写着多少？", f"{a}*{k}-{b}"),
        Story(f"{card}，比{other}卡片上的数的{k}倍少{b}，{other}卡片上的数是多少？", f"({a}+{b})/{k}"),
        Story(f"{who}报{a}，{other}报{b}，老师把这两个数的和乘{c}，得多少？", f"({a}+{b})*{c}"),
        Story(f"{who}报{a}，{other}报{b}，{who}报的数减去{other}报的数，再乘{c}，得多少？", f"({a}-{b})*{c}"),
        Story(f"{who}用计算器算{product}除以{b}，再减去{c}，屏幕上显示多少？", f"{product}/{b}-{c}"),
    ]
    if gap > 0 and x * p % 100 == 0:
        riddles += [
            Story(f"{who}想了一个数，它的{f}比它的{p}%大{gap}，{who}想的数是多少？", f"{gap}/({f}-{p}%)"),
            Story(f"{who}出谜语：取一个数的{f}，减去它的{p}%，剩下{gap}，这个数是多少？", f"{gap}/({f}-{p}%)"),
        ]
    return pick(rng, *riddles)


SITUATIONS = situations(heads_and_legs, two_prices, number_riddle)
