"""Where a camera stands so that a thing, a room or a picture's object can be seen.

Pictures are square: `side` is theirs, in pixels. Letters: N points.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.render.raster import Camera
from cloud_transformers.space.frames import up_rotation
from cloud_transformers.space.pictures import PICTURE_ANGLE, PICTURE_DISTANCE

MARGIN = 1.12  # `unit_camera` shows this much more than the unit sphere


def z_up(points: NDArray[Any], up: str = "y") -> NDArray[np.float64]:  # [N, 3] -> [N, 3]
    """Points of a cloud in which another axis points up, with z up."""
    return np.asarray(points @ up_rotation(up, "z").T, np.float64)


def fitted(points: NDArray[Any]) -> NDArray[np.float64]:  # [N, 3], N > 0 -> [N, 3]
    """The `points` moved and scaled so that their box's middle is the origin and the farthest at distance 1."""
    centred = np.asarray(points, np.float64) - (points.min(axis=0) + points.max(axis=0)) / 2
    return np.asarray(centred / max(float(np.linalg.norm(centred, axis=1).max()), 1e-9))


def unit_camera(side: int) -> Camera:
    """Sees the unit sphere from the front right and above: pictures of `fitted` clouds compare."""
    corners = np.array([[-1.0, -1, -1], [1, 1, 1]]) * MARGIN / np.sqrt(3)
    return object_camera(corners, side)


def object_camera(points: NDArray[Any], side: int) -> Camera:
    """Sees all `points` [N, 3] of a z-up cloud from the front right and above."""
    middle = (points.max(axis=0) + points.min(axis=0)) / 2
    radius = float(np.linalg.norm(points - middle, axis=1).max())
    return Camera.looking(middle + radius * np.array([1.1, -2.2, 1.3]), middle, 40.0, side)


def room_camera(positions: NDArray[Any], side: int) -> Camera:
    """From high in front of a room with points at `positions` [N, 3], z up, as one looks into a doll's house."""
    low, high = positions.min(axis=0), positions.max(axis=0)
    middle = np.append((low + high)[:2] / 2, low[2])
    reach = float(max((high - low)[:2]))
    eye = middle + reach * np.array([0.12, -1.3, 1.45])
    return Camera.looking(eye, middle + np.array([0, 0, 0.4]), 42.0, side)


def opened(positions: NDArray[Any]) -> NDArray[np.bool_]:  # [N]
    """Which points of a room to show to look into it, by their `positions` [N, 3].

    Left out are the ceiling and the wall nearest to the camera.
    """
    low, high = positions.min(axis=0), positions.max(axis=0)
    below = positions[:, 2] < high[2] - 0.45
    return np.asarray(below & (positions[:, 1] > low[1] + 0.25))


def viewer_camera(side: int, turn: float = 0.0, rise: float = 0.0) -> Camera:
    """In front of a cloud in its picture's frame, turned by `z_up`; `turn` and `rise` (radians) walk around it."""
    middle = np.array([0.5, -0.5, 0.5])
    toward = np.array([np.sin(turn) * np.cos(rise), -np.cos(turn) * np.cos(rise), np.sin(rise)])
    return Camera.looking(middle + PICTURE_DISTANCE * toward, middle, PICTURE_ANGLE, side)
