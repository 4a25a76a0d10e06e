"""A scene cut into overlapping blocks, as a room is for training (`space.blocks`).

Blocks lie on one grid that begins at the scene's lowest corner. As in training, a block with few points is left out;
but a point in no fuller block is scored in the fullest of its small ones, for every point gets an answer.

Letters: M points of a part of the scene, L blocks that hold some, P pairs of a block and a point in it.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.models.preparation import Preparation
from cloud_transformers.predict.scene.points import ScenePoints
from cloud_transformers.predict.scene.regions import Extent, SceneRegion, draws, make_region
from cloud_transformers.space.blocks import MIN_POINTS, BlockGrid, block_origin, bounds


def block_regions(
    points: ScenePoints,
    core: NDArray[np.bool_],  # [M] the points that need an answer; the others are context
    extent: Extent,
    preparation: Preparation,
    overlap: float,
    seed: int,
) -> Iterator[SceneRegion]:
    """The regions that show a core point. All points within a block's side of the core must be among the points."""
    size = preparation.extent
    grid = BlockGrid(size, size * (1 - overlap), extent.low[:2], extent.high[:2], extent.slack)
    index, count, row = grid.pairs(points.positions[:, :2])
    ends = np.cumsum(count)
    first = ends - count
    shows = np.logical_or.reduceat(core[row], first) if len(first) else np.zeros(0, bool)
    full = count >= MIN_POINTS

    covered = np.zeros(len(points), bool)
    covered[row[np.repeat(full, count)]] = True
    home = _homes(core & ~covered, row, count)
    wanted = np.union1d(np.flatnonzero(shows & full), home[home >= 0])
    for number in wanted.tolist():
        rows = row[first[number] : ends[number]]
        floor = extent.floors.at(*grid.middle(index[number]).tolist())
        low, _ = bounds(points.positions.take(rows, axis=0))
        origin = block_origin(low.astype(np.float64), size, floor)
        votes = core[rows] if full[number] else home[rows] == number
        whole = make_region(points, rows, origin, floor, preparation, votes)
        for part in draws(len(rows), preparation.points, (seed, *index[number].tolist())):
            region = whole.select(part)
            if region.votes.any():
                yield region


def _homes(
    alone: NDArray[np.bool_],  # [M] points that are in no full block
    row: NDArray[np.int64],  # [P]
    count: NDArray[np.int64],  # [L]
) -> NDArray[np.int64]:  # [M]
    """The block in which such a point is scored: the fullest of its blocks, of equals the first; -1 for all others."""
    home = np.full(len(alone), -1, np.int64)
    if alone.any():
        block = np.repeat(np.arange(len(count)), count)
        pairs = np.flatnonzero(alone[row])
        pairs = pairs[np.lexsort((block[pairs], -count[block[pairs]], row[pairs]))]
        pairs = pairs[np.diff(row[pairs], prepend=-1) != 0]
        home[row[pairs]] = block[pairs]
    return home
