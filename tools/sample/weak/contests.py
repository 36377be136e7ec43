"""Points, shares and chances: quizzes, leftovers, groups that overlap, draws, a dog between two walkers, a snail."""

from random import Random

from tools.sample.quantity import whole
from tools.sample.story import AnswerForm, Story, pick, situations, told, two
from tools.sample.words import TEACHERS, child, school_class


def penalty(rng: Random) -> Story:
    who, total, plus, minus = child(rng), pick(rng, 20, 25, 30), pick(rng, 5, 8, 10), pick(rng, 2, 3, 4, 6)
    wrong = whole(rng, 2, 9)
    score = plus * total - (plus + minus) * wrong
    crates, fee, fine = whole(rng, 200, 800, 50), pick(rng, 2, 3, 4), whole(rng, 12, 30, 2)
    broken = whole(rng, 3, 15)
    income = fee * crates - (fee + fine) * broken
    right = (
        f"数学竞赛共有{total}道题，做对一道得{plus}分，做错或不做一道扣{minus}分，{who}得了{score}分，{who}做错或没做的有多少道？",
        f"一次知识抢答赛有{total}道题，答对一题得{plus}分，答错一题倒扣{minus}分，{who}答完了所有的题，得了{score}分，{who}答错了几道题？",
    )
    glass = (
        f"运输公司运送{crates}个玻璃瓶，每个运费{fee}元，如果打碎一个，不但不给运费，还要赔{fine}元，结果共得运费{income}元，打碎了多少个玻璃瓶？",
        f"搬运工搬运{crates}只花瓶，每搬一只得{fee}元，打碎一只不但没有报酬，还要赔偿{fine}元，最后得到{income}元，打碎了多少只花瓶？",
    )
    if rng.random() < 0.6:
        return told(rng, right, (f"({plus}*{total}-{score})/({plus}+{minus})",))
    return told(rng, glass, (f"({fee}*{crates}-{income})/({fee}+{fine})",))


def leftovers(rng: Random) -> Story:
    people, few = whole(rng, 8, 20), whole(rng, 3, 8)
    many = few + pick(rng, 1, 2, 3)
    who = pick(rng, *TEACHERS)
    over = whole(rng, 2, max(3, (many - few) * people - 2))
    short = (many - few) * people - over
    thing, m = pick(rng, ("糖果", "颗"), ("苹果", "个"), ("练习本", "本"), ("铅笔", "支"), ("饼干", "块"))
    heads = (
        f"{who}把一些{thing}分给小朋友，如果每人分{few}{m}，多{over}{m}；如果每人分{many}{m}，少{short}{m}．有多少个小朋友？",
        f"把一批{thing}奖给三好学生，每人{few}{m}多{over}{m}，每人{many}{m}少{short}{m}，三好学生有多少人？",
    )
    things = (
        f"幼儿园阿姨给小朋友分{thing}，每人分{few}{m}还剩{over}{m}，每人分{many}{m}还差{short}{m}，一共有{thing}多少{m}？",
        f"{child(rng)}和同学们分一些{thing}，每人{few}{m}则多出{over}{m}，每人{many}{m}则缺少{short}{m}，这些{thing}共有多少{m}？",
    )
    if rng.random() < 0.6:
        return told(rng, heads, (f"({over}+{short})/({many}-{few})",))
    return told(rng, things, (f"({over}+{short})/({many}-{few})*{few}+{over}",))


def overlap(rng: Random) -> Story:
    clean, all_ = school_class(rng), whole(rng, 42, 56)
    (a, b), both = two(rng, range(18, 32)), whole(rng, 3, 14)
    x, y = two(rng, ("语文", "数学", "美术", "音乐", "书法", "体育"))
    either = (
        f"{clean}参加{x}小组的有{a}人，参加{y}小组的有{b}人，两个小组都参加的有{both}人，参加这两个小组的一共有多少人？",
        f"{clean}每人至少订了一种报纸，订《少年报》的有{a}人，订《数学报》的有{b}人，两种都订的有{both}人，全班共有多少人？",
    )
    neither = (
        f"{clean}有{all_}人，参加{x}小组的有{a}人，参加{y}小组的有{b}人，两个小组都参加的有{both}人，两个小组都没参加的有多少人？",
        f"某班共有{all_}人，会打乒乓球的有{a}人，会打羽毛球的有{b}人，两样都会的有{both}人，两样都不会的有多少人？",
    )
    if rng.random() < 0.5:
        return told(rng, either, (f"{a}+{b}-{both}",))
    return told(rng, neither, (f"{all_}-({a}+{b}-{both})",))


