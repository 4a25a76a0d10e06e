"""Grid subsampling: one point per cube, at the mean of the points in it.

Letters: N points, M occupied cubes, C channels of a field.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.cloud import PointCloud
from cloud_transformers.space.cells import cell_indices, cell_numbers

SPHERE_CELL = 0.04  # metres; models of spheres are trained and asked on this grid

# Fields whose values are names, not amounts: the most frequent one stands for the cube (the smallest, if several are).
CATEGORICAL = ("label", "instance", "mask", "classification")


def grid_subsample(
    cloud: PointCloud, cell: float, *, categorical: Collection[str] = CATEGORICAL
) -> tuple[PointCloud, NDArray[np.int64]]:
    """The thinned cloud of M points and, for each of the N points, the number of its cube [N].

    Cubes have the side `cell` and are aligned to the origin of world coordinates (`positions + offset`), so that
    neighbouring clouds are cut along the same lines. Positions and amounts are averaged (float32 fields stay float32,
    integer ones are rounded); fields named in `categorical` take the most frequent value.

    >>> positions = np.array([[0.1, 0, 0], [0.3, 0, 0], [1.5, 0, 0]], np.float32)
    >>> thinned, cube = ct.space.subsample.grid_subsample(ct.PointCloud(positions=positions), 1.0)
    >>> thinned.positions.round(2)[:, 0].tolist(), cube.tolist()
    ([0.20000000298023224, 1.5], [0, 0, 1])
    """
    if not cell > 0:
        raise ValueError(f"the side of a grid cell must be positive, got {cell}")
    if not len(cloud):
        return cloud, np.zeros(0, np.int64)
    world = cloud.positions + cloud.offset
    # One axis at a time: numpy takes much longer for the lowest and highest along the first axis.
    columns = [cell_indices(world[:, axis], cell) for axis in range(3)]
    number = cell_numbers(columns, 2**61 // len(cloud))  # leaves room for a row beside the number
    # Number and row in one: those are sorted several times as quickly as rows by number.
    bits = len(cloud).bit_length()
    joined = (number << bits) + np.arange(len(cloud))
    joined.sort()
    starts = np.diff(joined >> bits, prepend=-1) != 0
    cube = np.empty(len(cloud), np.int64)
    cube[joined & ((1 << bits) - 1)] = np.cumsum(starts) - 1
    counts = np.bincount(cube)

    def mean(values: NDArray[Any]) -> NDArray[Any]:
        if not values.size:  # a field without channels
            return np.zeros((len(counts), *values.shape[1:]), values.dtype)
        columns = values.reshape(len(values), -1).T
        average = np.stack([np.bincount(cube, weights=column) / counts for column in columns], axis=1)
        average = average.reshape(-1, *values.shape[1:])
        return (average if values.dtype.kind == "f" else np.rint(average)).astype(values.dtype)

    fields = {
        name: _most_frequent(values, cube, len(counts)) if name in categorical else mean(values)
        for name, values in cloud.fields.items()
    }
    thinned = PointCloud(
        positions=mean(cloud.positions), fields=fields, offset=cloud.offset, metadata=dict(cloud.metadata)
    )
    return thinned, cube


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
