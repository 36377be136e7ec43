"""Who and what the stories are about: names, places, and goods with their measure words and prices."""

from dataclasses import dataclass
from decimal import Decimal
from random import Random

CHILDREN = (
    "小明", "小红", "小华", "小丽", "小刚", "小军", "小芳", "小强", "小林", "小东", "小玲", "小亮",
    "明明", "亮亮", "乐乐", "丁丁", "欢欢", "芳芳", "李明", "王芳", "张华", "刘洋", "陈静", "赵亮",
    "王刚", "李红", "周涛", "孙悦", "方方", "小英",
)  # fmt: skip
ADULTS = (
    "王叔叔",
    "李叔叔",
    "张叔叔",
    "张阿姨",
    "李阿姨",
    "刘阿姨",
    "王老师",
    "李老师",
    "陈老师",
    "小明爸爸",
    "小红妈妈",
)
TEACHERS = ("王老师", "李老师", "张老师", "刘老师", "陈老师", "赵老师")
WORKERS = ("张师傅", "王师傅", "李师傅", "刘师傅", "赵师傅", "陈师傅")
FARMERS = ("王大伯", "李大爷", "张大叔", "刘爷爷", "陈伯伯", "赵大叔", "李伯伯")
SCHOOLS = ("红星小学", "实验小学", "育才小学", "光明小学", "向阳小学", "希望小学", "新华小学", "东风小学", "中心小学")
GRADES = ("三年级", "四年级", "五年级", "六年级")


@dataclass(frozen=True)
class Good:
    """Something sold by the piece, with a range of sensible prices in yuan."""

    noun: str
    measure: str
    low: int
    high: int

    def of(self, count: int) -> str:
        return f"{count}{self.measure}{self.noun}"

    @property
    def one(self) -> str:
        return f"一{self.measure}{self.noun}"

    @property
    def each(self) -> str:
        return f"每{self.measure}{self.noun}"

    def price(self, rng: Random, step: int = 1) -> int:
        return rng.randrange(self.low, self.high + 1, step)

    def odd_price(self, rng: Random) -> Decimal:
        """A price that is not always whole."""
        return Decimal(self.price(rng)) + rng.choice((Decimal(0), Decimal(0), Decimal("0.5"), Decimal("0.8")))


STATIONERY = (
    Good("钢笔", "支", 8, 24),
    Good("圆珠笔", "支", 2, 5),
    Good("笔记本", "本", 3, 9),
    Good("练习本", "本", 1, 3),
    Good("文具盒", "个", 9, 22),
    Good("水彩笔", "盒", 9, 25),
    Good("橡皮", "块", 1, 3),
    Good("三角尺", "副", 3, 7),
    Good("胶水", "瓶", 2, 5),
)
SPORTS = (
    Good("足球", "个", 45, 88),
    Good("篮球", "个", 55, 120),
    Good("排球", "个", 36, 72),
    Good("羽毛球拍", "副", 38, 90),
    Good("乒乓球拍", "副", 24, 60),
    Good("跳绳", "根", 5, 15),
)
CLOTHES = (
    Good("上衣", "件", 80, 260),
    Good("衬衫", "件", 60, 180),
    Good("毛衣", "件", 90, 280),
    Good("裤子", "条", 60, 200),
    Good("裙子", "条", 80, 240),
    Good("运动鞋", "双", 120, 360),
    Good("皮鞋", "双", 160, 480),
    Good("羽绒服", "件", 260, 680),
)
APPLIANCES = (
    Good("电视机", "台", 1800, 4800),
    Good("洗衣机", "台", 1200, 3600),
    Good("电冰箱", "台", 1800, 4600),
    Good("空调", "台", 2000, 5200),
    Good("微波炉", "台", 400, 1200),
    Good("电风扇", "台", 120, 400),
    Good("电饭煲", "个", 160, 600),
    Good("电脑", "台", 3200, 6400),
    Good("手机", "部", 1000, 4000),
    Good("台灯", "盏", 60, 200),
)
FRUIT = ("苹果", "梨", "香蕉", "橘子", "桃子", "葡萄", "西瓜")


def child(rng: Random) -> str:
    return rng.choice(CHILDREN)


def school(rng: Random) -> str:
    return rng.choice(SCHOOLS)


def school_class(rng: Random) -> str:
    """A class such as 五年级2班, whose number no equation needs."""
    grade, number = rng.choice(GRADES), rng.randint(1, 6)
    return rng.choice((f"{grade}{number}班", f"{grade[0]}（{number}）班"))


def hour(rng: Random) -> str:
    """A time of day such as 上午9时, which no equation needs."""
    return rng.choice((f"早上{rng.randint(6, 8)}时", f"上午{rng.randint(8, 10)}时"))


def banknotes(total: Decimal | int) -> int:
    """A round sum that a buyer would hand over for `total`."""
    sums = (10, 20, 50, 100, 150, 200, 300, 400, 500, 600, 800, 1000, 1200, 1500, 2000, 3000)
    return next(money for money in sums if money > total)
