"""Fields of a cloud as input of a model: found by name in any file, and brought to what the training had.

Letters: N points, C channels.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.cloud.naming import normal_columns
from cloud_transformers.cloud.point_cloud import PointCloud
from cloud_transformers.errors import InputError

NORMAL = "normal"
_ONE_CHANNEL = re.compile(r"(.+)\[(\d{1,6})\]")


def channels(cloud: PointCloud, name: str, source: object) -> NDArray[np.float64]:  # [N] or, for normals, [N, 3]
    """The values of a field, of one channel of a field ("name[2]"), or of the normals, at length 1.

    Normals of length 0 or that are not finite, as programs write them where they know none, come as zeros. A field that
    is not there, or is no number per point, is an InputError that names the `source`.
    """
    if name == NORMAL:
        return _normals(cloud, source)
    match = _ONE_CHANNEL.fullmatch(name)
    field, place = (match[1], int(match[2])) if match and name not in cloud.fields else (name, None)
    values = cloud.fields.get(field)
    if values is None:
        raise _missing(cloud, f"field {field!r}", source)
    if values.dtype.kind not in "iufb":
        raise InputError(f"field {field!r} holds {values.dtype}, not numbers", path=source)
    columns = values.reshape(len(values), int(np.prod(values.shape[1:])))
    if place is None and columns.shape[1] != 1:
        raise InputError(
            f"field {field!r} has {columns.shape[1]} channels: name those that are meant, {field}[0] ...", path=source
        )
    if place is not None and place >= columns.shape[1]:
        raise InputError(f"field {field!r} has {columns.shape[1]} channels, so there is no {name}", path=source)
    return columns[:, place or 0].astype(np.float64)


def standardized(values: NDArray[Any], mean: float, deviation: float) -> NDArray[np.float32]:
    """Values less their mean over their deviation; one that is not finite counts as the mean."""
    moved = (values - mean) / deviation
    return np.where(np.isfinite(moved), moved, 0.0).astype(np.float32)


def _normals(cloud: PointCloud, source: object) -> NDArray[np.float64]:
    normals = cloud.fields.get(NORMAL)
    if normals is None and (names := normal_columns(cloud.fields)):  # as columns of their own, say in .las files
        normals = np.stack([cloud.fields[name] for name in names], axis=1)
    if normals is None:
        raise _missing(cloud, "normals (nx, ny, nz), and they are taken from the file, never guessed", source)
    if normals.ndim != 2 or normals.shape[1] != 3 or normals.dtype.kind not in "iuf":
        raise InputError(f"normals must be [N, 3] numbers, got {normals.dtype} {list(normals.shape)}", path=source)
    normals = normals.astype(np.float64)
    length = np.linalg.norm(normals, axis=1, keepdims=True)
    is_known = np.isfinite(length) & (length > 0)
    return np.where(is_known, normals / np.where(is_known, length, 1), 0.0)


def _missing(cloud: PointCloud, what: str, source: object) -> InputError:
    return InputError(
        f"has no {what}, which the model learns from (fields: {', '.join(cloud.fields) or 'none'})", path=source
    )
