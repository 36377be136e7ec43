"""At school: averages, missing scores, buses, seats, books, collections, trees in a row."""

from random import Random

from tools.sample.quantity import whole
from tools.sample.story import AnswerForm, Story, pick, situations, told, two
from tools.sample.words import SCHOOLS, child, school, school_class


def average(rng: Random) -> Story:
    a, b, c, d = rng.sample(range(78, 100), 4)
    p, q, r = rng.sample(range(26, 60), 3)
    who = child(rng)
    jumps = (
        f"跳绳比赛中，{who}所在小组4名同学一分钟分别跳了{a}下、{b}下、{c}下和{d}下，平均每人跳多少下？",
        f"{school_class(rng)}图书角有4层书架，分别放了{a}本、{b}本、{c}本和{d}本书，平均每层放多少本？",
    )
    three = (
        f"{who}前3次数学测验的成绩分别是{a}分、{b}分和{c}分，这3次测验的平均成绩是多少分？",
        f"期末考试{who}语文得了{a}分，数学得了{b}分，英语得了{c}分，3门功课的平均分是多少？",
    )
    counts = (
        f"四年级3个班参加植树，一班植了{p}棵，二班植了{q}棵，三班植了{r}棵，平均每个班植树多少棵？",
        f"{who}看一本书，3天分别看了{p}页、{q}页和{r}页，平均每天看多少页？",
        f"书店元旦放假3天，分别卖出故事书{p}本、{q}本和{r}本，平均每天卖出多少本？",
    )
    four = (
        f"{who}参加歌唱比赛，4位评委给出的分数是{a}分、{b}分、{c}分和{d}分，{who}的平均得分是多少？",
        f"{who}第一学期4次数学单元测验的成绩是{a}分、{b}分、{c}分和{d}分，平均成绩是多少分？",
    )
    return pick(
        rng,
        told(rng, three, (f"({a}+{b}+{c})/3",), AnswerForm.AMOUNT),
        told(rng, counts, (f"({p}+{q}+{r})/3",)),
        told(rng, four, (f"({a}+{b}+{c}+{d})/4",), AnswerForm.AMOUNT),
        told(rng, jumps, (f"({a}+{b}+{c}+{d})/4",)),
    )


def missing_score(rng: Random) -> Story:
    who, (a, b) = child(rng), two(rng, range(82, 99))
    mean, n = (a + b + whole(rng, 82, 99)) // 3, whole(rng, 3, 6)
    before = mean - whole(rng, 1, 3)
    three = (
        f"{who}语文、数学、英语3科的平均成绩是{mean}分，其中语文{a}分，英语{b}分，数学考了多少分？",
        f"{who}3次测验的平均分是{mean}分，前两次分别得了{a}分和{b}分，第三次得了多少分？",
    )
    next_one = (
        f"{who}前{n}次数学测验的平均成绩是{before}分，要使{n + 1}次测验的平均成绩达到{mean}分，下一次要考多少分？",
        f"{who}前{n}次测验的平均分是{before}分，{n + 1}次测验的平均分是{mean}分，最后一次得了多少分？",
    )
    if rng.random() < 0.5 and mean * (n + 1) - before * n <= 100:
        return told(rng, next_one, (f"{mean}*{n + 1}-{before}*{n}",))
    return told(rng, three, (f"{mean}*3-{a}-{b}", f"{mean}*3-({a}+{b})"))


def joint_average(rng: Random) -> Story:
    m, n, a, b = *rng.sample(range(3, 9), 2), *rng.sample(range(20, 50), 2)
    boys, girls, p, q = *rng.sample(range(18, 28), 2), *rng.sample(range(84, 96), 2)
    texts = (
        f"一台抽水机前{m}小时每小时抽水{a}吨，后{n}小时每小时抽水{b}吨，这台抽水机平均每小时抽水多少吨？",
        f"{child(rng)}看一本书，前{m}天每天看{a}页，后{n}天每天看{b}页，平均每天看多少页？",
        f"修路队修一条路，前{m}天每天修{a}米，后{n}天每天修{b}米，平均每天修路多少米？",
        f"{child(rng)}练习写毛笔字，前{m}天每天写{a}个，后{n}天每天写{b}个，平均每天写多少个字？",
    )
    exam = (
        f"一次测验，{school_class(rng)}{boys}名男生的平均分是{p}分，{girls}名女生的平均分是{q}分，全班的平均分是多少？",
        f"一次英语测验，男生有{boys}人，平均分是{p}分，女生有{girls}人，平均分是{q}分，全班的平均分是多少？",
    )
    days = (f"({a}*{m}+{b}*{n})/({m}+{n})", f"({m}*{a}+{n}*{b})/({m}+{n})")
    if rng.random() < 0.3:
        return told(rng, exam, (f"({p}*{boys}+{q}*{girls})/({boys}+{girls})",), AnswerForm.AMOUNT)
    return told(rng, texts, days, AnswerForm.AMOUNT)


