"""What a region is: some points of a scene in the coordinates and with the features that the model was trained on.

Letters: M points of a part of the scene, n points of a region, F feature channels.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.cloud.channels import NORMAL
from cloud_transformers.models.preparation import Preparation, num_channels
from cloud_transformers.predict.scene.points import ScenePoints
from cloud_transformers.space.floors import Floors
from cloud_transformers.space.frames import up_rotation

_SLACK = 4.87131e-5  # of a region's extent: more than rounding, and no multiple of any step


@dataclass(frozen=True, eq=False)
class SceneRegion:
    rows: NDArray[np.int64]  # [n] which points, each once
    positions: NDArray[np.float32]  # [n, 3]
    features: NDArray[np.float32]  # [n, F]
    votes: NDArray[np.bool_]  # [n] for which of them the region's answer counts

    def select(self, part: NDArray[np.int64]) -> SceneRegion:
        rows, positions, features, votes = self.rows, self.positions, self.features, self.votes
        return SceneRegion(rows[part], positions.take(part, axis=0), features.take(part, axis=0), votes[part])

    def turned(self, turn: NDArray[np.float32], preparation: Preparation) -> SceneRegion:
        """The same points after a `turn`, a matrix [3, 3]; normals turn with them."""
        features = self.features
        if NORMAL in preparation.features:
            first = num_channels(preparation.features[: preparation.features.index(NORMAL)])
            before, normals, after = np.split(features, [first, first + 3], axis=1)
            features = np.concatenate([before, normals @ turn.T, after], axis=1)
        return SceneRegion(self.rows, self.positions @ turn.T, features, self.votes)


@dataclass(frozen=True, eq=False)
class Extent:
    """Where the whole scene lies, relative to its anchor: regions are placed by it, never by the tile at hand.

    All grids begin where the scene does, so that a scene that is moved as a whole gets the same answers. Coordinates
    are multiples of a step, often of a millimetre, so that many would lie on the very borders of cells, where rounding
    decides on the side. So cubes, columns and tiles begin at `start`, slightly below the lowest corner, and blocks are
    larger by that `slack` on all sides.
    """

    low: NDArray[np.float64]  # [3]
    high: NDArray[np.float64]  # [3]
    slack: float
    floors: Floors  # to be filled with the points of the scene

    @classmethod
    def between(cls, low: NDArray[Any], high: NDArray[Any], preparation: Preparation, floor_side: float) -> Extent:
        """That of a scene between two corners [3]."""
        slack = _SLACK * preparation.extent
        floors = Floors(floor_side, preparation.extent, preparation.floor, low[:2] - slack)
        return cls(low, high, slack, floors)

    @property
    def start(self) -> NDArray[np.float64]:  # [3]
        return self.low - self.slack


def make_region(
    points: ScenePoints,
    rows: NDArray[np.int64],
    origin: NDArray[np.float64],  # [3] what is taken off the positions
    floor: float,
    preparation: Preparation,
    votes: NDArray[np.bool_],
) -> SceneRegion:
    # In float64 until the origin is off: a scene may be kilometres wide.
    positions = points.positions.take(rows, axis=0).astype(np.float64)
    turn = up_rotation("z", preparation.up)  # from the scene's axes to those of the training
    values = points.values.take(rows, axis=0)
    columns: list[NDArray[np.float32]] = []
    for name in preparation.features:
        if name == "height":
            columns.append((positions[:, 2:] - floor).astype(np.float32))
            continue
        own, values = np.split(values, [num_channels([name])], axis=1)
        if name == "color":
            own = _normalized(own, preparation)
        elif name == NORMAL:
            own = _turned(own, turn)
        columns.append(own)
    positions -= origin
    if preparation.up != "z":
        positions = positions @ turn.T
    return SceneRegion(
        rows,
        (positions * preparation.scale).astype(np.float32),
        np.concatenate(columns, axis=1) if columns else np.zeros((len(rows), 0), np.float32),
        votes,
    )


def _normalized(colors: NDArray[np.float32], preparation: Preparation) -> NDArray[np.float32]:
    if not preparation.color_mean:
        return colors
    return ((colors - np.asarray(preparation.color_mean)) / np.asarray(preparation.color_std)).astype(np.float32)


def _turned(normals: NDArray[np.float32], turn: NDArray[np.float64]) -> NDArray[np.float32]:
    """Normals in other axes, at length 1 again where several were averaged."""
    turned = normals.astype(np.float64) @ turn.T
    length = np.linalg.norm(turned, axis=1, keepdims=True)
    return (turned / np.where(length > 0, length, 1)).astype(np.float32)


def draws(num: int, points: int, seed: tuple[int, ...]) -> Iterator[NDArray[np.int64]]:
    """Parts of `points` of the numbers below `num`, random, each number in at least one; all at once if they fit.

    The last part is filled up from the first, so that none is smaller than what the model was trained on.
    """
    if num <= points:
        yield np.arange(num)
        return
    order = np.random.default_rng(seed).permutation(num)
    for start in range(0, num, points):
        yield order[np.arange(start, start + points) % num]
