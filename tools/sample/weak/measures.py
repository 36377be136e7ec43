"""Weighing and measuring by way of something else: mixtures, drums, shadows, springs, gears, tagged fish."""

from decimal import Decimal
from random import Random

from tools.sample.quantity import decimal, tidy, whole
from tools.sample.story import AnswerForm, Story, pick, situations, told, two
from tools.sample.words import FARMERS, WORKERS, child

SWEETS = ("奶糖", "水果糖", "巧克力糖", "酥糖", "花生糖")
SHARES = ("0.2", "0.25", "0.3", "0.4", "0.5", "0.6", "0.75", "0.8")


def sweets(rng: Random) -> Story:
    (a, b), (m, n) = two(rng, SWEETS), two(rng, range(2, 11))
    p, q = two(rng, range(12, 40))
    texts = (
        f"商店把{m}千克{a}和{n}千克{b}混合成什锦糖，{a}每千克{p}元，{b}每千克{q}元，什锦糖每千克多少元？",
        f"{a}每千克{p}元，{b}每千克{q}元，用{m}千克{a}和{n}千克{b}混合成什锦糖，这种什锦糖平均每千克多少元？",
        f"把每千克{p}元的{a}{m}千克和每千克{q}元的{b}{n}千克混在一起，混合后的糖每千克应卖多少元？",
    )
    return told(rng, texts, (f"({p}*{m}+{q}*{n})/({m}+{n})",), AnswerForm.AMOUNT)


VESSELS = (
    ("菜油", "桶", "用去"),
    ("汽油", "桶", "用去"),
    ("酱油", "桶", "卖出"),
    ("苹果", "筐", "卖出"),
    ("梨", "筐", "卖出"),
    ("橘子", "筐", "吃去"),
    ("蜂蜜", "桶", "卖出"),
)


def oil_drum(rng: Random) -> Story:
    noun, vessel, used = pick(rng, *VESSELS)
    share, inside, empty = pick(rng, *SHARES), whole(rng, 20, 60, 2), decimal(rng, 1, 5)
    full, who = tidy(inside + empty), pick(rng, *FARMERS)
    rest = tidy(full - inside * Decimal(share))
    opening = pick(
        rng,
        f"连{vessel}称，一{vessel}{noun}是{full}千克，{used}{noun}的{share}，再称连{vessel}是{rest}千克",
        f"一{vessel}{noun}，连{vessel}称重{full}千克，{used}{noun}的{share}以后，再连{vessel}称，重{rest}千克",
        f"{who}有一{vessel}{noun}，连{vessel}重{full}千克，{used}其中{noun}的{share}后，连{vessel}还剩{rest}千克",
    )
    if rng.random() < 0.5:
        return Story(f"{opening}，{vessel}里原来有{noun}多少千克？", f"({full}-{rest})/{share}", AnswerForm.AMOUNT)
    return Story(f"{opening}，空{vessel}重多少千克？", f"{full}-({full}-{rest})/{share}", AnswerForm.AMOUNT)


def shadow(rng: Random) -> Story:
    pole, cast, hour = pick(rng, 2, 3, 4, 5), whole(rng, 5, 15), whole(rng, 2, 4)
    short = tidy(pole * pick(rng, Decimal("0.5"), Decimal("0.6"), Decimal("0.8"), Decimal("1.2")))
    tall = pick(rng, "棵大树", "座水塔", "幢楼房", "座宝塔", "根电线杆")
    texts = (
        f"在同一时间、同一地点，一根{pole}米长的竹竿影长{short}米，一{tall}的影长是{cast}米，这{tall}高多少米？",
        f"{child(rng)}量得一根长{pole}米的竹竿的影子长{short}米，同时量得一{tall}的影子长{cast}米，这{tall}的高度是多少米？",
        f"下午{hour}时，直立的标杆高{pole}米，影长{short}米，这时一{tall}的影长{cast}米，这{tall}高多少米？",
    )
    return told(rng, texts, (f"{pole}/{short}*{cast}",), AnswerForm.AMOUNT)


def spring(rng: Random) -> Story:
    long, load, grow = whole(rng, 8, 20), whole(rng, 3, 12), Decimal(whole(rng, 2, 9)) / 10
    stretched, who = tidy(long + load * grow), child(rng)
    thing, m = pick(rng, ("铁块", "个"), ("苹果", "袋"), ("书", "捆"), ("钩码", "组"))
    longer = (
        f"一根弹簧原长{long}厘米，每挂重1千克的物体，弹簧就伸长{grow}厘米，挂上一{m}{load}千克的{thing}后，弹簧长多少厘米？",
        f"{who}做实验，一根弹簧长{long}厘米，每增加1千克的重物弹簧伸长{grow}厘米，挂{load}千克重物时弹簧的长度是多少厘米？",
    )
    heavy = (
        f"一根弹簧原长{long}厘米，每挂1千克的物体伸长{grow}厘米，挂上一{m}{thing}后弹簧长{stretched}厘米，这{m}{thing}重多少千克？",
        f"{who}有一根不挂物体时长{long}厘米的弹簧，每挂1千克物体伸长{grow}厘米，现在挂上一{m}{thing}，弹簧长{stretched}厘米，{thing}重多少千克？",
    )
    if rng.random() < 0.6:
        return told(rng, longer, (f"{long}+{grow}*{load}",), AnswerForm.AMOUNT)
    return told(rng, heavy, (f"({stretched}-{long})/{grow}",))


def gears(rng: Random) -> Story:
    who = pick(rng, *WORKERS)
    big, small, turns = whole(rng, 40, 90, 2), whole(rng, 16, 36, 2), whole(rng, 20, 120, 4)
    machine = pick(rng, "一台机器", "一台机床", "一架纺纱机", "一台卷扬机", "一台印刷机")
    texts = (
        f"{machine}上有两个互相咬合的齿轮，大齿轮有{big}个齿，每分钟转{turns}圈，小齿轮有{small}个齿，小齿轮每分钟转多少圈？",
        f"{machine}上大、小两个齿轮互相咬合，大齿轮{big}个齿，小齿轮{small}个齿，大齿轮每分钟转{turns}转，小齿轮每分钟转多少转？",
        f"{who}修理{machine}，上面有一对咬合的齿轮，大齿轮有{big}个齿，小齿轮有{small}个齿．当大齿轮转{turns}圈时，小齿轮转多少圈？",
    )
    return told(rng, texts, (f"{big}*{turns}/{small}",))


def tagged_fish(rng: Random) -> Story:
    tagged, again, found = whole(rng, 40, 200, 20), whole(rng, 60, 240, 20), pick(rng, 4, 5, 6, 8, 10)
    pond, who = pick(rng, "鱼塘", "水库", "池塘", "湖"), pick(rng, "养鱼专业户", "科研人员", "渔场", *FARMERS)
    texts = (
        f"为了估计{pond}里有多少条鱼，{who}先捞出{tagged}条做上记号放回，过几天再捞出{again}条，其中有记号的有{found}条，{pond}里大约有鱼多少条？",
        f"{who}从{pond}里捕捞{tagged}条鱼，做上标记后放回．一段时间后又捕捞{again}条，发现带标记的有{found}条，估计{pond}里共有鱼多少条？",
        f"{who}在{pond}里捕了{tagged}条鱼，做上记号放回，几天后又捕了{again}条，其中带记号的鱼有{found}条，{pond}里大约有多少条鱼？",
    )
    return told(rng, texts, (f"{tagged}*{again}/{found}",))


SITUATIONS = situations(sweets, oil_drum, shadow, spring, gears, tagged_fish)
