"""Moving a sample: positions, normals and the recorded frame change together or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.cloud import PointCloud
from cloud_transformers.datasets.sample import AnySample, map_clouds

# The fields that are directions perpendicular to the surface. Any other vector field is left as it is.
NORMALS = ("normal",)


def moved(
    sample: AnySample,
    matrix: NDArray[Any],  # [3, 3], invertible
    shift: NDArray[Any],  # [3]
    normals: Sequence[str] = NORMALS,  # fields that are directions perpendicular to the surface
) -> AnySample:
    """All clouds of the sample under `p -> p @ matrix.T + shift`.

    Normals go with the inverse transpose, which keeps them perpendicular to a stretched surface, and keep their
    length. The cloud's `offset` is not touched: it is added after `frame.undo`.
    """
    matrix, shift = np.asarray(matrix, np.float64), np.asarray(shift, np.float64)
    inverse = np.linalg.inv(matrix)

    def move(cloud: PointCloud) -> PointCloud:
        positions = (cloud.positions @ matrix.T + shift).astype(np.float32)
        turned = {name: _turn(cloud.fields[name], inverse) for name in normals if name in cloud.fields}
        return replace(cloud, positions=positions, fields={**cloud.fields, **turned})

    return replace(map_clouds(sample, move), frame=sample.frame.then(matrix, shift))


def _turn(normals: NDArray[Any], inverse: NDArray[np.float64]) -> NDArray[Any]:
    turned = normals @ inverse
    length = np.linalg.norm(turned, axis=1, keepdims=True)
    wanted = np.linalg.norm(normals, axis=1, keepdims=True)
    return (turned * (wanted / np.where(length > 0, length, 1))).astype(normals.dtype)


def reference_cloud(sample: AnySample) -> PointCloud:
    """The cloud that normalisation is measured on: what the model sees, so that it can be repeated without a target."""
    cloud: PointCloud = getattr(sample, (sample.INPUTS or sample.CLOUDS)[0])
    return cloud
