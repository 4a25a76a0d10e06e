"""The painter of clouds: points as small squares, edges darkened by what stands before them.

All panels of one thing share a camera, so that they can be compared by eye. Letters: N points, H, W a picture's sides.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.cloud import PointCloud
from cloud_transformers.render import Picture
from cloud_transformers.render.cameras import fitted, unit_camera, z_up
from cloud_transformers.render.colors import by_height, label_colors
from cloud_transformers.render.mesh import Array
from cloud_transformers.render.raster import Camera

FINE = 2  # pictures are drawn this much larger and made smaller, which smooths their edges
DARKENING = 14.0  # how strongly a step in depth darkens what lies behind it
LEVELS = 12  # shades are rounded to this many, and colours to multiples of
STEP = 8  # this: the files become a third smaller, and the eye sees no difference


def painted(
    points: NDArray[Any],  # [N, 3]
    colors: NDArray[np.uint8],  # [N, 3], or [3] for all
    camera: Camera,
    *,
    wide: int | None = None,  # of a point, in pixels of the picture; None: as large as their number leaves room for
) -> Picture:
    """The points as the camera sees them, on white, near ones over far ones, with edges where depth jumps."""
    if wide is None:
        wide = int(np.clip(camera.width / max(len(points), 1) ** 0.5, 2, 6))
    colors = np.broadcast_to(colors, (len(points), 3))
    fine = replace(camera, height=camera.height * FINE, width=camera.width * FINE)
    seen = foremost(points, fine, wide * FINE)
    hit = seen >= 0
    depth = np.where(hit, fine.project(points)[1][seen] if len(points) else 0.0, np.inf)
    drawn = np.full((*seen.shape, 3), 255.0)
    drawn[hit] = colors[seen[hit]] * _shade(depth)[hit, None]
    H, W = camera.height, camera.width
    smooth = drawn.reshape(H, FINE, W, FINE, 3).mean(axis=(1, 3))
    return (np.rint(smooth / STEP) * STEP).clip(0, 255).astype(np.uint8)


def _shade(depth: NDArray[np.float64]) -> NDArray[np.float64]:  # [h, w] -> [h, w] in (0, 1]
    """Eye-dome lighting: a pixel is the darker, the farther it lies behind its neighbours (in shares of its depth)."""
    reach = 2 * FINE
    near = np.pad(depth, reach, constant_values=np.inf)
    height, width = depth.shape
    behind = np.zeros_like(depth)
    steps = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]
    with np.errstate(invalid="ignore"):  # infinity less infinity, where there is nothing to shade
        for down, right in steps:
            other = near[reach * (1 + down) :, reach * (1 + right) :][:height, :width]
            behind += np.nan_to_num(np.clip(1 - other / depth, 0, 0.1), nan=0.0)
    shade = np.exp(-DARKENING * behind / len(steps))
    return np.asarray(np.ceil(shade * LEVELS) / LEVELS)


def portrait(cloud: PointCloud, field: str | None = None, *, up: str = "z", side: int = 200) -> Picture:
    """The whole cloud from the front right and above, in a square of `side` pixels.

    `field` names one that holds labels or colours; without one height is shown. `up` is the axis that points up. Points
    that are not finite are left out.

    >>> ct.render.clouds.portrait(ct.PointCloud(positions=np.eye(3, dtype=np.float32)), side=32).shape
    (32, 32, 3)
    """
    finite = np.isfinite(cloud.positions).all(axis=1)
    if not finite.any():
        return np.full((side, side, 3), 255, np.uint8)
    points = fitted(z_up(cloud.positions[finite], up))
    if field is None:
        colors = by_height(points, float(points[:, 2].min()), float(points[:, 2].max()))
    else:
        values = cloud.fields[field][finite]
        colors = label_colors(values) if values.ndim == 1 else _as_bytes(values)
    return painted(points, colors, unit_camera(side))


def _as_bytes(colors: NDArray[Any]) -> NDArray[np.uint8]:  # [N, 3], integers to 255 or floats to 1
    return colors if colors.dtype == np.uint8 else (255 * colors.clip(0, 1)).astype(np.uint8)


def foremost(points: Array, camera: Camera, wide: int = 1) -> NDArray[np.int64]:  # [H, W]
    """The nearest of `points` [N, 3] under every pixel of a camera, -1 where there is none.

    Each point is a square of `wide` pixels.
    """
    pixel, depth = camera.project(points)
    column, row = np.floor(pixel - (wide - 1) / 2).astype(int).T
    far_first = np.argsort(-depth, kind="stable")
    far_first = far_first[depth[far_first] > 0]
    y, x = (step.reshape(-1) for step in np.mgrid[:wide, :wide])
    # Point by point, so that a later, nearer one covers all squares before it.
    rows = (row[far_first, None] + y).reshape(-1)
    columns = (column[far_first, None] + x).reshape(-1)
    inside = (columns >= 0) & (columns < camera.width) & (rows >= 0) & (rows < camera.height)
    seen = np.full((camera.height, camera.width), -1, np.int64)
    seen[rows[inside], columns[inside]] = np.repeat(far_first, wide * wide)[inside]
    return seen
