"""Spheres: the points around a centre, and centres that cover scenes evenly.

Letters: N points, S scenes, M points of a scene.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.space.cells import Cells


def in_sphere(
    points: NDArray[Any],  # [N, 3]
    center: NDArray[Any],  # [3]
    radius: float,
    limit: int | None = None,
    tie: NDArray[Any] | None = None,  # [N] of equally near points those with the smaller value come first
) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Squared distances and rows of the points at most `radius` away, nearest first, at most `limit` of them.

    Without `tie`, equally near points stay in their order.
    """
    squared = np.square(points - center).sum(axis=1)
    rows = np.flatnonzero(squared <= radius**2)
    squared = squared[rows]
    keys = (squared,) if tie is None else (tie[rows], squared)
    order = np.lexsort(keys)[:limit]
    return squared[order], rows[order]


def rows_within(cells: Cells, center: NDArray[Any], limit: int | None = None) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Squared distances and rows of `cells.points` of the points at most a cell's side from a center [3].

    Nearest first, and at most `limit` of them, if it is given.
    """
    near = cells.sorted_rows(cells.index_at(center), around=1)
    squared, found = in_sphere(cells.points[near], center, cells.side, limit)
    return squared, near[found]


def potential_centers(
    scenes: Sequence[NDArray[np.float32]],  # S arrays [M, 3]; a coarse grid suffices
    count: int,
    radius: float,
    rng: np.random.Generator,
    *,
    noise: float = 0.1,
    weights: Sequence[NDArray[np.int64]] | None = None,  # S arrays [M]: how many points each coarse point stands for
    limit: int | None = None,  # how many points a sphere holds
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Which scene each of `count` spheres is in, and its centre [count, 3], so that spheres cover the scenes evenly.

    Every point starts with a tiny random potential. The point with the smallest one of all scenes is next; the centre
    is it plus Gaussian noise of `noise * radius`; then potentials around the centre grow by Tukey's weight
    (1 - d^2 / r^2)^2. Where a sphere is too crowded for all its points, only the `limit` nearest were visited, and only
    these grow; otherwise the far ones would pass for visited and never be seen.
    """
    cells = [Cells(points, radius) for points in scenes]
    potentials = [rng.random(len(points)) * 1e-3 for points in scenes]
    lowest = np.array([values.min() for values in potentials])
    scene = np.empty(count, np.int64)
    center = np.empty((count, 3), np.float32)
    for step in range(count):
        number = int(lowest.argmin())
        values = potentials[number]
        middle = scenes[number][values.argmin()] + rng.normal(0, noise * radius, 3).astype(np.float32)
        squared, near = rows_within(cells[number], middle)
        if not len(near):  # noise can carry the centre off a lone point; without a weight it would be drawn for ever
            middle = scenes[number][values.argmin()]
            squared, near = rows_within(cells[number], middle)
        near = cells[number].order[near]
        if limit is not None:
            held = np.arange(1, len(near) + 1) if weights is None else np.cumsum(weights[number][near])
            seen = max(1, int(np.searchsorted(held, limit, side="right")))
            squared, near = squared[:seen], near[:seen]
        values[near] += np.square(1 - squared / np.float32(radius**2))
        lowest[number] = values.min()
        scene[step], center[step] = number, middle
    return scene, center
