"""Charts as SVG that takes its colours from the page, so that they follow its light and dark forms."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from mwp.evaluation.statistics import Estimate

HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 240, 72, 10, 12, 42
NARROW, WIDE = 380, 720
# The page defines so many colours; beyond them lines are dashed.
COLOURS = 8


@dataclass(frozen=True)
class Line:
    name: str
    colour: int
    points: tuple[tuple[float, float], ...]
    dashed: bool = False


@dataclass(frozen=True)
class Bars:
    """One value a category; None leaves a gap."""

    name: str
    colour: int
    values: tuple[Estimate | None, ...]


@dataclass(frozen=True)
class Chart:
    """`legend` has (name, colour, dashed) of what is drawn."""

    title: str
    svg: Markup
    legend: tuple[tuple[str, int, bool], ...]
    wide: bool = False
    note: str = ""


@dataclass(frozen=True)
class Frame:
    """The field of a chart: x from 0 or `first` to `last`, y from 0 to `top`."""

    width: int
    first: float
    last: float
    top: float

    def x(self, value: float) -> float:
        span = (self.last - self.first) or 1.0
        return LEFT + (value - self.first) / span * (self.width - LEFT - RIGHT)

    def y(self, value: float) -> float:
        return HEIGHT - BOTTOM - value / (self.top or 1.0) * (HEIGHT - TOP - BOTTOM)


def line_chart(
    title: str,
    lines: Sequence[Line],
    x_title: str,
    y_title: str,
    top: float | None = None,
    last: float | None = None,
    note: str = "",
) -> Chart:
    """From zero upwards; `top` and `last` fix the ends of the axes, which else follow the points."""
    spots = [point for line in lines for point in line.points]
    highest = top or _ceiling(max((y for _, y in spots), default=1.0))
    frame = Frame(NARROW, 0.0, last or max((x for x, _ in spots), default=1.0), highest)
    parts = [
        _y_axis(frame, y_title),
        _x_numbers(frame),
        _x_title(frame, x_title),
        *(_line(frame, one) for one in lines),
    ]
    legend = tuple((line.name, line.colour % COLOURS, line.dashed) for line in lines)
    return Chart(title, _svg(title, y_title, legend, NARROW, parts), legend, note=note)


def bar_chart(
    title: str, categories: Sequence[str], series: Sequence[Bars], x_title: str, y_title: str, note: str = ""
) -> Chart:
    """Shares in %, from 0 to 100, with their intervals as whiskers."""
    width = WIDE if len(categories) * len(series) > 18 else NARROW
    frame = Frame(width, 0.0, float(len(categories)), 100.0)
    parts = [_y_axis(frame, y_title), _x_title(frame, x_title)]
    for position, category in enumerate(categories):
        parts.append(_text(frame.x(position + 0.5), HEIGHT - BOTTOM + 16, category, "middle"))
        parts += [_bar(frame, position, order, len(series), one, category) for order, one in enumerate(series)]
    legend = tuple((bars.name, bars.colour % COLOURS, False) for bars in series)
    return Chart(title, _svg(title, y_title, legend, width, parts), legend, wide=width == WIDE, note=note)


def _bar(frame: Frame, position: int, order: int, count: int, bars: Bars, category: str) -> Markup:
    estimate = bars.values[position]
    if estimate is None:
        return Markup("")
    room = 0.8 / count
    left, right = frame.x(position + 0.1 + order * room), frame.x(position + 0.1 + (order + 0.86) * room)
    middle, y = (left + right) / 2, frame.y(100 * estimate.value)
    low, high = frame.y(100 * estimate.low), frame.y(100 * estimate.high)
    label = (
        f"{bars.name}, {category}: {100 * estimate.value:.1f} ({100 * estimate.low:.1f} to {100 * estimate.high:.1f})"
    )
    whisker = (
        Markup('<line class="whisker" x1="{0:.1f}" x2="{0:.1f}" y1="{1:.1f}" y2="{2:.1f}"/>').format(middle, low, high)
        if estimate.low < estimate.high
        else Markup("")
    )
    return Markup(
        '<g><title>{}</title><rect class="bar c{}" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}"/>{}</g>'
    ).format(label, bars.colour % COLOURS, left, y, right - left, frame.y(0) - y, whisker)


def _line(frame: Frame, line: Line) -> Markup:
    """Dots while they can be told apart."""
    spots = [(frame.x(x), frame.y(y)) for x, y in line.points]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in spots)
    dots = [
        Markup('<circle cx="{:.1f}" cy="{:.1f}" r="2.2"><title>{}: {:.4g} at {:g}</title></circle>').format(
            px, py, line.name, y, x
        )
        for (px, py), (x, y) in zip(spots, line.points, strict=True)
    ]
    return Markup('<g class="line c{}{}"><polyline points="{}"/>{}</g>').format(
        line.colour % COLOURS,
        " dashed" if line.dashed or line.colour >= COLOURS else "",
        path,
        Markup("").join(dots if len(dots) <= 40 else []),
    )


def _svg(
    title: str, y_title: str, legend: Sequence[tuple[str, int, bool]], width: int, parts: Sequence[Markup]
) -> Markup:
    names = ", ".join(dict.fromkeys(name for name, _, _ in legend))
    return Markup('<svg viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>').format(
        width, HEIGHT, f"{title} ({y_title}): {names}", Markup("").join(parts)
    )


def _y_axis(frame: Frame, title: str) -> Markup:
    parts = []
    for tick in _ticks(frame.top):
        y = frame.y(tick)
        parts.append(
            Markup('<line class="grid" x1="{}" x2="{}" y1="{:.1f}" y2="{:.1f}"/>').format(
                LEFT, frame.width - RIGHT, y, y
            )
        )
        parts.append(_text(LEFT - 6, y + 4, f"{tick:,.10g}", "end"))
    middle = (TOP + HEIGHT - BOTTOM) / 2
    turned = Markup('<text class="axis" transform="translate(12 {:.0f}) rotate(-90)" text-anchor="middle">{}</text>')
    return Markup("").join([*parts, turned.format(middle, title)])


def _x_numbers(frame: Frame) -> Markup:
    return Markup("").join(
        _text(frame.x(tick), HEIGHT - BOTTOM + 16, f"{tick:g}", "middle") for tick in _ticks(frame.last)
    )


def _x_title(frame: Frame, title: str) -> Markup:
    middle = (LEFT + frame.width - RIGHT) / 2
    return Markup('<text class="axis" x="{:.0f}" y="{}" text-anchor="middle">{}</text>').format(
        middle, HEIGHT - 6, title
    )


def _text(x: float, y: float, text: str, anchor: str) -> Markup:
    return Markup('<text x="{:.1f}" y="{:.1f}" text-anchor="{}">{}</text>').format(x, y, anchor, escape(text))


def _step(top: float) -> float:
    """1, 2, 2.5 or 5 times a power of ten, so that there are four to six ticks."""
    power = 10.0 ** math.floor(math.log10(top / 4))
    return next((power * factor for factor in (1, 2, 2.5, 5, 10) if top / (power * factor) <= 5), power * 10)


def _ceiling(value: float) -> float:
    if not math.isfinite(value) or value <= 0:
        return 1.0
    return math.ceil(value / _step(value)) * _step(value)


def _ticks(top: float) -> list[float]:
    step = _step(top) if top > 0 else 1.0
    return [step * position for position in range(math.floor(top / step + 1e-9) + 1)]
