"""Heads as a figure: a row for each, from the scene with its plane to what the grid holds after the convolution."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.inspect.heads import Head
from cloud_transformers.render import Picture
from cloud_transformers.render.cameras import unit_camera, z_up
from cloud_transformers.render.canvas import FAINT, RULE, Canvas
from cloud_transformers.render.clouds import painted
from cloud_transformers.render.colors import BLUE, ORANGE, RED, by_height

SIDE, GAP, LEFT, TOP, ROW = 168, 14, 20, 104, 196
NUMBERS = LEFT + 4 * (SIDE + GAP)
AXES = (RED, BLUE, np.array([60, 150, 80], np.uint8))
EMPTY = np.array([238, 239, 241], np.uint8)
# From little to much, dark to light, so that it can be read without colours too.
RAMP = np.array([[22, 26, 66], [38, 98, 186], [86, 170, 190], [240, 190, 90], [255, 244, 190]], float)


def figure(title: str, heads: Sequence[Head], positions: NDArray[Any], up: str) -> Canvas:  # positions [N, 3]
    sheet = Canvas(NUMBERS + 250, TOP + ROW * len(heads) + 34)
    sheet.text(LEFT, 16, f"Heads: {title}", size=18)
    columns = (
        ("the scene", "and what the head projects it onto"),
        ("where keys fall", "from -1 to 1; volumetric: first two axes"),
        ("the grid before", "norm of the values that arrived"),
        ("the grid after", "the convolution"),
    )
    for number, (name, more) in enumerate(columns):
        left = LEFT + number * (SIDE + GAP)
        sheet.text(left, 56, name, size=14)
        sheet.text(left, 76, more, size=10, color=FAINT)
    for row, head in enumerate(heads):
        top = TOP + row * ROW
        panels = (scene(head, positions, up), key_density(head), grid_picture(head, head.before), _after(head))
        for number, picture in enumerate(panels):
            left = LEFT + number * (SIDE + GAP)
            sheet.paste(picture, left, top)
            sheet.box(left - 1, top - 1, left + SIDE, top + SIDE, edge=RULE)
        _numbers(sheet, head, NUMBERS, top)
    _legend(sheet, TOP + ROW * len(heads) - 4)
    return sheet


def _numbers(sheet: Canvas, head: Head, left: int, top: int) -> None:
    sheet.text(left, top, f"{head.kind} head {head.number}", size=15)
    lines = (
        f"{' x '.join(map(str, head.size))} nodes, {head.channels} channels",
        f"{100 * head.occupied:.1f} % of the nodes are touched",
        f"{100 * head.border:.1f} % of the keys at the border",
        f"residuals move points by {head.moved:.3f} (at most",
        f"{head.moved_most:.3f}) input units, keys by {head.moved_cells:.2f} cells",
        f"largest norm before {head.before.max():.3g}, after {head.after.max():.3g}",
    )
    for number, line in enumerate(lines):
        sheet.text(left, top + 26 + 20 * number, line, size=12)


def _legend(sheet: Canvas, top: int) -> None:
    ramp = ramped(np.linspace(0, 1, 120)[None].repeat(12, axis=0))
    sheet.paste(ramp, LEFT + 2 * (SIDE + GAP), top)
    sheet.text(LEFT + 2 * (SIDE + GAP) + 126, top - 1, "0 to the largest of the picture; grey: no point, or 0", size=11)
    for number, (name, color) in enumerate(zip(("first", "second", "third"), AXES, strict=True)):
        red, green, blue = (int(channel) for channel in color)
        sheet.line(
            [(LEFT + 100 * number, top + 6), (LEFT + 100 * number + 18, top + 6)], color=(red, green, blue), width=3
        )
        sheet.text(LEFT + 100 * number + 23, top - 1, f"{name} axis", size=11)


def scene(head: Head, positions: NDArray[Any], up: str) -> Picture:
    """The cloud, and through its middle the plane of a planar head or the axes of a volumetric one."""
    middle = (positions.min(axis=0) + positions.max(axis=0)) / 2
    reach = float(np.linalg.norm(positions - middle, axis=1).max())
    cloud = z_up((positions - middle) / reach, up)
    colors = by_height(cloud, float(cloud[:, 2].min()), float(cloud[:, 2].max()))
    colors = (0.7 * colors + 0.3 * 225).astype(np.uint8)  # pale, so that the plane stands out
    parts, paints = [cloud], [colors]
    if head.has_plane:
        axes = head.axes / np.linalg.norm(head.axes, axis=1, keepdims=True)
        span = np.linspace(-0.8, 0.8, 161)
        lines = [(axis * span[span >= 0, None], color, 3) for axis, color in zip(axes, AXES, strict=False)]
        if head.kind == "planar":
            for fixed in np.linspace(-0.8, 0.8, 9):
                lines += [(axes[0] * fixed + axes[1] * span[:, None], ORANGE, 1)]
                lines += [(axes[1] * fixed + axes[0] * span[:, None], ORANGE, 1)]
        for points, color, thick in lines:
            # An axis is drawn as a thin bundle: the painter's points all have one size.
            bundle = np.concatenate(
                [points + shift for shift in (np.eye(3) * 0.012 if thick > 1 else np.zeros((1, 3)))]
            )
            parts.append(z_up(bundle, up))
            paints.append(np.tile(color, (len(bundle), 1)).astype(np.uint8))
    return painted(np.concatenate(parts), np.concatenate(paints), unit_camera(SIDE), wide=2)


def key_density(head: Head) -> Picture:
    """How many keys fall where, on a logarithmic scale."""
    bins = SIDE // 2
    counts, _, _ = np.histogram2d(head.keys[:, 0], head.keys[:, 1], bins=bins, range=((-1, 1), (-1, 1)))
    return _enlarged(_painted(np.log1p(counts), counts > 0))


def grid_picture(head: Head, grid: NDArray[Any]) -> Picture:  # grid [*size]
    """The first key axis to the right, the second up; of a volume, the largest along the third."""
    return _enlarged(_painted(_flat(grid), _flat(head.touched) > 0))


def _after(head: Head) -> Picture:
    flat = _flat(head.after)
    return _enlarged(_painted(flat, flat > 0))


def _flat(grid: NDArray[Any]) -> NDArray[Any]:
    return grid if grid.ndim == 2 else np.asarray(grid.max(axis=2))


def _painted(values: NDArray[Any], shown: NDArray[np.bool_]) -> Picture:
    share = values / max(float(values.max()), 1e-12)
    return np.where(shown[..., None], ramped(share), EMPTY).transpose(1, 0, 2)[::-1]


def _enlarged(picture: Picture) -> Picture:
    rows, columns = (np.arange(SIDE) * side // SIDE for side in picture.shape[:2])
    return np.ascontiguousarray(picture[rows][:, columns])


def ramped(share: NDArray[Any]) -> Picture:  # [...] in [0, 1] -> [..., 3]
    stops = np.linspace(0, 1, len(RAMP))
    return np.stack([np.interp(share, stops, RAMP[:, channel]) for channel in range(3)], axis=-1).astype(np.uint8)
