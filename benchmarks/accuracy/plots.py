"""Plots of the results page: lines of several models in one frame, as SVG.

Colours are those of Okabe and Ito, which people with any colour vision tell apart; ours is the first and thickest.
"""

from __future__ import annotations

import html
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

COLORS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#000000")
WIDTH, HEIGHT = 620, 330
LEFT, RIGHT, TOP, BOTTOM = 62, 190, 34, 46

Series = Mapping[str, Sequence[tuple[float, float]]]  # by name: places and values


@dataclass(frozen=True)
class Axis:
    """Numbers to pixels."""

    low: float
    high: float
    first: float  # pixel of `low`
    last: float  # pixel of `high`
    is_log: bool

    @staticmethod
    def over(values: Sequence[float], first: float, last: float, *, is_log: bool) -> Axis:
        low, high = min(values), max(values)
        if is_log:
            return Axis(low / 1.15, high * 1.15, first, last, is_log)
        margin = 0.06 * (high - low) or 1.0
        return Axis(low - margin, high + margin, first, last, is_log)

    def pixel(self, value: float) -> float:
        low, high, value = (math.log(each) if self.is_log else each for each in (self.low, self.high, value))
        return self.first + (self.last - self.first) * (value - low) / (high - low)

    def ticks(self) -> list[float]:
        if self.is_log:
            powers = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
            steps = (1, 2, 5) if self.high / self.low < 200 else (1,)
            every = [step * 10.0**power for power in powers for step in steps]
        else:
            rough = (self.high - self.low) / 5
            size = 10 ** math.floor(math.log10(rough))
            step = next(size * factor for factor in (1, 2, 5, 10) if size * factor >= rough)
            every = [step * number for number in range(math.floor(self.low / step), math.ceil(self.high / step) + 1)]
        return [tick for tick in every if self.low <= tick <= self.high]


def lines(title: str, x_name: str, series: Series, *, log_y: bool = False) -> str:
    """A plot with a logarithmic x axis. Names without a value are left out."""
    drawn = {name: sorted(points) for name, points in series.items() if points}
    xs, ys = zip(*(point for points in drawn.values() for point in points), strict=True)
    across = Axis.over(xs, LEFT, WIDTH - RIGHT, is_log=True)
    up = Axis.over(ys, HEIGHT - BOTTOM, TOP, is_log=log_y)
    parts = [f'<text x="{LEFT}" y="20" font-size="14" font-weight="bold">{html.escape(title)}</text>']
    for tick in across.ticks():
        x = across.pixel(tick)
        parts.append(f'<path d="M{x:.1f} {TOP}V{HEIGHT - BOTTOM}" stroke="#ddd"/>')
        parts.append(f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{_number(tick)}</text>')
    for tick in up.ticks():
        y = up.pixel(tick)
        parts.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{_number(tick)}</text>')
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append(f'<text x="{middle}" y="{HEIGHT - 8}" text-anchor="middle">{html.escape(x_name)}</text>')
    for number, (name, points) in enumerate(drawn.items()):
        color, width = COLORS[number % len(COLORS)], 3.5 if number == 0 else 1.8
        places = [(across.pixel(x), up.pixel(y)) for x, y in points]
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
        parts.append(f'<path d="M{path}" fill="none" stroke="{color}" stroke-width="{width}"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{1.4 + width / 2}" fill="{color}"/>' for x, y in places]
        y = TOP + 14 + 20 * number
        key = WIDTH - RIGHT + 12
        parts.append(f'<path d="M{key} {y - 4}h18" stroke="{color}" stroke-width="{width}"/>')
        parts.append(f'<text x="{key + 24}" y="{y}">{html.escape(name)}</text>')
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
    ground = f'{head}font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="white"/>'
    return f"{ground}{''.join(parts)}</svg>\n"


def _number(value: float) -> str:
    return f"{value / 1000:g}k" if value >= 10_000 else f"{round(value, 6):g}"
