"""The interaction measure as a table, a figure and a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from cloud_transformers.inspect.interaction import NEVER, Interaction
from cloud_transformers.pages import filled
from cloud_transformers.render import Picture
from cloud_transformers.render.cameras import fitted, unit_camera, z_up
from cloud_transformers.render.canvas import FAINT, INK, RULE, Canvas, Color
from cloud_transformers.render.clouds import painted
from cloud_transformers.render.colors import PALE
from cloud_transformers.render.png import as_uri

LINE: Color = (38, 98, 186)
SPREAD: Color = (158, 188, 230)
BAR: Color = (243, 205, 155)
BAR_INK: Color = (190, 105, 10)
# The point itself, then those that reach it after one block, two, three, and later.
ARRIVALS = np.array([[214, 40, 40], [233, 138, 21], [90, 160, 90], [38, 98, 186], [70, 60, 120]], np.uint8)


def summary(results: Sequence[Interaction]) -> dict[str, Any]:
    """Means over clouds, part by part and block by block, ready for JSON."""
    parts = {}
    for part in dict.fromkeys(each.part for each in results):
        clouds = [each for each in results if each.part == part]
        rows = []
        for number, of_block in enumerate(zip(*(each.blocks for each in clouds), strict=True), start=1):
            kinds = {kind: float(np.mean([each.alone[kind] for each in of_block])) for kind in of_block[0].alone}
            rows.append(
                {
                    "block": number,
                    "cascade": of_block[0].cascade,
                    "alone": kinds,
                    "reached": float(np.mean([each.reached for each in of_block])),
                    "least": min(each.least for each in of_block),
                    "most": max(each.most for each in of_block),
                    "complete": float(np.mean([each.complete for each in of_block])),
                }
            )
        parts[part] = {"clouds": len(clouds), "points": [each.num_points for each in clouds], "blocks": rows}
    return parts


def table(parts: dict[str, Any]) -> str:
    lines = []
    for name, part in parts.items():
        least, most = min(part["points"]), max(part["points"])
        points = f"{least:,}" if least == most else f"{least:,} to {most:,}"
        clouds = "1 cloud" if part["clouds"] == 1 else f"{part['clouds']} clouds"
        lines.append(f"{name}: {clouds} of {points} points")
        lines.append("  block  cascade  this block alone  reached so far  least point  reached by all")
        for row in part["blocks"]:
            shares = (row["alone"]["all"], row["reached"], row["least"], row["complete"])
            cells = "".join(
                f"{100 * share:{width}.1f} %" for share, width in zip(shares, (16, 14, 11, 14), strict=True)
            )
            lines.append(f"  {row['block']:5}  {row['cascade']:7}{cells}")
    return "\n".join(lines)


def figure(title: str, results: Sequence[Interaction], up: str) -> Canvas:
    """A row for each part of the model: who reaches the middle of a cloud and when, and the shares as a chart."""
    parts = summary(results)
    sheet = Canvas(1000, 60 + 350 * len(parts))
    sheet.text(20, 16, f"How far points see: {title}", size=18)
    for row, (name, part) in enumerate(parts.items()):
        top = 60 + 350 * row
        first = next(each for each in results if each.part == name)
        sheet.paste(arrival_picture(first, up, 250), 20, top + 30)
        sheet.text(20, top, f"{name}: when others reach the red point", size=14)
        _arrival_legend(sheet, first, 20, top + 288)
        _chart(sheet, part, 330, top, 650, 290)
    return sheet


def arrival_picture(result: Interaction, up: str, side: int) -> Picture:
    late = np.minimum(result.arrival, len(ARRIVALS) - 1)
    colors = np.where((result.arrival == NEVER)[:, None], PALE, ARRIVALS[late]).astype(np.uint8)
    points = fitted(z_up(result.positions, up))
    # The red point as a small ball: one pixel among thousands would not be seen.
    rng = np.random.default_rng(0)
    ball = rng.normal(size=(300, 3))
    ball = points[result.center] + 0.05 * ball / np.linalg.norm(ball, axis=1, keepdims=True)
    everything = np.concatenate([points, ball])
    paints = np.concatenate([colors, np.tile(ARRIVALS[0], (len(ball), 1))])
    return painted(everything, paints, unit_camera(side))


def _arrival_legend(sheet: Canvas, result: Interaction, left: int, top: int) -> None:
    last = int(min(result.arrival.max(), len(ARRIVALS) - 1))
    x = float(left)
    for number in range(1, last + 1):
        later = number == len(ARRIVALS) - 1 and result.arrival.max() > number
        sheet.dot(x + 5, top + 8, 5, _color(ARRIVALS[number]))
        words = f"block {number}{' or later' if later else ''}"
        sheet.text(x + 14, top, words, size=12)
        x += 68
    if (result.arrival == NEVER).any():
        sheet.dot(x + 5, top + 8, 5, _color(PALE))
        sheet.text(x + 14, top, "never", size=12)


def _color(rgb: Any) -> Color:
    red, green, blue = (int(channel) for channel in rgb)
    return red, green, blue


def _chart(sheet: Canvas, part: dict[str, Any], left: int, top: int, width: int, height: int) -> None:
    rows = part["blocks"]
    base, ceiling, start, end = top + height - 42, top + 46, left + 52, left + width - 10
    step = (end - start) / len(rows)

    def at(share: float) -> float:
        return base - share * (base - ceiling)

    middles = [start + (number + 0.5) * step for number in range(len(rows))]
    sheet.text(left, top, "share of the other points, in the mean over points", size=14)
    for share in (0, 0.25, 0.5, 0.75, 1):
        sheet.line([(start, at(share)), (end, at(share))], color=RULE)
        sheet.text(start - 8, at(share), f"{share:.0%}", size=12, color=FAINT, anchor="rm")
    for x, row in zip(middles, rows, strict=True):
        sheet.box(x - step * 0.28, at(row["alone"]["all"]), x + step * 0.28, base, fill=BAR)
        sheet.text(x, base + 6, str(row["block"]), size=12, anchor="ma")
    for x, row in zip(middles, rows, strict=True):
        sheet.line(
            [(x - step * 0.28, at(row["alone"]["all"])), (x + step * 0.28, at(row["alone"]["all"]))], color=BAR_INK
        )
        if row["alone"]["all"] < 0.93:
            sheet.text(
                x, at(row["alone"]["all"]) + 4, f"{100 * row['alone']['all']:.0f}", size=11, color=BAR_INK, anchor="ma"
            )
    for x, row in zip(middles, rows, strict=True):
        beside = x + step * 0.36
        sheet.line([(beside, at(row["least"])), (beside, at(row["most"]))], color=SPREAD, width=5)
    sheet.line([(x, at(row["reached"])) for x, row in zip(middles, rows, strict=True)], color=LINE, width=3)
    for x, row in zip(middles, rows, strict=True):
        sheet.dot(x, at(row["reached"]), 4, LINE)
        sheet.text(x, at(row["reached"]) - 8, f"{100 * row['reached']:.0f} %", size=12, color=LINE, anchor="ms")
    for number in sorted({row["cascade"] for row in rows}):
        inside = [x for x, row in zip(middles, rows, strict=True) if row["cascade"] == number]
        sheet.line([(inside[0] - step * 0.4, base + 24), (inside[-1] + step * 0.4, base + 24)], color=FAINT)
        sheet.text(sum(inside) / len(inside), base + 27, f"cascade {number}", size=12, color=FAINT, anchor="ma")
    sheet.text(start - 8, base + 6, "block", size=12, color=FAINT, anchor="ra")
    legend = top + height + 16
    sheet.line([(start, legend), (start + 22, legend)], color=LINE, width=3)
    sheet.text(start + 28, legend, "reached after this block and those before", size=12, color=INK, anchor="lm")
    sheet.box(start + 288, legend - 8, start + 293, legend + 8, fill=SPREAD)
    sheet.text(start + 300, legend, "least to most of any point", size=12, anchor="lm")
    sheet.box(start + 470, legend - 6, start + 492, legend + 6, fill=BAR)
    sheet.text(start + 498, legend, "this block alone", size=12, anchor="lm")


def page(title: str, results: Sequence[Interaction], up: str) -> str:
    """One HTML file that needs nothing else: the chart answers to the pointer, the numbers stand below."""
    pictures: dict[str, str] = {}
    for each in results:
        pictures.setdefault(each.part, as_uri(arrival_picture(each, up, 300)))
    colors = [f"rgb({red}, {green}, {blue})" for red, green, blue in ARRIVALS.tolist()]
    data = {"title": title, "parts": summary(results), "pictures": pictures, "colors": colors}
    return filled("cloud_transformers.inspect", "interaction.html", data=data)
