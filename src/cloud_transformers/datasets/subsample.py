"""Grid subsampling: one point per cube, at the mean of the points in it.

Letters: N points, M occupied cubes, C channels of a field.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.cloud import PointCloud

# Fields whose values are names, not amounts: the most frequent one stands for the cube (the smallest, if several are).
CATEGORICAL = ("label", "instance", "mask", "classification")


def grid_subsample(
    cloud: PointCloud, cell: float, *, categorical: Collection[str] = CATEGORICAL
) -> tuple[PointCloud, NDArray[np.int64]]:
    """The thinned cloud of M points and, for each of the N points, the number of its cube [N].

    Cubes have the side `cell` and are aligned to the origin of world coordinates (`positions + offset`), so that
    neighbouring clouds are cut along the same lines. Positions and amounts are averaged (float32 fields stay float32,
    integer ones are rounded); fields named in `categorical` take the most frequent value.
    """
    if not cell > 0:
        raise ValueError(f"the side of a grid cell must be positive, got {cell}")
    if not len(cloud):
        return cloud, np.zeros(0, np.int64)
    number = _cube_numbers(cloud.positions + cloud.offset, cell)
    order = np.argsort(number, kind="stable")
    first = np.flatnonzero(np.diff(number[order], prepend=-1))
    cube = np.empty(len(cloud), np.int64)
    cube[order] = np.repeat(np.arange(len(first)), np.diff(first, append=len(cloud)))
    counts = np.diff(first, append=len(cloud))

    def mean(values: NDArray[Any]) -> NDArray[Any]:
        # reduceat over the sorted rows keeps float64 sums, which bincount would do once per channel.
        total = np.add.reduceat(values[order].astype(np.float64), first, axis=0)
        average = total / counts.reshape(-1, *[1] * (values.ndim - 1))
        return (average if values.dtype.kind == "f" else np.rint(average)).astype(values.dtype)

    fields = {
        name: _most_frequent(values, cube, len(first)) if name in categorical else mean(values)
        for name, values in cloud.fields.items()
    }
    thinned = PointCloud(
        positions=mean(cloud.positions), fields=fields, offset=cloud.offset, metadata=dict(cloud.metadata)
    )
    return thinned, cube


def _cube_numbers(world: NDArray[np.float64], cell: float) -> NDArray[np.int64]:
    """A number [N] per point, equal for points of the same cube."""
    index = np.floor(world / cell).astype(np.int64)
    index -= index.min(axis=0)
    shape = index.max(axis=0) + 1
    if float(shape[0]) * float(shape[1]) * float(shape[2]) < 2**62:
        return (index[:, 0] * shape[1] + index[:, 1]) * shape[2] + index[:, 2]
    return np.unique(index, axis=0, return_inverse=True)[1].reshape(-1)


def _most_frequent(values: NDArray[Any], cube: NDArray[np.int64], num_cubes: int) -> NDArray[Any]:
    if values.ndim != 1:
        raise ValueError(f"a categorical field must be [N], got {list(values.shape)}")
    names, code = np.unique(values, return_inverse=True)
    pair, votes = np.unique(cube * len(names) + code, return_counts=True)
    # Sorted by cube, then votes, then falling code: the last of each cube wins, and of a tie the smallest value.
    order = np.lexsort((-(pair % len(names)), votes, pair // len(names)))
    owner = pair[order] // len(names)
    last = np.flatnonzero(np.diff(owner, append=num_cubes))
    return names[pair[order][last] % len(names)]
