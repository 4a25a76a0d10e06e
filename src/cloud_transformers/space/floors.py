"""Where the floor is. Training and prediction count heights from it by the same rule, which stands here alone.

Letters: N points, G groups of them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.space.cells import cell_indices, pack, square_indices, unpack


def floor_of(heights: NDArray[Any]) -> float:  # [N], N > 0
    """The height of the floor under some points, from their `heights`: that of the lowest one."""
    return float(heights.min())


def floors_of(
    heights: NDArray[np.float32],  # [N]
    group: NDArray[np.int64],  # [N] from 0 to G - 1, each of them at least once
) -> NDArray[np.float32]:  # [G]
    """`floor_of` of many groups of points at once."""
    lowest = np.full(int(group.max(initial=-1)) + 1, np.inf, np.float32)
    np.minimum.at(lowest, group, heights)
    return lowest


class Floors:
    """The floor of every square of a side; regions count heights from the lowest of the 3 x 3 squares around them.

    A scan of a whole building or a hillside has no single floor, and a room that fits into a square, as those of the
    training did, gets its own. A side of 0 stands for one square that holds everything.
    """

    def __init__(self, side: float) -> None:
        self.side = side
        self.lowest: dict[tuple[int, int], float] = {}

    def add(self, positions: NDArray[np.float32]) -> None:  # [N, 3]
        """Take up more points, by their `positions`, z up."""
        if not len(positions):
            return
        if self.side == 0:
            self._lower((0, 0), floor_of(positions[:, 2]))
            return
        key = pack(square_indices(positions[:, :2].astype(np.float64), self.side))
        squares, group = np.unique(key, return_inverse=True)
        floors = floors_of(positions[:, 2], group.reshape(-1))
        for (i, j), value in zip(unpack(squares).tolist(), floors.tolist(), strict=True):
            self._lower((i, j), value)

    def _lower(self, square: tuple[int, int], value: float) -> None:
        self.lowest[square] = min(value, self.lowest.get(square, np.inf))

    def at(self, x: float, y: float) -> float:
        """The floor around a place, (x, y), near which there are points."""
        if self.side == 0:
            return self.lowest[0, 0]
        i, j = cell_indices(np.array([x, y]), self.side).tolist()
        around = [self.lowest.get((i + a, j + b), np.inf) for a in (-1, 0, 1) for b in (-1, 0, 1)]
        return min(around)
