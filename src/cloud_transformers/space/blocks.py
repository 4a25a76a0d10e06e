"""Blocks: square columns from floor to ceiling. How a scene is cut into them, and the coordinates inside one.

Letters: N points, L blocks that hold some, P pairs of a block and a point in it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.space.cells import Cells, pack, square_indices, unpack
from cloud_transformers.space.frames import Frame, up_rotation

MIN_POINTS = 100  # a block with fewer is too empty to learn from, and is left out where others show its points


def bounds(places: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:  # [N, D], N > 0
    """The lowest and highest coordinates [D] of `places`.

    Column by column: numpy takes 40 times as long along the first axis.
    """
    columns = list(places.T)
    return np.array([column.min() for column in columns]), np.array([column.max() for column in columns])


def block_origin(low: NDArray[Any], size: float, floor: float) -> NDArray[Any]:  # [2 or 3] -> [3]
    """What is taken off the positions of a block: its lowest x and y come to -size / 2, the floor to 0.

    `low` is the lowest corner of its points, and its type that of the result.
    """
    return np.array([low[0] + low.dtype.type(size / 2), low[1] + low.dtype.type(size / 2), floor], low.dtype)


def block_frame(
    positions: NDArray[Any],  # [N, 3] of the block
    size: float,  # its side
    up: str,  # the axis that points up in the file, "z", "-y" ...
    floor: float,  # along the axis that points up
) -> Frame:
    """The coordinates of a block of a file in which any axis points up: z does so inside it."""
    turn = up_rotation(up, "z")
    low, _ = bounds(positions @ turn.T)
    return Frame(turn, -block_origin(low, size, floor))


def column_rows(cells: Cells, index: NDArray[np.int64], margin: float) -> NDArray[np.int64]:
    """The points of the square at an index [2] of the ground, and of the ground around it, up to `margin`.

    `cells` are of the points' ground [N, 2]; the margin is at most their side. Rows are those of the points as given.
    """
    if margin == 0:
        return cells.rows(index)
    rows = cells.sorted_rows(index, around=1)
    low = cells.origin + index * cells.side
    places = cells.points[rows]
    return cells.order[rows[((places >= low - margin) & (places <= low + cells.side + margin)).all(axis=1)]]


@dataclass(frozen=True, eq=False)
class BlockGrid:
    """Overlapping blocks of a side at every multiple of the stride, from a scene's lowest corner to its end.

    A block's `index` [2] counts strides along x and y.
    """

    size: float  # the side
    stride: float
    low: NDArray[np.float64]  # [2]
    high: NDArray[np.float64]  # [2]
    slack: float = 0.0  # by how much blocks reach beyond their borders, so that rounding does not decide what they hold

    @property
    def last(self) -> NDArray[np.int64]:  # [2]
        """The index of the last block along each axis."""
        beyond_first = self.high - self.low - self.size - self.slack
        return np.maximum(0, np.ceil(beyond_first / self.stride)).astype(np.int64)

    def borders(self, index: NDArray[np.int64], axis: int) -> tuple[NDArray[Any], NDArray[Any]]:
        """Where blocks [L] begin and end along an axis, counted from `low`; both borders belong to a block."""
        begin = index * self.stride
        end = np.where(index == self.last[axis], np.inf, begin + self.size)  # rounding loses no last point
        return begin - self.slack, end + self.slack

    def pairs(self, ground: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:  # [N, 2]
        """Every block with every point in it, by the points' x and y, `ground`.

        Returns the blocks' indices [L, 2], how many points each has [L], and their rows [P], sorted by block, then row.
        """
        place = ground.astype(np.float64) - self.low
        base = square_indices(place, self.stride)
        # One more than fit, on either side: rounding may put a border into the neighbouring step.
        steps = range(-1, int(np.ceil(self.size / self.stride)) + 2)
        inside = [[self._holds(base[:, axis] - step, place[:, axis], axis) for step in steps] for axis in (0, 1)]
        squares, square = np.unique(pack(base), return_inverse=True)
        corners = unpack(squares)
        shifted = {(a, b): pack(corners - (a, b)) for a in steps for b in steps}
        blocks = np.unique(np.concatenate(list(shifted.values())))
        bits = max(len(place) - 1, 0).bit_length()
        found = []  # block and row in one number: those are sorted several times as quickly as rows by block
        for (a, b), keys in shifted.items():
            row = np.flatnonzero(inside[0][a - steps[0]] & inside[1][b - steps[0]])
            found.append((np.searchsorted(blocks, keys) << bits).take(square.take(row)) | row)
        joined = np.concatenate(found)
        joined.sort()
        block = joined >> bits
        first = np.flatnonzero(np.diff(block, prepend=-1))
        return unpack(blocks[block[first]]), np.diff(first, append=len(joined)), joined & ((1 << bits) - 1)

    def _holds(self, index: NDArray[np.int64], place: NDArray[np.float64], axis: int) -> NDArray[np.bool_]:
        begin, end = self.borders(index, axis)
        return (index >= 0) & (index <= self.last[axis]) & (begin <= place) & (place <= end)

    def middle(self, index: NDArray[np.int64]) -> NDArray[np.float64]:  # [2] -> [2]
        """Where the middle of a block lies in the scene."""
        return self.low + index * self.stride + self.size / 2
