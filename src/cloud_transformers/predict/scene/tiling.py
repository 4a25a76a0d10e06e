"""A scene cut into tiles that fit into memory: squares of a quadtree, as large as their number of points allows.

Tiles only decide what is in memory together. Regions lie on grids of the whole scene, and a cube of the thinning
belongs to one tile as a whole, so that no answer depends on the tiles.

Letters: N points, L occupied squares (leaves of the tree).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.models.preparation import Preparation
from cloud_transformers.space.cells import cell_indices, pack, square_indices, unpack

_FEW = 30  # points of a region, below which no shape can be told
_MOST_LEAVES = 2_000_000  # 32 MB; with more the leaves become larger


class Census:
    """How many points there are in each small square, counted part by part."""

    def __init__(self, side: float, cell: float = 0, origin: NDArray[np.float64] | None = None) -> None:
        self.side, self.cell = side, cell  # of a square, and of a cube of the thinning; 0: none is done
        self.origin = np.zeros(2) if origin is None else origin[:2]  # where a square and a cube begin
        self.keys, self.counts = np.zeros(0, np.int64), np.zeros(0, np.int64)

    def leaves(self, positions: NDArray[np.float32]) -> NDArray[np.int64]:  # [N, 3] -> [N, 2]
        """The leaf of every point; points of one cube of the thinning are in one leaf."""
        places: NDArray[Any] = positions[:, :2].astype(np.float64) - self.origin
        if self.cell != 0:
            places = (cell_indices(places, self.cell) + 0.5) * self.cell  # the middle of the point's cube
        return square_indices(places, self.side)

    def add(self, positions: NDArray[np.float32]) -> None:
        self._count(*np.unique(pack(self.leaves(positions)), return_counts=True))

    def merge(self, other: Census) -> None:
        """Count what another one with the same settings and origin has counted; in any order the result is the same."""
        while self.side < other.side:
            self._coarsen()
        keys, side = other.keys, other.side
        while side < self.side:
            keys, side = pack(unpack(keys) >> 1), side * 2
        self._count(keys, other.counts)

    def _count(self, keys: NDArray[np.int64], counts: NDArray[np.int64]) -> None:
        self.keys, self.counts = _sums(np.append(self.keys, keys), np.append(self.counts, counts))
        while len(self.keys) > _MOST_LEAVES:
            self._coarsen()

    def _coarsen(self) -> None:
        self.side *= 2
        self.keys, self.counts = _sums(pack(unpack(self.keys) >> 1), self.counts)

    def notes(self, preparation: Preparation, *, scale_is_told: bool = False) -> list[str]:
        """A scene in which regions hold next to nothing is likely in other units than the model's."""
        total = int(self.counts.sum())
        if 0 < total < _FEW:
            return [
                f"holds {total} point{'s' if total > 1 else ''}, too few to tell a shape by: the labels are guesses"
            ]
        mean = self.mean()
        if mean >= _FEW or not total:
            return []
        return [
            f"only {mean:.1f} points per {self.side:g} x {self.side:g} m, where the model was trained with up to "
            f"{preparation.points}{'' if scale_is_told else ': if the coordinates are not metres, give --scale'}"
        ]

    def mean(self) -> float:
        """Points per square that holds some."""
        return float(self.counts.sum()) / max(len(self.counts), 1)

    def tiles(self, most: int) -> NDArray[np.int64]:  # [L]
        """The number of the tile to which each leaf of `keys` belongs, from 0.

        A tile has at most `most` points, but for a single leaf that has more.
        """
        leaves = unpack(self.keys)
        leaves -= leaves.min(axis=0) if len(leaves) else 0  # so that the tree's root begins where the scene does
        level = np.zeros(len(leaves), np.int64)
        for height in range(1, 40):
            _, square = np.unique(pack(leaves >> height), return_inverse=True)
            few = np.bincount(square.reshape(-1), weights=self.counts)[square.reshape(-1)] <= most
            if not few.any():
                break
            level[few] = height
            if len(np.unique(square)) == 1:
                break
        corner = pack((leaves >> level[:, None]) << level[:, None])
        _, tile = np.unique(corner, return_inverse=True)
        return tile.reshape(-1)


def _sums(keys: NDArray[np.int64], counts: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    unique, inverse = np.unique(keys, return_inverse=True)
    return unique, np.bincount(inverse.reshape(-1), weights=counts, minlength=len(unique)).astype(np.int64)
