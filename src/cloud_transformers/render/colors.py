"""Colours of points: by what they are, how high they lie, or which class they have.

Letters: N points.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

# Blue and orange stay apart for every kind of colour vision.
BLUE, ORANGE, GREY = np.array([[38, 98, 186], [233, 138, 21], [128, 134, 142]], np.uint8)
SAND = np.array([212, 190, 158], np.uint8)
RED = np.array([214, 40, 40], np.uint8)
PALE = np.array([214, 217, 221], np.uint8)

# Colours that stay apart for most kinds of colour vision; labels beyond the last start again.
PALETTE = np.array(
    [
        [0, 114, 178], [230, 159, 0], [0, 158, 115], [204, 121, 167], [213, 94, 0], [86, 180, 233], [240, 228, 66],
        [120, 94, 240], [100, 143, 60], [160, 80, 60], [60, 60, 60], [170, 170, 170], [255, 176, 200],
    ],
    np.uint8,
)  # fmt: skip
UNKNOWN = np.array([200, 200, 200], np.uint8)


def label_colors(labels: NDArray[Any]) -> NDArray[np.uint8]:  # [N] -> [N, 3]
    """The colour of each of `labels`; negative ones are not known."""
    return np.where(labels[:, None] >= 0, PALETTE[labels % len(PALETTE)], UNKNOWN)


def by_height(points: NDArray[Any], low: float, high: float) -> NDArray[np.uint8]:  # [N, 3] -> [N, 3]
    """For `points`, z up: from blue at the height `low` to orange at `high`, so that parts of a shape stand apart."""
    share = ((points[:, 2:] - low) / max(high - low, 1e-9)).clip(0, 1)
    return np.asarray(np.rint(BLUE + share * (ORANGE.astype(float) - BLUE)), np.uint8)
