"""Pictures of one object and where its cloud is in them: what those who draw, train and answer have to agree on.

Letters: h, w a picture's height and width.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

PICTURE_DISTANCE = 2.0  # of the camera from the object's centre; the object's box has diagonal 1
PICTURE_ANGLE = 31.0  # field of view in degrees: the sphere around that box just fits
PICTURE_VIEW = 2 * PICTURE_DISTANCE * math.tan(math.radians(PICTURE_ANGLE / 2))  # how wide it is at the centre
PICTURE_SHARE = 0.65  # of a picture's side, for the longer side of an object whose distance nobody knows


def composed(front: NDArray[np.uint8], ground: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The picture `front` [h, w, 4] before a `ground` that is opaque, [h, w, 3] or one colour [3]. So is the result."""
    share = front[..., 3:].astype(np.float32) / 255
    return np.rint(front[..., :3] * share + ground * (1 - share)).astype(np.uint8)


def covered_box(cover: NDArray[np.uint8]) -> tuple[int, int, int, int] | None:
    """Left, top, right and bottom of what is not 0 in `cover` [h, w], the last two just outside; None if all is."""
    columns, rows = (np.flatnonzero(cover.any(axis=axis)) for axis in (0, 1))
    if not len(rows):
        return None
    return int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1
