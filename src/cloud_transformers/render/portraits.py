"""Pictures of clouds that a stranger understands: points as small squares, edges darkened by what stands before them.

All panels of one thing share a camera, so that they can be compared by eye. Letters: N points, H, W a picture's sides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.render.pictures import foremost
from cloud_transformers.render.raster import Camera

Picture = NDArray[np.uint8]  # [H, W, 3]

# Blue and orange stay apart for every kind of colour vision.
BLUE, ORANGE, GREY = np.array([[38, 98, 186], [233, 138, 21], [128, 134, 142]], np.uint8)
SAND = np.array([212, 190, 158], np.uint8)
RED = np.array([214, 40, 40], np.uint8)
PALE = np.array([214, 217, 221], np.uint8)

FINE = 2  # pictures are drawn this much larger and made smaller, which smooths their edges
DARKENING = 14.0  # how strongly a step in depth darkens what lies behind it
LEVELS = 12  # shades are rounded to this many, and colours to multiples of
STEP = 8  # this: the files become a third smaller, and nobody sees it


def picture(
    points: NDArray[Any],  # [N, 3]
    colors: NDArray[np.uint8],  # [N, 3], or [3] for all
    camera: Camera,
    *,
    wide: int = 2,  # of a point, in pixels of the finished picture
) -> Picture:
    """The points as the camera sees them, on white, near ones over far ones, with edges where depth jumps."""
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


def side_by_side(pictures: Sequence[Picture], gap: int = 12) -> Picture:
    """Pictures of one height in a row, with white between them."""
    height = pictures[0].shape[0]
    white = np.full((height, gap, 3), 255, np.uint8)
    row = [part for each in pictures for part in (white, each)][1:]
    return np.concatenate(row, axis=1)


def stacked(rows: Sequence[Picture], gap: int = 12) -> Picture:
    """Pictures below each other, the narrower ones in the middle, with white between them."""
    width = max(row.shape[1] for row in rows)
    padded = []
    for row in rows:
        left = (width - row.shape[1]) // 2
        padded.append(np.pad(row, ((0, gap), (left, width - row.shape[1] - left), (0, 0)), constant_values=255))
    return np.concatenate(padded)[:-gap]


def trimmed(pictures: Sequence[Picture], margin: int = 8) -> list[Picture]:
    """Pictures of one size without the white that surrounds all of them."""
    drawn = np.any([(each < 255).any(axis=2) for each in pictures], axis=0)
    if not drawn.any():
        return list(pictures)
    rows, columns = np.flatnonzero(drawn.any(axis=1)), np.flatnonzero(drawn.any(axis=0))
    top, left = max(rows[0] - margin, 0), max(columns[0] - margin, 0)
    return [each[top : rows[-1] + margin + 1, left : columns[-1] + margin + 1] for each in pictures]


def by_height(points: NDArray[Any], low: float, high: float) -> NDArray[np.uint8]:  # [N, 3] -> [N, 3]
    """From blue at the bottom to orange at the top, so that the parts of a shape stand apart."""
    share = ((points[:, 2:] - low) / max(high - low, 1e-9)).clip(0, 1)
    return np.asarray(np.rint(BLUE + share * (ORANGE.astype(float) - BLUE)), np.uint8)