def buses(rng: Random) -> Story:
    each, count, few = pick(rng, 35, 40, 42, 45, 48, 50), whole(rng, 3, 9), whole(rng, 8, 24)
    people, grade = each * count, pick(rng, "四年级", "五年级", "六年级")
    museum = pick(rng, "科技馆", "博物馆", "植物园", "动物园", "天文馆", "海洋馆")
    a, pupils, classes = people // 2 - whole(rng, 2, people // 12), people - few, whole(rng, 2, 6)
    girls = people - a
    ride = (
        f"{school(rng)}组织秋游，有{pupils}名学生和{few}名老师参加，每辆车坐{each}人，需要多少辆车？",
        f"{grade}{classes}个班共有{pupils}名学生，加上{few}名老师去{museum}游览，每辆客车坐{each}人，需要多少辆客车？",
        f"{grade}有{pupils}名同学和{few}名老师去参观{museum}，租用限乘{each}人的客车，至少要租多少辆？",
    )
    groups = (
        f"{grade}有男生{a}人，女生{girls}人，每{each}人编成一个方队参加运动会，可以编成多少个方队？",
        f"{grade}男生有{a}人，女生有{girls}人，他们一起去{museum}，每辆客车坐{each}人，要租几辆客车？",
    )
    if rng.random() < 0.5:
        return told(rng, ride, (f"({pupils}+{few})/{each}",))
    return told(rng, groups, (f"({a}+{girls})/{each}",))


