"""On the farm and in the store: feed, harvest, stock, packing."""

from random import Random

from tools.sample.quantity import decimal, tidy, whole
from tools.sample.story import AnswerForm, Story, pick, situations, told
from tools.sample.words import FARMERS

ANIMALS = (("奶牛", "头", 9, 15), ("马", "匹", 6, 10), ("猪", "头", 3, 5), ("羊", "只", 2, 4))

ORCHARD = (("苹果", "苹果树"), ("梨", "梨树"), ("桃子", "桃树"), ("橘子", "橘子树"), ("枣", "枣树"))


def feed(rng: Random) -> Story:
    animal, m, low, high = pick(rng, *ANIMALS)
    n, days, each = whole(rng, 12, 40), whole(rng, 5, 20), decimal(rng, low, high)
    who, eaten = pick(rng, *FARMERS), each * n * days
    store, stock = tidy(eaten), tidy(eaten + whole(rng, 100, 500, 50))
    need = (
        f"{who}养了{n}{m}{animal}，平均每{m}每天吃饲料{each}千克，{days}天一共要吃饲料多少千克？",
        f"一{m}{animal}一天吃{each}千克饲料，{n}{m}{animal}{days}天要准备饲料多少千克？",
    )
    share = (
        f"{who}家的{n}{m}{animal}{days}天吃了{store}千克饲料，平均每{m}{animal}每天吃多少千克饲料？",
        f"{days}天里，{n}{m}{animal}共吃饲料{store}千克，平均每{m}每天吃饲料多少千克？",
    )
    left = (
        f"{who}家有饲料{stock}千克，{n}{m}{animal}每{m}每天吃{each}千克，吃了{days}天后还剩多少千克？",
        f"饲养员准备了{stock}千克饲料，喂养{n}{m}{animal}，每{m}每天吃{each}千克，{days}天后还剩饲料多少千克？",
    )
    return pick(
        rng,
        told(rng, need, (f"{each}*{n}*{days}", f"{n}*{each}*{days}"), AnswerForm.AMOUNT),
        told(rng, share, (f"{store}/{n}/{days}", f"{store}/{days}/{n}", f"{store}/({n}*{days})"), AnswerForm.AMOUNT),
        told(rng, left, (f"{stock}-{each}*{n}*{days}", f"{stock}-{n}*{each}*{days}"), AnswerForm.AMOUNT),
    )


def harvest(rng: Random) -> Story:
    who, (fruit, tree) = pick(rng, *FARMERS), pick(rng, *ORCHARD)
    crop, acres = pick(rng, "小麦", "玉米", "水稻"), whole(rng, 2, 9)
    trees, each, boxes = whole(rng, 15, 60), whole(rng, 35, 90, 5), pick(rng, 15, 20, 25, 30)
    a, b, p, q = whole(rng, 4, 9), whole(rng, 3, 8), whole(rng, 400, 600, 20), whole(rng, 150, 250, 10)
    packed = (
        f"{who}的果园里有{trees}棵{tree}，平均每棵收{fruit}{each}千克，每{boxes}千克装一箱，一共可以装多少箱？",
        f"果园今年{trees}棵{tree}平均每棵产{fruit}{each}千克，把这些{fruit}装箱，每箱{boxes}千克，可以装多少箱？",
    )
    money = (
        f"{who}承包了{acres}亩果园，园里有{trees}棵{tree}，平均每棵收{fruit}{each}千克，每千克卖{a}元，一共可以卖多少元？",
        f"{who}种了{trees}棵{tree}，平均每棵收{fruit}{each}千克，如果每千克卖{a}元，一共可以卖多少元？",
        f"{who}家有{trees}棵{tree}，平均每棵产{each}千克，每千克{fruit}卖{a}元，这些{fruit}一共能收入多少元？",
    )
    fields = (
        f"{who}家有{a}亩地种{crop}，每亩产{p}千克，有{b}亩地种大豆，每亩产{q}千克，一共收粮食多少千克？",
        f"{who}种了{a}亩{crop}，平均每亩收{crop}{p}千克，又种了{b}亩大豆，平均每亩收大豆{q}千克，收的{crop}比大豆多多少千克？",
    )
    return pick(
        rng,
        told(rng, packed, (f"{trees}*{each}/{boxes}", f"{each}*{trees}/{boxes}")),
        told(rng, money, (f"{trees}*{each}*{a}", f"{each}*{trees}*{a}")),
        Story(fields[0], f"{a}*{p}+{b}*{q}"),
        Story(fields[1], f"{p}*{a}-{q}*{b}"),
    )


