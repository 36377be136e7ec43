"""Counting gaps: sawing, climbing stairs, striking clocks, queues."""

from decimal import Decimal
from random import Random

from tools.sample.quantity import whole
from tools.sample.story import AnswerForm, Story, pick, situations, told, two
from tools.sample.words import WORKERS, child


def sawing(rng: Random) -> Story:
    who, pieces, cut = pick(rng, *WORKERS), whole(rng, 4, 12), whole(rng, 2, 9)
    few, many = pick(rng, (3, 7), (4, 8), (4, 10), (5, 9), (5, 12), (6, 10), (3, 6))
    spent, log = cut * (few - 1), pick(rng, "木头", "木料", "圆木", "竹竿", "钢管")
    time = (
        f"{who}把一根长{whole(rng, 10, 30)}米的{log}锯成{pieces}段，每锯一次要{cut}分钟，一共要用多少分钟？",
        f"一根长{whole(rng, 10, 30)}米的{log}要锯成{pieces}段，每锯一次用{cut}分钟，全部锯完需要多少分钟？",
        f"{who}把一根{log}锯成{pieces}段，锯断一次需要{cut}分钟，锯完一共要几分钟？",
    )
    again = (
        f"{who}锯{log}，锯成{few}段花了{spent}分钟，用同样的速度锯成{many}段要花多少分钟？",
        f"工人们把一根{log}锯成{few}段，共用{spent}分钟，若要锯成{many}段，共用多少分钟？",
    )
    if rng.random() < 0.6:
        return told(rng, time, (f"({pieces}-1)*{cut}",))
    return told(rng, again, (f"{spent}/({few}-1)*({many}-1)",))


def stairs(rng: Random) -> Story:
    who, floor, steps = child(rng), whole(rng, 4, 9), whole(rng, 16, 24)
    low, high = pick(rng, (3, 5), (3, 6), (4, 7), (5, 9), (4, 8), (3, 8))
    seconds = (low - 1) * whole(rng, 10, 25)
    climb = (
        f"{who}家住在{floor}楼，每上一层楼要走{steps}级台阶，从一楼走到家要走多少级台阶？",
        f"一幢楼房每层之间有{steps}级台阶，{who}从一楼走到{floor}楼，一共要上多少级台阶？",
        f"{who}住在{floor}楼，相邻两层楼之间有{steps}级楼梯，{who}从底楼回到家要走多少级楼梯？",
    )
    pace = (
        f"{who}从一楼走到{low}楼用了{seconds}秒，照这样的速度，从一楼走到{high}楼要用多少秒？",
        f"{who}上楼，从一楼到{low}楼要{seconds}秒，用同样的速度从一楼到{high}楼需要多少秒？",
    )
    if rng.random() < 0.6:
        return told(rng, climb, (f"({floor}-1)*{steps}",))
    return told(rng, pace, (f"{seconds}/({low}-1)*({high}-1)",))


def clock_strikes(rng: Random) -> Story:
    few, many = pick(rng, (3, 6), (4, 7), (5, 9), (4, 10), (5, 12), (6, 11), (3, 8), (4, 12), (5, 7))
    time = (few - 1) * pick(rng, 2, 3, 4)
    bell = pick(rng, "广场上的大钟", "钟楼上的大钟", "墙上的挂钟", "车站的大钟", "客厅的座钟", "教堂的钟", "学校的大钟")
    texts = (
        f"{bell}敲{few}下用了{time}秒，照这样，敲{many}下要用多少秒？",
        f"{bell}每到整点就报时，敲响{few}下要{time}秒，敲响{many}下要多少秒？",
        f"{bell}{time}秒敲了{few}下，每两下间隔的时间都相同，敲{many}下要用多少秒？",
    )
    return told(rng, texts, (f"{time}/({few}-1)*({many}-1)",))


def queue(rng: Random) -> Story:
    (who, other), front, back = (
        two(rng, ("小明", "小红", "小华", "小丽", "小军", "小芳", "小林")),
        whole(rng, 5, 18),
        whole(rng, 4, 20),
    )
    team = whole(rng, 30, 45)
    around = (
        f"同学们排队做操，{who}的前面有{front}人，后面有{back}人，这一队一共有多少人？",
        f"小朋友们排成一队去看电影，{who}前面有{front}个人，后面有{back}个人，这一队共有多少人？",
    )
    places = (
        f"同学们排成一队，从前往后数{who}排第{front}，从后往前数{who}排第{back}，这一队共有多少人？",
        f"做操时，从前面数{who}是第{front}个，从后面数{who}是第{back}个，这一列有多少人？",
    )
    rest = (
        f"一队有{team}人，从前往后数{who}排第{front}，从后往前数{who}排第几？",
        f"{team}名同学排成一排，从左边数{other}是第{front}个，从右边数{other}是第几个？",
    )
    return pick(
        rng,
        told(rng, around, (f"{front}+{back}+1",)),
        told(rng, places, (f"{front}+{back}-1",)),
        told(rng, rest, (f"{team}-{front}+1",)),
    )


def candle(rng: Random) -> Story:
    long, rate, time = whole(rng, 18, 30), Decimal(whole(rng, 2, 9)) / 10, whole(rng, 4, 12)
    left, who = long - whole(rng, 4, 14), child(rng)
    wax = pick(rng, "蜡烛", "红蜡烛", "白蜡烛", "粗蜡烛")
    burnt = (
        f"一支{wax}长{long}厘米，每分钟燃烧{rate}厘米，点燃{time}分钟后，还剩多少厘米？",
        f"停电了，{who}点燃一支{long}厘米长的{wax}，每分钟缩短{rate}厘米，{time}分钟后，这支{wax}还有多少厘米？",
    )
    wait = (
        f"一支{wax}长{long}厘米，点燃后每分钟烧去{rate}厘米，几分钟后这支{wax}还剩{left}厘米？",
        f"{who}点燃的一支{wax}原来长{long}厘米，现在还剩{left}厘米，每分钟燃烧{rate}厘米，它已经燃烧了多少分钟？",
    )
    if rng.random() < 0.6:
        return told(rng, burnt, (f"{long}-{rate}*{time}",), AnswerForm.AMOUNT)
    return told(rng, wait, (f"({long}-{left})/{rate}",))


SITUATIONS = situations(sawing, stairs, clock_strikes, queue, candle)
