"""A scene cut into overlapping columns, as `datasets.s3dis.room_blocks` cuts a room.

Blocks lie on one grid that begins at the scene's lowest corner. As in the training, a block under 100 points is left
out; but a point in no fuller block is scored in the fullest of its small ones, for every point gets an answer.

Letters: M points of a part of the scene, L blocks that hold some, P pairs of a block and a point in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.datasets.s3dis.room_blocks import MIN_POINTS
from cloud_transformers.models.preparation import Preparation
from cloud_transformers.predict.scene.points import ScenePoints, bounds
from cloud_transformers.predict.scene.regions import Extent, Region, draws, make_region
from cloud_transformers.space.squares import pack, square_indices, unpack


@dataclass(frozen=True)
class BlockGrid:
    """Blocks of a side at every multiple of the stride, from 0 to the end of the scene."""

    size: float
    stride: float
    extent: Extent

    def pairs(self, points: ScenePoints) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Every block with every point in it: the blocks' indices [L, 2], how many points each has [L], and their rows
        [P], sorted by block, then row. Both borders belong to a block, as in the training.
        """
        place = points.positions[:, :2].astype(np.float64) - self.extent.low[:2]
        size = self.extent.high[:2] - self.extent.low[:2]
        last = np.maximum(0, np.ceil((size - self.size) / self.stride)).astype(np.int64)
        base = square_indices(place, self.stride)
        # One more than fit, on either side: rounding may put a border into the neighbouring step.
        steps = range(-1, int(np.ceil(self.size / self.stride)) + 2)
        inside = [[self._holds(base[:, axis] - step, place[:, axis], last[axis]) for step in steps] for axis in (0, 1)]
        squares, square = np.unique(pack(base), return_inverse=True)
        corners = unpack(squares)
        shifted = {(a, b): pack(corners - (a, b)) for a in steps for b in steps}
        blocks = np.unique(np.concatenate(list(shifted.values())))
        bits = max(len(points) - 1, 0).bit_length()
        found = []  # block and row in one number: those are sorted several times as quickly as rows by block
        for (a, b), keys in shifted.items():
            row = np.flatnonzero(inside[0][a - steps[0]] & inside[1][b - steps[0]])
            found.append((np.searchsorted(blocks, keys) << bits).take(square.take(row)) | row)
        joined = np.concatenate(found)
        joined.sort()
        block = joined >> bits
        first = np.flatnonzero(np.diff(block, prepend=-1))
        return unpack(blocks[block[first]]), np.diff(first, append=len(joined)), joined & ((1 << bits) - 1)

    def _holds(self, index: NDArray[np.int64], place: NDArray[np.float64], last: np.int64) -> NDArray[np.bool_]:
        begin = index * self.stride
        below_end = (place <= begin + self.size) | (index == last)  # rounding must not push the last point out
        return (index >= 0) & (index <= last) & (begin <= place) & below_end


def block_regions(
    points: ScenePoints,
    core: NDArray[np.bool_],  # [M] the points that need an answer; the others are there for company
    extent: Extent,
    preparation: Preparation,
    overlap: float,
    seed: int,
) -> Iterator[Region]:
    """The regions that show a core point. All points within a block's side of the core must be among the points."""
    size = preparation.extent
    grid = BlockGrid(size, size * (1 - overlap), extent)
    index, count, row = grid.pairs(points)
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
        middle = extent.low[:2] + index[number] * grid.stride + size / 2
        floor = extent.floors.at(*middle.tolist())
        low = bounds(points.positions.take(rows, axis=0))[0].astype(np.float64)
        origin = np.array([low[0] + size / 2, low[1] + size / 2, floor])
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