def stock(rng: Random) -> Story:
    thing, u = pick(rng, ("大米", "千克"), ("面粉", "千克"), ("煤", "吨"), ("化肥", "吨"), ("水泥", "吨"))
    a, out, back = decimal(rng, 180, 420), decimal(rng, 60, 150), decimal(rng, 40, 140)
    cars, load, left = whole(rng, 4, 12), pick(rng, 3, 4, 5, 8), whole(rng, 6, 40)
    both = (
        f"仓库里有{thing}{a}{u}，运走{out}{u}后，又运来{back}{u}，现在仓库里有{thing}多少{u}？",
        f"一个仓库原有{thing}{a}{u}，先运出{out}{u}，又运进{back}{u}，这时仓库里有{thing}多少{u}？",
    )
    twice = (
        f"仓库里有{thing}{a}{u}，上午运走{out}{u}，下午运走{back}{u}，还剩多少{u}？",
        f"一个仓库存有{a}{u}{thing}，第一次运出{out}{u}，第二次运出{back}{u}，仓库里还有{thing}多少{u}？",
    )
    total, place = cars * load + left, pick(rng, "工地", "车站", "码头", "工厂")
    trucks = (
        f"{place}有{total}吨煤，一辆卡车每次运{load}吨，运了{cars}次，还剩多少吨？",
        f"仓库里有{total}吨化肥，{cars}辆卡车每辆运走{load}吨，仓库里还剩化肥多少吨？",
    )
    times = (
        f"{place}有沙子{total}吨，已经运走{left}吨，剩下的用载重{load}吨的卡车来运，还要运多少次？",
        f"{place}要运{total}吨水泥，先用拖拉机运了{left}吨，余下的用卡车运，每次运{load}吨，还要运几次才能运完？",
    )
    return pick(
        rng,
        told(rng, both, (f"{a}-{out}+{back}",), AnswerForm.AMOUNT),
        told(rng, twice, (f"{a}-{out}-{back}", f"{a}-({out}+{back})"), AnswerForm.AMOUNT),
        told(rng, trucks, (f"{total}-{load}*{cars}", f"{total}-{cars}*{load}")),
        told(rng, times, (f"({total}-{left})/{load}",)),
    )


def packing(rng: Random) -> Story:
    noun, m, box = pick(
        rng,
        ("鸡蛋", "个", "盒"),
        ("苹果", "个", "箱"),
        ("饺子", "个", "袋"),
        ("粽子", "个", "袋"),
        ("月饼", "个", "盒"),
    )
    per, n, left = pick(rng, 6, 8, 10, 12), whole(rng, 12, 60), whole(rng, 2, 5)
    new, price = per + pick(rng, 2, 4, 6), whole(rng, 15, 45)
    even, total = per * n, per * n + left
    filled = (
        f"有{total}{m}{noun}，每{per}{m}装一{box}，装好后还剩{left}{m}，一共装了多少{box}？",
        f"食品厂把{total}{m}{noun}装{box}，每{box}装{per}{m}，卖{price}元，最后剩下{left}{m}，装满了多少{box}？",
        f"把{total}{m}{noun}装{box}，每{box}装{per}{m}，最后剩下{left}{m}，装满了多少{box}？",
    )
    back = (
        f"一批{noun}，每{box}装{per}{m}，装了{n}{box}后还剩{left}{m}，这批{noun}共有多少{m}？",
        f"工人把一批{noun}装{box}，每{box}{per}{m}，正好装满{n}{box}，还多{left}{m}，这批{noun}一共有多少{m}？",
    )
    repack = (
        f"一批{noun}，每{box}装{per}{m}，正好装{n}{box}，如果每{box}装{new}{m}，可以装多少{box}？",
        f"工人包装一批{noun}，原来每{box}装{per}{m}，要装{n}{box}，现在每{box}改装{new}{m}，需要多少{box}？",
    )
    sold = (
        f"商店有{even}{m}{noun}，每{per}{m}装一{box}，已经卖出{left}{box}，还剩多少{box}？",
        f"把{even}{m}{noun}每{per}{m}装成一{box}，运走{left}{box}后，还有多少{box}？",
    )
    return pick(
        rng,
        told(rng, filled, (f"({total}-{left})/{per}",)),
        told(rng, back, (f"{per}*{n}+{left}", f"{n}*{per}+{left}")),
        told(rng, repack, (f"{per}*{n}/{new}", f"{n}*{per}/{new}")),
        told(rng, sold, (f"{even}/{per}-{left}",)),
    )


SITUATIONS = situations(feed, harvest, stock, packing)
