"""Answers per point as fields of a cloud, with names and colours that other programs show.

Letters: N points, K classes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.class_colors import class_colors
from cloud_transformers.cloud import PointCloud


def labelled(
    cloud: PointCloud,
    labels: NDArray[Any],  # [N] whole numbers below K
    confidence: NDArray[Any],  # [N] in [0, 1]
    classes: Sequence[str],
    *,
    values: Sequence[int] = (),  # [K] what files call the classes; none: 0, 1, ...
    recolor: bool = True,
    unsure: NDArray[np.bool_] | None = None,  # [N] where the weights say when they are
) -> PointCloud:
    """The cloud with the fields `label`, `confidence` (float32) and, with `recolor`, `color` in the class's colour.

    `label` holds the classes' values: as uint8 if all are below 256, which .las files show as their classification,
    else as int32. A label that the cloud had before is kept as `original_label`. `unsure`, where it is known, is a
    field of 0 and 1. Class names go along as `metadata["classes"]` and, with their values, as comments of a .ply file.
    """
    labels, confidence = np.asarray(labels), np.asarray(confidence)
    if labels.shape != (len(cloud),) or confidence.shape != (len(cloud),):
        raise ValueError(
            f"labels and confidence must be [N] with N = {len(cloud)}, "
            f"got {list(labels.shape)} and {list(confidence.shape)}"
        )
    if labels.size and not (labels.min() >= 0 and labels.max() < len(classes)):
        raise ValueError(f"labels must be in 0..{len(classes) - 1}, got {labels.min()} to {labels.max()}")
    table = np.array(values or range(len(classes)), np.int32)
    are_bytes = not len(table) or (table.min() >= 0 and table.max() < 256)
    fields: dict[str, NDArray[Any]] = {
        "label": table.astype(np.uint8 if are_bytes else np.int32)[labels],
        "confidence": confidence.astype(np.float32),
    }
    if unsure is not None:
        fields["unsure"] = unsure.astype(np.uint8)
    if "label" in cloud.fields:
        fields["original_label"] = cloud.fields["label"]
    if recolor:
        fields["color"] = class_colors(classes)[labels]
    return replace(cloud.with_fields(**fields), metadata=_with_legend(cloud.metadata, classes, table.tolist()))


def _with_legend(metadata: Any, classes: Sequence[str], values: Sequence[int]) -> dict[str, Any]:
    ply = dict(metadata.get("ply", {}))
    legend = [f"comment label {value} {name}" for value, name in zip(values, classes, strict=True)]
    ply["comments"] = [line for line in ply.get("comments", []) if not line.startswith("comment label ")] + legend
    return {**metadata, "classes": tuple(classes), "ply": ply}
