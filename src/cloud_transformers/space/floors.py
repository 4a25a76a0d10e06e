"""Where the floor is. Training and prediction count heights from it by the same rule, which stands here alone.

The ground is divided into columns, of each of which the lowest point counts: so neither the density of a scan nor
the order in which its parts come has a say. Which of these heights is the floor is the estimate:

- "lowest": the lowest of all. A single stray point below the floor moves it.
- "robust": the lowest thin layer in which a tenth of the columns begin. Stray points below the floor are spread over
  many layers, so that they do not count even where they are many.

Letters: N points, C columns.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.space.cells import cell_indices, pack, square_indices, unpack

Estimate = Literal["lowest", "robust"]

COLUMNS = 10  # along the side or radius of a region
_SHARE = 0.1  # of the columns: fewer are no floor
_LAYER = 0.05  # the thickness of a floor, as a share of a region's extent
_SLOPE = 0.05  # where no layer holds that many columns, as on a hillside, this share of them lies below the floor
_MOST_COLUMNS = 2_000_000  # 24 MB; with more the columns become larger


def floor_of(
    lowest: NDArray[Any],  # [C] the heights of the columns' lowest points, C > 0
    estimate: Estimate,
    extent: float,  # of a region
) -> float:
    """The height of the floor by one of the estimates."""
    if estimate == "lowest":
        return float(lowest.min())
    heights = np.sort(lowest)
    count = max(1, int(_SHARE * len(heights)))
    thin = heights[count - 1 :] - heights[: len(heights) - count + 1] <= _LAYER * extent
    first = int(thin.argmax())
    return float(heights[first + count // 2] if thin[first] else heights[int(_SLOPE * len(heights))])


def floor_under(
    positions: NDArray[Any],  # [N, 3], N > 0
    up: int,  # the axis that points up: 0, 1 or 2
    extent: float,  # of a region
    estimate: Estimate,
) -> float:
    """The floor of points that have one floor, such as a room, along the axis that points up."""
    floors = Floors(0, extent, estimate)
    floors.add(np.concatenate([np.delete(positions, up, axis=1), positions[:, up : up + 1]], axis=1))
    return floors.at(0, 0)


class Floors:
    """The floor around every place of a scene: that of the 3 x 3 squares of a side around it.

    A scan of a whole building or a hillside has no single floor, and a room that fits into a square, as those of the
    training did, gets its own. A side of 0 stands for one square that holds everything.
    """

    def __init__(
        self,
        side: float,
        extent: float,  # of a region; columns have a tenth of it
        estimate: Estimate,  # see the module
        origin: NDArray[np.float64] | None = None,  # [2] where a column begins; by default where the first points do
    ) -> None:
        self.side, self.extent, self.estimate, self.origin = side, extent, estimate, origin
        self._column = extent / COLUMNS
        self._keys, self._lowest = np.zeros(0, np.int64), np.zeros(0)  # of the columns that hold points
        self._squares: dict[tuple[int, int], NDArray[Any]] | None = None  # the columns' heights, sorted into squares
        self._known: dict[tuple[int, int], float] = {}

    def add(self, positions: NDArray[Any]) -> None:  # [N, 3], z up
        """Take up more points."""
        if not len(positions):
            return
        if self.origin is None:
            self.origin = positions[:, :2].min(axis=0).astype(np.float64)
        columns = square_indices(positions[:, :2].astype(np.float64) - self.origin, self._column)
        self._take_up(pack(columns), positions[:, 2].astype(np.float64))
        self._limit()

    def merge(self, other: Floors) -> None:
        """Take up the points that `other`, with the same settings and origin, has taken up.

        The result is that of all points in one: of each column the lowest counts, and columns become larger once, for
        whatever order, there are too many of them.
        """
        if not len(other._keys):
            return
        while self._column < other._column:
            self._coarsen()
        keys, column = other._keys, other._column
        while column < self._column:
            keys, column = pack(unpack(keys) >> 1), column * 2
        self._take_up(keys, other._lowest)
        self._limit()

    def _limit(self) -> None:
        while len(self._keys) > _MOST_COLUMNS:
            self._coarsen()
        self._squares, self._known = None, {}

    def _coarsen(self) -> None:
        self._column *= 2
        keys, lowest = pack(unpack(self._keys) >> 1), self._lowest
        self._keys, self._lowest = np.zeros(0, np.int64), np.zeros(0)
        self._take_up(keys, lowest)

    def _take_up(self, keys: NDArray[np.int64], heights: NDArray[np.float64]) -> None:
        self._keys, group = np.unique(np.append(self._keys, keys), return_inverse=True)
        heights = np.append(self._lowest, heights)
        self._lowest = np.full(len(self._keys), np.inf)
        np.minimum.at(self._lowest, group.reshape(-1), heights)

    def at(self, x: float, y: float) -> float:
        """The floor around a place, (x, y), near which there are points."""
        i, j = self._square_of(np.array([[x, y]]) - self.origin)[0].tolist()
        if (i, j) not in self._known:
            squares = self._sorted_into_squares()
            around = [squares.get((i + a, j + b)) for a in (-1, 0, 1) for b in (-1, 0, 1)]
            heights = np.concatenate([each for each in around if each is not None])
            self._known[i, j] = floor_of(heights, self.estimate, self.extent)
        return self._known[i, j]

    def _square_of(self, places: NDArray[Any]) -> NDArray[np.int64]:  # [C, 2] -> [C, 2]
        return cell_indices(places, self.side) if self.side else np.zeros(places.shape, np.int64)

    def _sorted_into_squares(self) -> dict[tuple[int, int], NDArray[Any]]:
        if self._squares is None:
            square = pack(self._square_of((unpack(self._keys) + 0.5) * self._column))
            order = np.argsort(square, kind="stable")
            squares, first = np.unique(square[order], return_index=True)
            heights = np.split(self._lowest[order], first[1:])
            self._squares = {(i, j): each for (i, j), each in zip(unpack(squares).tolist(), heights, strict=True)}
        return self._squares
