"""A scene covered by spheres around its own points, as `datasets.s3dis.spheres` shows it to a model in training.

The scene is cut into cubes whose diagonal is the radius. The point nearest to the mean of a cube's points is the
centre of a sphere, which takes the nearest points up to the number that the model was trained with; while points of
the cube are left out, the same is done with these. So all points are shown, and which spheres there are depends on
nothing but the points around.

Letters: M points of a part of the scene.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.errors import InputError
from cloud_transformers.models.preparation import Preparation
from cloud_transformers.predict.scene.points import ScenePoints
from cloud_transformers.predict.scene.regions import Extent, Region, make_region


class Cubes:
    """Rows of points by occupied cube. `space.neighbours.Cells` also counts empty ones: too many in an open scene."""

    def __init__(self, positions: NDArray[np.float64], side: float) -> None:  # [M, 3]
        self.side = side
        index = np.floor(positions / side)
        if len(index) and not np.abs(index).max() < 2**60:
            raise InputError(f"points lie too far apart for spheres of {side:g} m; give the right --scale")
        cubes = index.astype(np.int64)
        order = np.lexsort((cubes[:, 2], cubes[:, 1], cubes[:, 0]))
        ordered = cubes[order]
        new = np.ones(len(order), bool)
        new[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
        first = np.flatnonzero(new)
        parts = np.split(order, first[1:]) if len(order) else []
        self.rows = dict(zip(map(tuple, ordered[first].tolist()), parts, strict=True))

    def around(self, place: NDArray[np.float64]) -> NDArray[np.int64]:  # [3]
        """Rows of all points less than a side away from a place, and of some others."""
        i, j, k = np.floor(place / self.side).astype(np.int64).tolist()
        near = (-1, 0, 1)
        found = [self.rows.get((i + a, j + b, k + c)) for a in near for b in near for c in near]
        return np.concatenate([rows for rows in found if rows is not None])


def sphere_regions(
    points: ScenePoints,
    core: NDArray[np.bool_],  # [M] the points that need an answer; the others are there for company
    extent: Extent,
    preparation: Preparation,
) -> Iterator[Region]:
    """The regions that show a core point. All points within three radii of the core must be among the points."""
    if not core.any():
        return
    radius = preparation.extent
    positions = points.positions.astype(np.float64) - extent.low
    neighbors = Cubes(positions, radius)
    reach_low, reach_high = positions[core].min(axis=0) - radius, positions[core].max(axis=0) + radius
    for group in Cubes(positions, radius / np.sqrt(3)).rows.values():
        places = positions[group]
        if (places.max(axis=0) < reach_low).any() or (places.min(axis=0) > reach_high).any():
            continue
        left = np.sort(group)
        while len(left):
            offsets = positions[left] - positions[left].mean(axis=0)
            center = left[np.square(offsets).sum(axis=1).argmin()]
            rows = _sphere(positions, neighbors, positions[center], left, radius, preparation.points)
            left = np.setdiff1d(left, rows, assume_unique=True)
            if core[rows].any():
                floor = extent.floors.at(*(positions[center] + extent.low)[:2].tolist())
                origin = positions[center] + extent.low
                yield make_region(points, rows, origin, floor, preparation, core[rows])


def _sphere(
    positions: NDArray[np.float64],
    neighbors: Cubes,
    center: NDArray[np.float64],
    left: NDArray[np.int64],
    radius: float,
    limit: int,
) -> NDArray[np.int64]:
    rows = neighbors.around(center)
    squared = np.square(positions[rows] - center).sum(axis=1)
    inside = squared <= radius**2
    rows, squared = rows[inside], squared[inside]
    # Of equally near points those without an answer come first: else a heap of equal points would never be done.
    order = np.lexsort((rows, ~np.isin(rows, left), squared))[:limit]
    return rows[order]
