"""Nearest points of many queries at once, by a KD-tree. One sphere at a time is found in `cells`.

Letters: N points searched, M queries, k neighbours.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

# The process in which pykdtree first ran its threads. OpenMP's pool does not survive a fork: a forked loader worker
# that called pykdtree after its parent had would wait for ever.
_threads_started_in: int | None = None

_CHUNK = 1 << 22  # distances held at once by the search without a tree: 32 MB


def nearest_points(
    points: NDArray[Any],  # [N, 3], N >= k
    queries: NDArray[Any],  # [M, 3]
    k: int = 1,
) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Distances [M, k] and indices [M, k] of each query's k nearest points, nearest first; ties in any order.

    pykdtree does it where it is installed, else scipy, else an exact comparison with every point.

    >>> points = np.array([[0, 0, 0], [0, 0, 2], [0, 0, 5]])
    >>> distances, indices = ct.space.neighbours.nearest_points(points, np.array([[0, 0, 3]]), k=2)
    >>> distances.tolist(), indices.tolist()
    ([[1.0, 2.0]], [[1, 2]])
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
