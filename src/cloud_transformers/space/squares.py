"""Squares of a plane by one number each, so that only occupied ones take memory, however far apart they lie."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.errors import InputError

_REACH = 2**30


def square_indices(places: NDArray[Any], side: float) -> NDArray[np.int64]:  # [N, 2] -> [N, 2]
    """The squares of a side in which points of the plane lie. Too far from the origin is a user's mistake."""
    index = np.floor(places / side)
    if len(index) and not np.abs(index).max() < _REACH:
        raise InputError(
            f"points lie {float(np.abs(places).max()):.3g} m from the rest of the scene, which is too far for regions "
            f"of {side:g} m; look for a damaged point, or give the right --scale"
        )
    return index.astype(np.int64)


def pack(index: NDArray[np.int64]) -> NDArray[np.int64]:  # [N, 2] -> [N]
    """One number per square; its order is that of the first index, then of the second."""
    return (index[:, 0] << 32) + index[:, 1]


def unpack(key: NDArray[np.int64]) -> NDArray[np.int64]:  # [N] -> [N, 2]
    second = ((key + 2**31) & (2**32 - 1)) - 2**31
    return np.stack([(key - second) >> 32, second], axis=1)


class Floors:
    """The lowest point of every square of a side; regions count heights from the lowest of the 3 x 3 around them.

    A scan of a whole building or a hillside has no single floor, and a room that fits into a square, as those of the
    training did, gets its own lowest point. A side of 0 stands for one square that holds everything.
    """

    def __init__(self, side: float) -> None:
        self.side = side
        self.lowest: dict[tuple[int, int], float] = {}

    def add(self, positions: NDArray[np.float32]) -> None:  # [N, 3]
        if not len(positions):
            return
        if self.side == 0:
            self._lower((0, 0), float(positions[:, 2].min()))
            return
        key = pack(square_indices(positions[:, :2].astype(np.float64), self.side))
        squares, inverse = np.unique(key, return_inverse=True)
        lowest = np.full(len(squares), np.inf, np.float32)
        np.minimum.at(lowest, inverse.reshape(-1), positions[:, 2])
        for (i, j), value in zip(unpack(squares).tolist(), lowest.tolist(), strict=True):
            self._lower((i, j), value)

    def _lower(self, square: tuple[int, int], value: float) -> None:
        self.lowest[square] = min(value, self.lowest.get(square, np.inf))

    def at(self, x: float, y: float) -> float:
        """The floor around a place near which there are points."""
        if self.side == 0:
            return self.lowest[0, 0]
        i, j = int(np.floor(x / self.side)), int(np.floor(y / self.side))
        around = [self.lowest.get((i + a, j + b), np.inf) for a in (-1, 0, 1) for b in (-1, 0, 1)]
        return min(around)
