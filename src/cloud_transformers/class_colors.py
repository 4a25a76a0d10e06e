"""A colour for every class, the same in files, pictures and pages. Letters: K classes."""

from __future__ import annotations

import colorsys
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

# Any two can be told apart, by colour-blind people too, and all of them from a light and a dark page:
# tests/test_class_colors.py holds the distances.
ROOM_COLORS = {
    "ceiling": (198, 172, 207),
    "floor": (155, 115, 38),
    "wall": (155, 194, 156),
    "beam": (255, 167, 99),
    "column": (188, 150, 125),
    "window": (118, 217, 255),
    "door": (150, 40, 20),
    "table": (250, 219, 8),
    "chair": (48, 89, 196),
    "sofa": (234, 69, 150),
    "bookcase": (23, 141, 95),
    "board": (98, 15, 159),
    "clutter": (80, 80, 85),
}

_GOLDEN = 0.61803398875  # steps of this share of the colour circle never come close to an earlier one


def class_colors(classes: Sequence[str]) -> NDArray[np.uint8]:  # [K, 3]
    """A colour for every class, all different: those of S3DIS have fixed ones, in whichever order they come.

    Others follow from their place among the classes, so that the same weights always paint alike.
    """
    colors: list[tuple[int, int, int]] = []
    taken = set()
    for number, name in enumerate(classes):
        color = ROOM_COLORS.get(name.lower())
        attempt = number
        while color is None or color in taken:
            color = _spread(attempt)
            attempt += len(classes)
        taken.add(color)
        colors.append(color)
    return np.array(colors, np.uint8).reshape(-1, 3)


def _spread(number: int) -> tuple[int, int, int]:
    """Colours far apart for neighbouring numbers: hues by the golden ratio, every third darker or paler."""
    hue = (0.58 + number * _GOLDEN) % 1.0
    saturation, value = ((0.75, 0.85), (0.5, 0.95), (0.85, 0.6))[number % 3]
    red, green, blue = colorsys.hsv_to_rgb(hue, saturation, value)
    return round(255 * red), round(255 * green), round(255 * blue)
