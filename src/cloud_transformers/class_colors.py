"""A colour for every class, the same in files, pictures and pages. Letters: K classes."""

from __future__ import annotations

import colorsys
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

# Surfaces of a room in quiet colours and things in loud ones, so that the things stand out of a labelled scan.
ROOM_COLORS = {
    "ceiling": (205, 214, 222),
    "floor": (146, 118, 92),
    "wall": (188, 196, 160),
    "beam": (255, 187, 120),
    "column": (197, 140, 200),
    "window": (110, 200, 235),
    "door": (196, 80, 48),
    "table": (255, 215, 40),
    "chair": (36, 104, 196),
    "sofa": (222, 60, 140),
    "bookcase": (30, 150, 90),
    "board": (120, 70, 190),
    "clutter": (70, 70, 74),
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
