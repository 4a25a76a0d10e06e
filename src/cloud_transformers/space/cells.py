"""Grid cells: squares of a plane or cubes of space, of one side, and which points lie in each.

Letters: N points, D axes (2 or 3), L occupied cells.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.errors import InputError

_SQUARES_REACH = 2**30  # `pack` joins two indices into one number of 64 bits
_REACH = 2**62  # beyond it an index is no integer of 64 bits


def cell_indices(places: NDArray[Any], side: float) -> NDArray[np.int64]:  # any shape -> the same
    """The number of the cell, of a side, in which `places` lie along each axis.

    A border belongs to the cell that begins there.
    """
    return np.floor(places / side).astype(np.int64)


def square_indices(places: NDArray[Any], side: float) -> NDArray[np.int64]:  # [N, 2] -> [N, 2]
    """The squares of a side in which `places` of a plane lie, near enough to the origin for `pack`; else InputError."""
    _check_reach(places, side, _SQUARES_REACH)
    return cell_indices(places, side)


def _check_reach(places: NDArray[Any], side: float, reach: int) -> None:
    farthest = float(np.abs(places).max(initial=0))
    if not farthest / side < reach - 1:
        raise _too_far(farthest, side)


def _too_far(distance: float, side: float) -> InputError:
    return InputError(
        f"points lie {distance:.3g} m from the rest of the scene, which is too far for regions of {side:g} m; "
        "look for a damaged point, or give the right --scale"
    )


def pack(index: NDArray[np.int64]) -> NDArray[np.int64]:  # [N, 2] -> [N]
    """One number per square; its order is that of the first index, then of the second."""
    return (index[:, 0] << 32) + index[:, 1]


def unpack(key: NDArray[np.int64]) -> NDArray[np.int64]:  # [N] -> [N, 2]
    """The squares that `pack` made numbers, `key`, of."""
    second = ((key + 2**31) & (2**32 - 1)) - 2**31
    return np.stack([(key - second) >> 32, second], axis=1)


def cell_numbers(
    columns: Sequence[NDArray[np.int64]],  # D indices [N], N > 0
    most: int,
) -> NDArray[np.int64]:  # [N]
    """One number per point, equal for points of one cell and in the order of the indices.

    It is below `most`, which must be more than N.
    """
    shifted = [column - column.min() for column in columns]
    sizes = [int(column.max()) + 1 for column in shifted]
    if math.prod(sizes) < most:
        return _joined(shifted, sizes)
    return np.unique(np.stack(columns, axis=1), axis=0, return_inverse=True)[1].reshape(-1)


def _joined(columns: Sequence[Any], sizes: Sequence[int]) -> Any:
    number = columns[0]
    for column, size in zip(columns[1:], sizes[1:], strict=True):
        number = number * size + column
    return number


class Cells:
    """Points sorted by the cell they lie in, and the cells around a place.

    By hand because a KD-tree of either library does not pickle into workers and is unsafe after a fork (see
    `neighbours`), and because the points of a sphere or a column are found about as fast by looking at the cells
    around it. Only occupied cells take memory, however far apart they lie. Being plain arrays, the cells of a large
    scene can be stored once and memory-mapped by every worker.
    """

    def __init__(
        self,
        points: NDArray[Any],  # [N, D]
        side: float,  # of a cell
        origin: NDArray[Any] | None = None,  # [D] where a cell begins; by default the lowest corner of the points
    ) -> None:
        D = points.shape[1]
        self.side = side
        self.origin = (points.min(axis=0) if len(points) else np.zeros(D, np.float32)) if origin is None else origin
        places = points - self.origin
        _check_reach(places, side, _REACH)
        index = cell_indices(places, side)
        ranks: list[NDArray[np.int64]] = []
        self.lines: list[NDArray[np.int64]] = []  # of each axis: the indices that occur, in their order
        for axis in range(D):
            line, rank = np.unique(index[:, axis], return_inverse=True)
            self.lines.append(line)
            ranks.append(rank.reshape(-1))
        sizes = [len(line) for line in self.lines]
        if math.prod(sizes) >= 2 * _REACH:
            raise _too_far(float(np.abs(places).max()), side)
        number = _joined(ranks, sizes)
        self.order = np.argsort(number, kind="stable").astype(np.int64)  # row in the cells -> row of `points`
        self.points = np.ascontiguousarray(points[self.order])
        self.numbers, starts = np.unique(number[self.order], return_index=True)  # [L]
        self.starts = np.append(starts, len(points)).astype(np.int64)  # [L + 1]

    def save(self, folder: Path) -> None:
        """Write the arrays into a folder that exists."""
        for name in _ARRAYS:
            np.save(folder / f"{name}.npy", getattr(self, name), allow_pickle=False)
        for axis, line in enumerate(self.lines):
            np.save(folder / f"line_{axis}.npy", line, allow_pickle=False)

    @classmethod
    def load(cls, folder: Path, side: float) -> Cells:
        """Cells of a side that `save` wrote into a folder, memory-mapped."""

        def opened(name: str) -> NDArray[Any]:
            return np.asanyarray(np.load(folder / f"{name}.npy", mmap_mode="r", allow_pickle=False))

        cells = cls.__new__(cls)
        cells.side = side
        for name in _ARRAYS:
            setattr(cells, name, opened(name))
        cells.lines = [opened(f"line_{axis}") for axis in range(len(cells.origin))]
        return cells

    def __iter__(self) -> Iterator[NDArray[np.int64]]:
        """Rows of `points`, as they were given, of each occupied cell, in the order of the cells' indices."""
        return (self.order[first:last] for first, last in zip(self.starts[:-1], self.starts[1:], strict=True))

    def indices(self) -> NDArray[np.int64]:  # [L, D]
        """The occupied cells, in their order."""
        rest, columns = self.numbers, []
        for line in reversed(self.lines):
            columns.append(line[rest % len(line)])
            rest = rest // len(line)
        return np.stack(columns[::-1], axis=1)

    def index_at(self, place: NDArray[Any]) -> NDArray[np.int64]:  # [D] -> [D]
        """The cell in which a place lies."""
        return cell_indices(place - self.origin, self.side)

    def sorted_rows(self, index: NDArray[np.int64], around: int = 0) -> NDArray[np.int64]:
        """Rows of `self.points` in the cell at an index [D] and the cells `around` it.

        With 1, these are all points up to a side away from any place in the cell, and some others.
        """
        spans = [
            range(*np.searchsorted(line, [number - around, number + around + 1]).tolist())
            for line, number in zip(self.lines, index.tolist(), strict=True)
        ]
        if not all(spans):
            return np.zeros(0, np.int64)
        # Along the last axis cells lie side by side, so that each column of them is one slice.
        *outer, last = spans
        sizes = [len(line) for line in self.lines]
        begins = [_joined([*column, last[0]], sizes) for column in itertools.product(*outer)]
        places = np.searchsorted(self.numbers, [begins, [begin + len(last) for begin in begins]])
        slices = zip(*self.starts[places].tolist(), strict=True)
        return np.concatenate([np.arange(first, end) for first, end in slices])

    def rows(self, index: NDArray[np.int64], around: int = 0) -> NDArray[np.int64]:
        """The same, for an index [D], with the rows that the points had before they were sorted."""
        return self.order[self.sorted_rows(index, around)]


_ARRAYS = ("origin", "order", "points", "numbers", "starts")
