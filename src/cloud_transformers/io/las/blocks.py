"""Points as laspy has them, as fields with our names."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.cloud.naming import group_channels
from cloud_transformers.io.options import ReadOptions
from cloud_transformers.io.table import Block, Fields


def as_block(points: Any, scales: NDArray[np.float64], offsets: NDArray[np.float64], options: ReadOptions) -> Block:
    world = np.empty((len(points), 3))
    for axis, name in enumerate("XYZ"):
        world[:, axis] = points[name] * scales[axis] + offsets[axis]
    names = [name for name in points.point_format.dimension_names if name not in ("X", "Y", "Z")]
    columns: Fields = {name: np.ascontiguousarray(points[name]) for name in names if name not in options.drop}
    fields: Fields = {}
    if {"red", "green", "blue"} <= columns.keys():
        fields["color"] = np.stack([columns.pop(name) for name in ("red", "green", "blue")], axis=1)
    classes = columns.pop("classification", None)
    if classes is not None and "label" not in columns:
        fields["label"] = classes
    elif classes is not None and not np.array_equal(classes, columns["label"]):
        fields["classification"] = classes
    for field, names in group_channels({name: values.dtype for name, values in columns.items()}).items():
        if field not in fields:
            fields[field] = np.stack([columns.pop(name) for name in names], axis=1)
    return Block(world, fields | columns)
