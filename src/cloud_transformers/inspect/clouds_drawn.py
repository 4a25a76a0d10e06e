"""Clouds of the model's coordinates as the painter of `report` draws them. Letters: N points."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.render import cameras, portraits
from cloud_transformers.render.portraits import Picture

MARGIN = 1.12  # the camera shows this much more than the unit sphere


def upright(points: NDArray[Any], up: str) -> NDArray[np.float64]:  # [N, 3] -> [N, 3]
    """With z up, whichever axis was."""
    if up == "y":
        return np.asarray(cameras.z_up(points))
    return np.asarray(points[:, [1, 2, 0]] if up == "x" else points, np.float64)


def fitted(points: NDArray[Any]) -> NDArray[np.float64]:  # [N, 3] -> [N, 3]
    """Moved and scaled so that the box's middle is the origin and the farthest point at distance 1."""
    centred = np.asarray(points, np.float64) - (points.min(axis=0) + points.max(axis=0)) / 2
    return np.asarray(centred / max(float(np.linalg.norm(centred, axis=1).max()), 1e-9))


def drawn(points: NDArray[Any], colors: NDArray[np.uint8], side: int, *, wide: int | None = None) -> Picture:
    """Points with z up within the unit sphere, from the front right and above; pictures of one side compare.

    Without a width, points are as large as their number leaves room for.
    """
    if wide is None:
        wide = int(np.clip(side / max(len(points), 1) ** 0.5, 2, 6))
    corners = np.array([[-1.0, -1, -1], [1, 1, 1]]) * MARGIN / np.sqrt(3)
    return portraits.picture(points, colors, cameras.object_camera(corners, side), wide=wide)
