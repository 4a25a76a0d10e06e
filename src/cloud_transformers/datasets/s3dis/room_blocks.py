"""A room cut into the 1 m blocks of the S3DIS block protocol.

Letters: N points of the room, n blocks, P = 4096 points of a block.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.errors import InputError
from cloud_transformers.space.blocks import MIN_POINTS, BlockGrid, block_origin, bounds
from cloud_transformers.space.floors import Estimate, floor_under

BLOCK_POINTS = 4096
BLOCK_SIZE = 1.0
BLOCK_STRIDE = 0.5


def room_to_blocks(
    points: NDArray[Any],  # [N, 6] x y z in metres, r g b in 0-255
    labels: NDArray[Any],  # [N] class numbers in the block protocol's order
    rng: np.random.Generator,
    *,
    num_points: int = BLOCK_POINTS,
    size: float = BLOCK_SIZE,
    stride: float = BLOCK_STRIDE,
    min_points: int = MIN_POINTS,
    floor: Estimate = "lowest",  # as in the public files
) -> tuple[NDArray[np.float32], NDArray[np.uint8]]:
    """All blocks of one room as (data [n, P, 9], label [n, P]), as `indoor3d_sem_seg_hdf5_data` stores them.

    Columns overlap by half (stride 0.5 m), run from floor to ceiling, and are left out below `min_points`. A larger
    block is thinned without repetition; a smaller one keeps every point and repeats some. Channels: x, y with the
    block's smallest coordinate at -size / 2, z above the room's floor, colours / 255, and xyz / room size.
    A room without a single full enough column gives n = 0.
    """
    if points.ndim != 2 or points.shape[1] != 6 or len(labels) != len(points):
        raise InputError(
            f"a room needs points [N, 6] (xyz, rgb) and labels [N], got {list(points.shape)} and {list(labels.shape)}"
        )
    if not len(points):
        return np.zeros((0, num_points, 9), np.float32), np.zeros((0, num_points), np.uint8)
    # float64 until the room's corner is taken off: raw rooms lie tens of metres from the origin.
    xyz = points[:, :3].astype(np.float64)
    xyz -= bounds(xyz)[0]
    floor_height = floor_under(xyz, 2, size, floor)
    # Sorted by x, a column of blocks is one slice: the room is not scanned again for each of its hundreds of blocks.
    by_x = np.argsort(xyz[:, 0], kind="stable")
    xyz, colors, labels = xyz[by_x], points[by_x, 3:6], labels[by_x]
    room_size = np.maximum(bounds(xyz)[1], 1e-6)

    data, label = [], []
    grid = BlockGrid(size, stride, np.zeros(2), room_size[:2])
    (left, right), (front, back) = (grid.borders(np.arange(grid.last[axis] + 1), axis) for axis in (0, 1))
    firsts = np.searchsorted(xyz[:, 0], left, side="left")
    ends = np.searchsorted(xyz[:, 0], right, side="right")
    for first, end in zip(firsts, ends, strict=True):
        y = xyz[first:end, 1]
        for near, far in zip(front, back, strict=True):
            rows = first + np.flatnonzero((y >= near) & (y <= far))
            if len(rows) < min_points:
                continue
            chosen = rows[_draw(len(rows), num_points, rng)]
            block = np.empty((num_points, 9), np.float32)
            block[:, :3] = xyz[chosen]
            block[:, :3] -= block_origin(bounds(block[:, :2])[0], size, floor_height)
            block[:, 3:6] = colors[chosen] / 255.0
            block[:, 6:9] = xyz[chosen] / room_size
            data.append(block)
            label.append(labels[chosen].astype(np.uint8))
    if not data:
        return np.zeros((0, num_points, 9), np.float32), np.zeros((0, num_points), np.uint8)
    return np.stack(data), np.stack(label)


def _draw(available: int, wanted: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """`wanted` of the numbers below `available`: without repetition if there are enough, else all and some twice."""
    if available >= wanted:
        return rng.choice(available, wanted, replace=False)
    return np.concatenate([np.arange(available), rng.choice(available, wanted - available)])
