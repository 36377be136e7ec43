"""Work and its pace: together, taking over, plan and practice, the same rate, what is left to do."""

from random import Random

from tools.sample.quantity import whole
from tools.sample.story import AnswerForm, Story, pick, situations, told, two
from tools.sample.words import WORKERS

PRODUCTS = (
    ("缝纫机厂", "缝纫机", "台"),
    ("服装厂", "校服", "套"),
    ("玩具厂", "玩具", "件"),
    ("自行车厂", "自行车", "辆"),
    ("家具厂", "课桌", "张"),
    ("电子厂", "收音机", "台"),
    ("鞋厂", "皮鞋", "双"),
)


def together(rng: Random) -> Story:
    a, b = two(rng, (4, 5, 6, 8, 9, 10, 12, 15, 16, 18, 20, 24, 30, 36))
    who, other = two(rng, WORKERS)
    days = (
        f"一项工程，甲队单独做{a}天完成，乙队单独做{b}天完成，两队合作几天可以完成？",
        f"修一段公路，甲队单独修要{a}天，乙队单独修要{b}天，两队合修需要多少天？",
        f"加工一批零件，{who}单独做需要{a}小时，{other}单独做需要{b}小时，两人合作多少小时可以完成？",
        f"一池水，单开甲管{a}小时可以注满，单开乙管{b}小时可以注满，两管齐开多少小时可以注满？",
        f"打一份稿件，甲单独打要{a}小时，乙单独打要{b}小时，两人合打几小时可以打完？",
    )
    shares = (
        f"修一条路，甲队每天修全长的(1/{a})，乙队每天修全长的(1/{b})，两队合修多少天可以修完？",
        f"加工一批零件，{who}每天完成总数的(1/{a})，{other}每天完成总数的(1/{b})，两人合作几天完成？",
        f"一个水池装有甲、乙两根水管，甲管每小时注满水池的(1/{a})，乙管每小时注满水池的(1/{b})，两管同时打开，多少小时可以注满水池？",
    )
    if rng.random() < 0.35:
        return told(rng, shares, (f"1/((1/{a})+(1/{b}))",), AnswerForm.AMOUNT)
    return told(rng, days, (f"1/(1/{a}+1/{b})", f"1/(1/{a}+1/{b})", f"{a}*{b}/({a}+{b})"), AnswerForm.AMOUNT)


