"""Folding as a figure and as a scene that moves."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.inspect.folding import OBSERVED, Folding
from cloud_transformers.render.cameras import fitted, unit_camera, z_up
from cloud_transformers.render.canvas import FAINT, Canvas
from cloud_transformers.render.clouds import painted
from cloud_transformers.viewer import Scene, ShownCloud

SIDE = 330  # of a picture, in pixels
BACK = np.array([-1, -1, 1])  # a half turn about the vertical axis


def _places(result: Folding, up: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Before and after, z up, each fitted into the unit sphere; before, that is the sphere itself."""
    return z_up(result.start, up) / max(1.0, float(np.abs(result.start).max())), fitted(z_up(result.end, up))


def figure(title: str, result: Folding, up: str) -> Canvas:
    start, end = _places(result, up)
    sphere, colors, camera = ~result.observed, result.colors, unit_camera(SIDE)
    sheet = Canvas(3 * SIDE + 80, SIDE + 140)
    sheet.text(20, 16, f"Folding: {title}", size=18)
    panels = (
        ("before: points on the sphere", painted(start[sphere], colors[sphere], camera)),
        ("after: the shape", painted(end, colors, camera)),
        ("the shape from behind", painted(end * BACK, colors, camera)),
    )
    for number, (caption, picture) in enumerate(panels):
        left = 20 + number * (SIDE + 20)
        sheet.text(left + SIDE / 2, 52, caption, size=14, anchor="ma")
        sheet.paste(picture, left, 72)
    sheet.text(20, SIDE + 82, _legend(result), size=13, color=FAINT)
    for number, (axis, color) in enumerate(
        zip("xyz", ((255, 128, 128), (128, 255, 128), (128, 128, 255)), strict=True)
    ):
        left = 20 + number * 165
        sheet.box(left, SIDE + 106, left + 16, SIDE + 122, fill=color)
        sheet.text(left + 22, SIDE + 107, f"{axis} = 1 on the sphere", size=12)
    if result.observed.any():
        sheet.box(530, SIDE + 106, 546, SIDE + 122, fill=(int(OBSERVED[0]), int(OBSERVED[1]), int(OBSERVED[2])))
        sheet.text(552, SIDE + 107, f"observed: {int(result.observed.sum()):,} points of the input", size=12)
    return sheet


def _legend(result: Folding) -> str:
    folded = int((~result.observed).sum())
    return f"{folded:,} points coloured by where they began on the sphere: red, green and blue are x, y and z."


def scene(title: str, result: Folding, up: str) -> Scene:
    """Of the viewer: a slider from sphere to shape, and a cloud that turns."""
    start, end = _places(result, up)
    notes = [
        _legend(result),
        "The model knows the two ends only; between them every point is shown on a straight line.",
    ]
    if result.observed.any():
        notes.append(f"Grey: {int(result.observed.sum()):,} observed points of the input.")
    shown = ShownCloud(name="folding", positions=start, moved=end, color=result.colors)
    return Scene(clouds=(shown,), title=f"Folding: {title}", notes=tuple(notes), points=len(start))