def draws(rng: Random) -> Story:
    red, white, yellow = rng.sample(range(2, 13), 3)
    first, second, third = pick(rng, ("红", "白", "黄"), ("黑", "白", "红"), ("蓝", "黄", "绿"))
    two_kinds = (
        f"盒子里有{red}个{first}球和{white}个{second}球，它们的大小完全相同，任意摸出一个球，摸到{first}球的可能性是多少？",
        f"口袋里装有{red}个{first}球和{white}个{second}球，{child(rng)}从中任意摸一个，摸到{first}球的可能性是几分之几？",
    )
    three_kinds = (
        f"一个布袋里装着{red}个{first}球、{white}个{second}球和{yellow}个{third}球，从中任意摸出一个球，摸出{first}球的可能性是多少？",
        f"转盘上有{red}个{first}色格、{white}个{second}色格和{yellow}个{third}色格，每格大小相同，转动一次，指针停在{first}色格的可能性是几分之几？",
    )
    if rng.random() < 0.5:
        return told(rng, two_kinds, (f"{red}/({red}+{white})",), AnswerForm.FRACTION)
    return told(rng, three_kinds, (f"{red}/({red}+{white}+{yellow})",), AnswerForm.FRACTION)


def running_dog(rng: Random) -> Story:
    (who, other), a, b = two(rng, ("小明", "小华", "小刚", "小军", "小丽", "小红")), *two(rng, range(55, 80, 5))
    dog, pigeon, t = whole(rng, 150, 260, 10), whole(rng, 300, 520, 20), whole(rng, 5, 15)
    road = (a + b) * t
    texts = (
        f"{who}和{other}从相距{road}米的两地同时出发，相向而行，{who}每分钟走{a}米，{other}每分钟走{b}米．{who}带着一只小狗同时出发，小狗每分钟跑{dog}米，遇到{other}就往回跑，遇到{who}再往前跑，直到两人相遇，小狗一共跑了多少米？",
        f"{who}家和{other}家相距{road}米，两人同时从家出发相对走来，{who}每分钟走{a}米，{other}每分钟走{b}米，一只小狗以每分钟{dog}米的速度在两人之间来回跑，两人相遇时小狗跑了多少米？",
        f"甲、乙两人从相距{road}米的两地同时相向而行，甲每分钟走{a}米，乙每分钟走{b}米，一只信鸽以每分钟{pigeon}米的速度与甲同时出发，不停地在两人之间往返飞行，到两人相遇时，信鸽共飞了多少米？",
    )
    return pick(
        rng,
        told(rng, texts[:2], (f"{road}/({a}+{b})*{dog}",)),
        Story(texts[2], f"{road}/({a}+{b})*{pigeon}"),
    )


def snail(rng: Random) -> Story:
    up, days = whole(rng, 3, 8), whole(rng, 4, 12)
    down = whole(rng, 2, up - 1)
    far = up + (up - down) * (days - 1)
    diver, verb = pick(rng, ("蜗牛", "爬"), ("青蛙", "跳"))
    climber, thing = pick(rng, "蜗牛", "毛毛虫", "蚂蚁"), pick(rng, "棵小树", "根木杆", "面墙", "根竹竿")
    texts = (
        f"一只{diver}从{far}米深的井底往上{verb}，白天{verb}上{up}米，夜里又滑下{down}米，它第几天能到井口？",
        f"一口井深{far}米，一只{diver}白天向上{verb}{up}米，晚上向下滑{down}米，这只{diver}到井口要多少天？",
        f"一{thing}高{far}分米，一只{climber}从底部往上爬，白天爬{up}分米，夜间下滑{down}分米，几天能到顶部？",
        f"{child(rng)}观察一只{climber}沿着一{thing}往上爬，从底部到顶部有{far}分米，每天白天上升{up}分米，夜里下滑{down}分米，它第几天到顶？",
    )
    return told(rng, texts, (f"({far}-{up})/({up}-{down})+1",))


SITUATIONS = situations(penalty, leftovers, overlap, draws, running_dog, snail)
