"""A scene covered by spheres around its own points, as a model sees them in training (`space.spheres`).

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

from cloud_transformers.models.preparation import Preparation
from cloud_transformers.predict.scene.points import ScenePoints
from cloud_transformers.predict.scene.regions import Extent, SceneRegion, make_region
from cloud_transformers.space.cells import Cells
from cloud_transformers.space.spheres import in_sphere


def sphere_regions(
    points: ScenePoints,
    core: NDArray[np.bool_],  # [M] the points that need an answer; the others are context
    extent: Extent,
    preparation: Preparation,
) -> Iterator[SceneRegion]:
    """The regions that show a core point. All points within three radii of the core must be among the points."""
    if not core.any():
        return
    radius = preparation.extent
    positions = points.positions.astype(np.float64) - extent.low
    start = np.zeros(3)  # cells of all parts of a scene begin at the same place
    neighbors = Cells(positions, radius, start)
    reach_low, reach_high = positions[core].min(axis=0) - radius, positions[core].max(axis=0) + radius
    for group in Cells(positions, radius / np.sqrt(3), start):
        places = positions[group]
        if (places.max(axis=0) < reach_low).any() or (places.min(axis=0) > reach_high).any():
            continue
        left = np.sort(group)
        while len(left):
            offsets = positions[left] - positions[left].mean(axis=0)
            center = left[np.square(offsets).sum(axis=1).argmin()]
            near = np.sort(neighbors.rows(neighbors.index_at(positions[center]), around=1))
            # Of equally near points those without an answer come first: else a heap of equal points is never done.
            has_answer = ~np.isin(near, left)
            _, found = in_sphere(positions[near], positions[center], radius, preparation.points, tie=has_answer)
            rows = near[found]
            left = np.setdiff1d(left, rows, assume_unique=True)
            if core[rows].any():
                floor = extent.floors.at(*points.positions[center, :2].tolist())
                origin = points.positions[center].astype(np.float64)
                yield make_region(points, rows, origin, floor, preparation, core[rows])
