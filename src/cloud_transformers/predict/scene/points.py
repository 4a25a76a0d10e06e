"""Points of a scene on their way to the model: in its axes and metres, with what it wants to know of each.

Letters: N raw points, M scored points, C channels that the model wants of the file.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.cloud import PointCloud
from cloud_transformers.space.subsample import grid_subsample


@dataclass(frozen=True, eq=False)
class ScenePoints:
    """Points relative to the scene's anchor, z up, in metres, sorted by `number`.

    `number` is a point's place in the file; that of a thinned point is the smallest among those it stands for. It is
    what makes answers independent of how a scene is cut into tiles: whatever is ordered is ordered by it.
    """

    positions: NDArray[np.float32]  # [M, 3]
    values: NDArray[np.float32]  # [M, C] what `intake.Survey` made of colours and fields, side by side
    number: NDArray[np.int64]  # [M]

    def __len__(self) -> int:
        return len(self.number)

    def select(self, rows: NDArray[np.bool_] | NDArray[np.int64]) -> ScenePoints:
        return ScenePoints(self.positions[rows], self.values[rows], self.number[rows])

    def nbytes(self) -> int:
        return self.positions.nbytes + self.values.nbytes + self.number.nbytes


def merge(parts: Sequence[ScenePoints]) -> tuple[ScenePoints, NDArray[np.bool_]]:
    """All points of the parts, sorted by number, and which of them are of the first part."""
    of_first = np.arange(sum(map(len, parts))) < len(parts[0])
    if len(parts) == 1:
        return parts[0], of_first
    number = np.concatenate([part.number for part in parts])
    order = np.argsort(number, kind="stable")
    merged = ScenePoints(
        np.concatenate([part.positions for part in parts])[order],
        np.concatenate([part.values for part in parts])[order],
        number[order],
    )
    return merged, of_first[order]


def thin(
    points: ScenePoints,
    origin: NDArray[np.float64],  # [3] where a cube begins
    cell: float,
) -> tuple[ScenePoints, NDArray[np.int64] | None]:
    """One point per occupied cube, at the mean, and for each point the row of the one that stands for it.

    With a cell of 0 the points themselves, and None.
    """
    if cell == 0 or not len(points):
        return points, None
    cloud = PointCloud(positions=points.positions, fields={"values": points.values}, offset=-origin)
    thinned, cube = grid_subsample(cloud, cell)
    first = np.empty(len(thinned), np.int64)
    first[cube[::-1]] = points.number[::-1]  # of several writes to one place the last stays: the smallest number
    order = np.argsort(first)
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    return ScenePoints(thinned.positions[order], thinned.fields["values"][order], first[order]), place[cube]