def taking_over(rng: Random) -> Story:
    a, b = two(rng, (8, 10, 12, 15, 16, 18, 20, 24, 25, 30))
    t, job = whole(rng, 2, a // 2), pick(rng, "修一条水渠", "修一段公路", "修一段河堤", "修一条小路")
    who, other = two(rng, WORKERS)
    texts = (
        f"一项工程，甲队单独做{a}天完成，乙队单独做{b}天完成．甲队先做{t}天，剩下的由乙队单独做，还要多少天完成？",
        f"一批零件，{who}单独加工要{a}小时，{other}单独加工要{b}小时，{who}先加工{t}小时，余下的由{other}加工，还需要几小时？",
        f"打一份稿件，甲单独打{a}小时打完，乙单独打{b}小时打完．甲打了{t}小时后有事离开，剩下的由乙打，乙还要打多少小时？",
        f"{job}，甲队单独修{a}天修完，乙队单独修{b}天修完．甲队修了{t}天后被调走，余下的由乙队修，乙队修完还要多少天？",
    )
    return told(rng, texts, (f"(1-1/{a}*{t})*{b}", f"(1-{t}/{a})*{b}"), AnswerForm.AMOUNT)


def ahead_of_plan(rng: Random) -> Story:
    factory, noun, m = pick(rng, *PRODUCTS)
    plan, days, faster = whole(rng, 20, 80, 5), whole(rng, 10, 24), pick(rng, 5, 8, 10, 12, 15, 20)
    real = plan + faster
    fewer = days - whole(rng, 2, 5)
    time = (
        f"{factory}生产一批{noun}，原计划每天生产{plan}{m}，{days}天完成，实际每天多生产{faster}{m}，实际多少天完成？",
        f"{factory}要生产一批{noun}，计划每天生产{plan}{m}，{days}天可以完成．实际每天比计划多生产{faster}{m}，实际用了多少天？",
    )
    sooner = (
        f"{factory}生产一批{noun}，计划每天生产{plan}{m}，{days}天完成，实际每天生产{real}{m}，可以提前几天完成任务？",
        f"{factory}计划{days}天生产一批{noun}，每天生产{plan}{m}，实际每天生产了{real}{m}，实际比计划提前多少天完成？",
    )
    more = (
        f"{factory}生产一批{noun}，原计划每天生产{plan}{m}，{days}天完成，实际只用了{fewer}天，实际每天比原计划多生产多少{m}？",
        f"一批{noun}，{factory}计划每天生产{plan}{m}，{days}天完成，结果{fewer}天就完成了任务，实际每天多生产多少{m}？",
    )
    return pick(
        rng,
        told(rng, time, (f"{plan}*{days}/({plan}+{faster})",)),
        told(rng, sooner, (f"{days}-{plan}*{days}/{real}",)),
        told(rng, more, (f"{plan}*{days}/{fewer}-{plan}",)),
    )


# Who, in what unit of time, does what, measured in what.
TASKS = (
    ("台拖拉机", "小时", "耕地", "公顷"),
    ("台收割机", "小时", "收割小麦", "亩"),
    ("名工人", "小时", "加工零件", "个"),
    ("台织布机", "小时", "织布", "米"),
    ("台抽水机", "小时", "抽水", "吨"),
    ("台磨面机", "小时", "磨面粉", "千克"),
    ("名女工", "小时", "绣手帕", "块"),
    ("台包装机", "分钟", "包装糖果", "袋"),
    ("台复印机", "分钟", "复印试卷", "份"),
)


def same_rate(rng: Random) -> Story:
    (who, time, verb, unit), each = pick(rng, *TASKS), whole(rng, 3, 15)
    n, t = whole(rng, 2, 8), whole(rng, 9, 20)
    made, more = each * n, each * t
    simple = (
        f"一{who}工作{n}{time}，{verb}{made}{unit}，照这样计算，{t}{time}可以{verb}多少{unit}？",
        f"{n}{time}里一{who}{verb}{made}{unit}，照这样的速度，{t}{time}能{verb}多少{unit}？",
    )
    wait = (
        f"一{who}{n}{time}{verb}{made}{unit}，照这样计算，{verb}{more}{unit}需要多少{time}？",
        f"一{who}{n}{time}可以{verb}{made}{unit}，用同样的速度{verb}{more}{unit}，要用多少{time}？",
    )
    return pick(
        rng,
        told(rng, simple, (f"{made}/{n}*{t}", f"{made}/{n}*{t}", f"{made}*{t}/{n}")),
        told(rng, wait, (f"{more}/({made}/{n})", f"{more}/{made}*{n}")),
    )


def double_rate(rng: Random) -> Story:
    (who, time, verb, unit), rate = pick(rng, *TASKS), whole(rng, 2, 12)
    m, n, p, q = rng.sample((2, 3, 4, 5, 6, 7, 8, 9), 4)
    made, more = rate * m * n, rate * p * q
    texts = (
        f"{m}{who}{n}{time}{verb}{made}{unit}，照这样计算，{p}{who}{q}{time}可以{verb}多少{unit}？",
        f"{n}{time}里{m}{who}可以{verb}{made}{unit}，照这样的速度，{p}{who}{q}{time}能{verb}多少{unit}？",
        f"{m}{who}{n}{time}可以{verb}{made}{unit}，如果有{p}{who}，{q}{time}可以{verb}多少{unit}？",
    )
    need = (
        f"{m}{who}{n}{time}{verb}{made}{unit}，照这样计算，{p}{who}{verb}{more}{unit}需要多少{time}？",
        f"{m}{who}{n}{time}可以{verb}{made}{unit}，如果有{p}{who}，{verb}{more}{unit}要用几{time}？",
    )
    if rng.random() < 0.65:
        return told(rng, texts, (f"{made}/{m}/{n}*{p}*{q}", f"{made}/({m}*{n})*({p}*{q})", f"{made}/{m}/{n}*({p}*{q})"))
    return told(rng, need, (f"{more}/({made}/{m}/{n}*{p})", f"{more}/({made}/{m}/{n})/{p}"))


def left_to_do(rng: Random) -> Story:
    (factory, noun, m), who, men = pick(rng, *PRODUCTS), pick(rng, *WORKERS), whole(rng, 12, 30)
    a, days, rest, more = whole(rng, 20, 60), whole(rng, 4, 12), whole(rng, 3, 10), whole(rng, 30, 80)
    total, team, road = (
        a * days + more * rest,
        pick(rng, "修路队", "工程队", "施工队"),
        pick(rng, "公路", "水渠", "围墙"),
    )
    pace = (
        f"{who}所在的{factory}要生产{total}{m}{noun}，前{days}天平均每天生产{a}{m}，剩下的要在{rest}天内完成，平均每天应生产多少{m}？",
        f"{team}承修一条{total}米长的{road}，头{days}天每天修{a}米，其余的准备用{rest}天修完，以后平均每天修多少米？",
    )
    time = (
        f"{factory}要生产{total}{m}{noun}，已经生产了{days}天，平均每天生产{a}{m}，余下的每天生产{more}{m}，还要多少天才能完成？",
        f"{team}有{men}名工人，要修一条长{total}米的{road}，前{days}天每天修{a}米，以后每天修{more}米，还要多少天才能修完？",
        f"{who}要加工{total}个零件，已经加工了{days}小时，每小时加工{a}个，剩下的每小时加工{more}个，还需要几小时？",
    )
    if rng.random() < 0.5:
        return told(rng, pace, (f"({total}-{a}*{days})/{rest}", f"({total}-{days}*{a})/{rest}"))
    return told(rng, time, (f"({total}-{a}*{days})/{more}", f"({total}-{days}*{a})/{more}"))


def two_hands(rng: Random) -> Story:
    (who, other), (factory, noun, m) = two(rng, WORKERS), pick(rng, *PRODUCTS)
    a, b, t, rest = whole(rng, 18, 45), whole(rng, 15, 40), whole(rng, 4, 15), whole(rng, 10, 60, 2)
    made = (a + b) * t
    all_ = made + rest
    total = (
        f"{who}每小时加工{a}个零件，{other}每小时加工{b}个零件，两人合作{t}小时，一共加工多少个零件？",
        f"{factory}有两个车间生产{noun}，一车间每天生产{a}{m}，二车间每天生产{b}{m}，{t}天一共生产{noun}多少{m}？",
    )
    time = (
        f"{who}和{other}共同加工{made}个零件，{who}每小时加工{a}个，{other}每小时加工{b}个，多少小时可以完成？",
        f"甲、乙两队同时从两端开凿一条长{made}米的隧道，甲队每天开凿{a}米，乙队每天开凿{b}米，几天可以凿通？",
    )
    pace = (
        f"{who}和{other}共同加工{all_}个零件，合作{t}小时后还剩{rest}个没有加工，{who}每小时加工{a}个，{other}每小时加工多少个？",
        f"甲、乙两队合修一条长{all_}米的路，合修{t}天后还剩{rest}米，甲队每天修{a}米，乙队每天修多少米？",
    )
    return pick(
        rng,
        told(rng, total, (f"({a}+{b})*{t}", f"{a}*{t}+{b}*{t}")),
        told(rng, time, (f"{made}/({a}+{b})",)),
        told(rng, pace, (f"({all_}-{rest})/{t}-{a}", f"({all_}-{rest}-{a}*{t})/{t}")),
    )


SITUATIONS = situations(together, taking_over, ahead_of_plan, same_rate, double_rate, left_to_do, two_hands)
