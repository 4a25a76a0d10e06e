"""A scene cut into overlapping columns, as `datasets.s3dis.room_blocks` cuts a room.

Blocks lie on one grid that begins at the scene's lowest corner. As in the training, a block under 100 points is left
out; but a point in no fuller block is scored in the fullest of its small ones, for every point gets an answer.

Letters: M points of a part of the scene, P pairs of a block and a point in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.datasets.s3dis.room_blocks import MIN_POINTS
from cloud_transformers.models.preparation import Preparation
from cloud_transformers.predict.scene.cells import pack, square_indices, unpack
from cloud_transformers.predict.scene.points import ScenePoints
from cloud_transformers.predict.scene.regions import Extent, Region, draws, make_region


@dataclass(frozen=True)
class BlockGrid:
    """Blocks of a side at every multiple of the stride, from 0 to the end of the scene."""

    size: float
    stride: float
    extent: Extent

    def pairs(self, points: ScenePoints) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Every block with every point in it: the blocks' packed indices [P], and the points' rows [P].

        Sorted by block, then row. Both borders belong to a block, as in the training.
        """
        place = points.positions[:, :2].astype(np.float64) - self.extent.low[:2]
        size = self.extent.high[:2] - self.extent.low[:2]
        last = np.maximum(0, np.ceil((size - self.size) / self.stride)).astype(np.int64)
        base = square_indices(place, self.stride)
        keys, rows = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
        # One more than fit, on either side: rounding may put a border into the neighbouring step.
        steps = range(-1, int(np.ceil(self.size / self.stride)) + 2)
        inside = [[self._holds(base[:, axis] - step, place[:, axis], last[axis]) for step in steps] for axis in (0, 1)]
        for a, in_x in zip(steps, inside[0], strict=True):
            for b, in_y in zip(steps, inside[1], strict=True):
                found = np.flatnonzero(in_x & in_y)
                keys.append(pack(base[found] - (a, b)))
                rows.append(found)
        key, row = np.concatenate(keys), np.concatenate(rows)
        order = np.lexsort((row, key))
        return key[order], row[order]

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
    key, row = grid.pairs(points)
    first = np.flatnonzero(np.diff(key, prepend=-1))
    ends = np.append(first[1:], len(key))
    count = ends - first
    shows = np.add.reduceat(core[row], first, dtype=np.int64) > 0 if len(first) else np.zeros(0, bool)
    block = np.repeat(np.arange(len(first)), count)

    covered = np.zeros(len(points), bool)
    covered[row[count[block] >= MIN_POINTS]] = True
    alone = core & ~covered
    # Pairs of points that are in no full block: the fullest of their blocks comes first, of equals the first.
    lonely = np.flatnonzero(alone[row])
    lonely = lonely[np.lexsort((block[lonely], -count[block[lonely]], row[lonely]))]
    lonely = lonely[np.diff(row[lonely], prepend=-1) != 0]
    home = np.full(len(points), -1, np.int64)
    home[row[lonely]] = block[lonely]

    wanted = np.union1d(np.flatnonzero(shows & (count >= MIN_POINTS)), block[lonely])
    for number in wanted.tolist():
        rows = row[first[number] : ends[number]]
        index = unpack(key[first[number : number + 1]])[0]
        middle = extent.low[:2] + index * grid.stride + size / 2
        floor = extent.floors.at(*middle.tolist())
        low = points.positions[rows, :2].min(axis=0).astype(np.float64)
        origin = np.array([low[0] + size / 2, low[1] + size / 2, floor])
        votes = core[rows] if count[number] >= MIN_POINTS else home[rows] == number
        for part in draws(len(rows), preparation.points, (seed, int(index[0]), int(index[1]))):
            if votes[part].any():
                yield make_region(points, rows[part], origin, floor, preparation, votes[part])
