"""Nearest points: a KD-tree for many queries at once, cells for one sphere at a time.

Letters: N points searched, M queries, k neighbours.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

# The process in which pykdtree first ran its threads. OpenMP's pool does not survive a fork: a forked loader worker
# that called pykdtree after its parent had would wait for ever.
_threads_started_in: int | None = None

_CHUNK = 1 << 22  # distances held at once by the search without a tree: 32 MB


def nearest(
    points: NDArray[Any],  # [N, 3], N >= k
    queries: NDArray[Any],  # [M, 3]
    k: int = 1,
) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Distances [M, k] and indices [M, k] of each query's k nearest points, nearest first; ties in any order.

    pykdtree does it where it is installed, else scipy, else an exact comparison with every point.
    """
    if not 1 <= k <= len(points):
        raise ValueError(f"k must be between 1 and the number of points {len(points)}, got {k}")
    points = np.ascontiguousarray(points, np.float32)
    queries = np.ascontiguousarray(queries, np.float32)
    if not len(queries):
        return np.zeros((0, k), np.float32), np.zeros((0, k), np.int64)
    tree = _tree(points)
    if tree is None:
        return _nearest_by_comparison(points, queries, k)
    distances, indices = tree.query(queries, k=k)
    shape = (len(queries), k)
    return distances.reshape(shape).astype(np.float32), indices.reshape(shape).astype(np.int64)


def _tree(points: NDArray[np.float32]) -> Any:
    """A KD-tree of the fastest library there is that is safe in this process, or None."""
    global _threads_started_in
    if _threads_started_in in (None, os.getpid()):
        with suppress(ImportError):
            from pykdtree.kdtree import KDTree

            _threads_started_in = os.getpid()
            return KDTree(points)
    with suppress(ImportError):
        from scipy.spatial import cKDTree

        return cKDTree(points)
    return None


def _nearest_by_comparison(
    points: NDArray[np.float32], queries: NDArray[np.float32], k: int
) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    distances = np.empty((len(queries), k), np.float32)
    indices = np.empty((len(queries), k), np.int64)
    step = max(1, _CHUNK // len(points))
    for start in range(0, len(queries), step):
        chunk = queries[start : start + step]
        # Differences rather than the binomial formula: the latter cancels to noise far from the origin.
        squared = sum((chunk[:, None, axis] - points[None, :, axis]) ** 2 for axis in range(3))
        assert isinstance(squared, np.ndarray)
        chosen = np.argpartition(squared, k - 1, axis=1)[:, :k]
        found = np.take_along_axis(squared, chosen, axis=1)
        order = np.argsort(found, axis=1, kind="stable")
        rows = slice(start, start + len(chunk))
        distances[rows] = np.sqrt(np.take_along_axis(found, order, axis=1))
        indices[rows] = np.take_along_axis(chosen, order, axis=1)
    return distances, indices


class Cells:
    """Points sorted into cubes of one radius: all points in a sphere of up to that radius, for one centre at a time.

    By hand because a KD-tree of either library does not pickle into workers, is unsafe after a fork (above), and
    for one sphere of thousands of points is no faster than comparing with the 27 cubes around it. Being plain arrays,
    the cells of a large scene can also be stored once and memory-mapped by every worker.
    """

    def __init__(self, points: NDArray[Any], radius: float):
        self.radius = radius
        self.origin = points.min(axis=0) if len(points) else np.zeros(3, np.float32)
        cell = np.floor((points - self.origin) / radius).astype(np.int64)
        self.shape = cell.max(axis=0) + 1 if len(points) else np.ones(3, np.int64)
        number = (cell[:, 0] * self.shape[1] + cell[:, 1]) * self.shape[2] + cell[:, 2]
        self.order = np.argsort(number, kind="stable").astype(np.int64)  # row in the cells -> row of `points`
        self.points = np.ascontiguousarray(points[self.order])
        self.starts = np.searchsorted(number[self.order], np.arange(int(np.prod(self.shape)) + 1))

    def save(self, folder: Path) -> None:
        for name in _CELL_ARRAYS:
            np.save(folder / f"{name}.npy", getattr(self, name), allow_pickle=False)

    @classmethod
    def load(cls, folder: Path, radius: float) -> Cells:
        """Cells that `save` wrote, memory-mapped."""
        cells = cls.__new__(cls)
        cells.radius = radius
        for name in _CELL_ARRAYS:
            setattr(cells, name, np.load(folder / f"{name}.npy", mmap_mode="r", allow_pickle=False))
        return cells

    def rows_within(
        self, center: NDArray[Any], limit: int | None = None
    ) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        """Squared distances and rows of `self.points` of the points at most `radius` away, nearest first, at most
        `limit` of them."""
        low = np.floor((center - self.origin) / self.radius).astype(np.int64) - 1
        x0, y0, z0 = np.maximum(low, 0)
        x1, y1, z1 = np.minimum(low + 3, self.shape)
        rows = [np.zeros(0, np.int64)]
        if z0 < z1:
            for x in range(x0, x1):
                for y in range(y0, y1):  # along z the cells of a column lie side by side
                    column = (x * self.shape[1] + y) * self.shape[2]
                    rows.append(np.arange(self.starts[column + z0], self.starts[column + z1]))
        found = np.concatenate(rows)
        squared = np.square(self.points[found] - center).sum(axis=1, dtype=np.float32)
        inside = squared <= self.radius**2
        squared, found = squared[inside], found[inside]
        order = np.argsort(squared, kind="stable")[:limit]
        return squared[order], found[order]

    def within(self, center: NDArray[Any], limit: int | None = None) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        """The same with the indices that the points had before they were sorted."""
        squared, rows = self.rows_within(center, limit)
        return squared, self.order[rows]


_CELL_ARRAYS = ("origin", "shape", "order", "points", "starts")
