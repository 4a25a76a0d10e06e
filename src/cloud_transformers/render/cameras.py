"""Where a camera stands so that a thing, a room or a picture's object can be seen. Letters: N points."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.render.raster import Camera

PICTURE_DISTANCE = 2.0  # of the camera from the object's centre; the object's box has diagonal 1
PICTURE_ANGLE = 31.0  # field of view in degrees: the sphere around that box just fits


def z_up(points: NDArray[Any]) -> NDArray[np.float64]:  # [N, 3] -> [N, 3]
    """Points of a y-up cloud with z up."""
    return np.stack([points[:, 0], -points[:, 2], points[:, 1]], axis=1).astype(float)


def object_camera(points: NDArray[Any], side: int) -> Camera:
    """Sees a whole z-up cloud from the front right and above."""
    middle = (points.max(axis=0) + points.min(axis=0)) / 2
    radius = float(np.linalg.norm(points - middle, axis=1).max())
    return Camera.looking(middle + radius * np.array([1.1, -2.2, 1.3]), middle, 40.0, side)


def room_camera(positions: NDArray[Any], side: int) -> Camera:
    """From high before the room, as one looks into a doll's house."""
    low, high = positions.min(axis=0), positions.max(axis=0)
    middle = np.append((low + high)[:2] / 2, low[2])
    reach = float(max((high - low)[:2]))
    eye = middle + reach * np.array([0.12, -1.3, 1.45])
    return Camera.looking(eye, middle + np.array([0, 0, 0.4]), 42.0, side)


def opened(positions: NDArray[Any]) -> NDArray[np.bool_]:  # [N]
    """Which points of a room to show so that one can look in: without the ceiling and the wall before the camera."""
    low, high = positions.min(axis=0), positions.max(axis=0)
    below = positions[:, 2] < high[2] - 0.45
    return np.asarray(below & (positions[:, 1] > low[1] + 0.25))


def viewer_camera(side: int, turn: float = 0.0, rise: float = 0.0) -> Camera:
    """Before a cloud in the frame of its picture's viewer, turned by `z_up`; the angles (radians) walk around it."""
    middle = np.array([0.5, -0.5, 0.5])
    toward = np.array([np.sin(turn) * np.cos(rise), -np.cos(turn) * np.cos(rise), np.sin(rise)])
    return Camera.looking(middle + PICTURE_DISTANCE * toward, middle, PICTURE_ANGLE, side)