def seats(rng: Random) -> Story:
    rows, each, front, wide = whole(rng, 18, 32), whole(rng, 20, 36), whole(rng, 6, 12), whole(rng, 24, 40)
    taken, hall = whole(rng, rows * each // 2, rows * each - 20), pick(rng, "礼堂", "剧场", "音乐厅", "大会堂")
    free = (
        f"一个{hall}有{rows}排座位，每排{each}个，{school(rng)}有{taken}名师生来看演出，还空着多少个座位？",
        f"电影院{whole(rng, 2, 9)}号厅有{rows}排座位，每排可坐{each}人，已经坐了{taken}人，还可以坐多少人？",
        f"{school(rng)}组织{taken}名学生去{hall}看演出，{hall}里有{rows}排座位，每排{each}个，还剩多少个空座位？",
    )
    floors = (
        f"一个{hall}楼下有{rows}排座位，每排{each}个，楼上有{front}排，每排{wide}个，一共有多少个座位？",
        f"{school(rng)}的{hall}后区有{rows}排座位，每排{each}个，前区有{front}排座位，每排{wide}个，共有座位多少个？",
    )
    if rng.random() < 0.6:
        return told(rng, free, (f"{rows}*{each}-{taken}", f"{each}*{rows}-{taken}"))
    return told(rng, floors, (f"{rows}*{each}+{front}*{wide}", f"{each}*{rows}+{wide}*{front}"))


def reading(rng: Random) -> Story:
    who, a, n, rest = child(rng), whole(rng, 12, 30), whole(rng, 4, 9), whole(rng, 3, 8)
    b = a + whole(rng, 2, 10)
    pages = a * n + b * rest
    book = pick(rng, "一本故事书", "一本科技书", "一本儿童版《西游记》", "一本童话书", "一本小说")
    total = (
        f"{who}看{book}，前{n}天每天看{a}页，后{rest}天每天看{b}页，正好看完，这本书共有多少页？",
        f"{who}读{book}，开始每天读{a}页，读了{n}天，以后每天读{b}页，又读了{rest}天才读完，这本书有多少页？",
    )
    days = (
        f"{who}看{book}，共{pages}页，前{n}天每天看{a}页，以后每天看{b}页，还要多少天才能看完？",
        f"{book}有{pages}页，{who}已经看了{n}天，每天看{a}页，剩下的每天看{b}页，还要几天看完？",
    )
    pace = (
        f"{who}看{book}，每天看{a}页，{b}天可以看完，如果每天多看{rest}页，多少天可以看完？",
        f"{book}，{who}每天读{a}页，{b}天读完，现在想每天多读{rest}页，几天可以读完？",
    )
    left = (
        f"{who}看{book}，共有{pages}页，每天看{a}页，看了{n}天，还剩多少页没有看？",
        f"{book}有{pages}页，{who}每天看{a}页，{n}天后还剩多少页？",
        f"一套童话书有{whole(rng, 3, 8)}册，第一册共{pages}页，{who}每天看{a}页，看了{n}天，第一册还剩多少页没有看？",
    )
    return pick(
        rng,
        told(rng, total, (f"{a}*{n}+{b}*{rest}",)),
        told(rng, days, (f"({pages}-{a}*{n})/{b}",)),
        told(rng, pace, (f"{a}*{b}/({a}+{rest})",)),
        told(rng, left, (f"{pages}-{a}*{n}", f"{pages}-{n}*{a}")),
    )


def collections(rng: Random) -> Story:
    a, more, less, (one, other) = whole(rng, 35, 120), whole(rng, 8, 40), whole(rng, 5, 30), two(rng, SCHOOLS)
    thing, m = pick(rng, ("易拉罐", "个"), ("废电池", "节"), ("塑料瓶", "个"), ("废纸", "千克"), ("矿泉水瓶", "个"))
    day = pick(rng, "4月22日", "6月5日")
    three = (
        f"四年级收集了{a}{m}{thing}，五年级比四年级多收集{more}{m}，六年级比五年级少收集{less}{m}，六年级收集了多少{m}{thing}？",
        f"{day}的环保活动中，一班收集{thing}{a}{m}，二班比一班多收集{more}{m}，三班又比二班少收集{less}{m}，三班收集{thing}多少{m}？",
    )
    both = (
        f"{one}收集了{a}{m}{thing}，{other}比{one}多收集{more}{m}，两所学校一共收集了多少{m}{thing}？",
        f"五年级收集{thing}{a}{m}，六年级比五年级多收集{more}{m}，两个年级共收集{thing}多少{m}？",
    )
    if rng.random() < 0.5:
        return told(rng, three, (f"{a}+{more}-{less}",))
    return told(rng, both, (f"{a}+{more}+{a}", f"{a}+({a}+{more})"))


def tree_row(rng: Random) -> Story:
    gap, n, tree = pick(rng, 3, 4, 5, 6, 8), whole(rng, 12, 60), pick(rng, "杨树", "柳树", "梧桐树", "樟树", "松树")
    long = gap * (n - 1)
    where = pick(rng, "一条公路的一边", "一条小路的一旁", "河堤的一侧", "校园里一条小路的一边")
    length = (
        f"在{where}种{tree}，每隔{gap}米种一棵（两端都种），一共种了{n}棵，这段路长多少米？",
        f"同学们在{where}植树，每两棵树之间相距{gap}米，从头到尾共种了{n}棵，两端都种，第一棵和最后一棵相距多少米？",
    )
    count = (
        f"在{where}每隔{gap}米种一棵{tree}，这段路长{long}米，两端都要种，一共要种多少棵？",
        f"3月12日，同学们在一条长{long}米的小路一边植树，每隔{gap}米种一棵，两端都种，一共要种多少棵？",
        f"园林工人沿着一段长{long}米的路的一边植树，每隔{gap}米种一棵，两端都种，共需多少棵树苗？",
    )
    round_pond = (
        f"一个圆形池塘的周长是{gap * n}米，沿着池塘边每隔{gap}米种一棵{tree}，一共要种多少棵？",
        f"在周长{gap * n}米的湖边每隔{gap}米种一棵{tree}，一共可以种多少棵？",
    )
    space = (
        f"在一条长{long}米的路的一边种了{n}棵{tree}，两端都种，相邻两棵{tree}之间的距离都相等，每两棵之间相距多少米？",
        f"公路的一边从头到尾栽了{n}棵{tree}，全长{long}米，相邻两棵的距离相等，求相邻两棵{tree}之间的距离．",
    )
    return pick(
        rng,
        told(rng, length, (f"({n}-1)*{gap}", f"{gap}*({n}-1)")),
        told(rng, count, (f"{long}/{gap}+1",)),
        told(rng, round_pond, (f"{gap * n}/{gap}",)),
        told(rng, space, (f"{long}/({n}-1)",)),
    )


SITUATIONS = situations(average, missing_score, joint_average, buses, seats, reading, collections, tree_row)
