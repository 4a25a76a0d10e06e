"""Answers per point as fields of a cloud, with names and colours that other programs show.

Letters: N points, K classes.
"""

from __future__ import annotations

import colorsys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.cloud import PointCloud

# Surfaces of a room in quiet colours and things in loud ones, so that the things stand out of a labelled scan.
ROOM_COLORS = {
    "ceiling": (205, 214, 222),
    "floor": (146, 118, 92),
    "wall": (188, 196, 160),
    "beam": (255, 187, 120),
    "column": (197, 140, 200),
    "window": (110, 200, 235),
    "door": (196, 80, 48),
    "table": (255, 215, 40),
    "chair": (36, 104, 196),
    "sofa": (222, 60, 140),
    "bookcase": (30, 150, 90),
    "board": (120, 70, 190),
    "clutter": (70, 70, 74),
}

_GOLDEN = 0.61803398875  # steps of this share of the colour circle never come close to an earlier one


def class_colors(classes: Sequence[str]) -> NDArray[np.uint8]:  # [K, 3]
    """A colour for every class, all different: those of S3DIS have fixed ones, in whichever order they come.

    Others follow from their place among the classes, so that the same weights always paint alike.
    """
    colors: list[tuple[int, int, int]] = []
    taken = set()
    for number, name in enumerate(classes):
        color = ROOM_COLORS.get(name.lower())
        attempt = number
        while color is None or color in taken:
            color = _spread(attempt)
            attempt += len(classes)
        taken.add(color)
        colors.append(color)
    return np.array(colors, np.uint8).reshape(-1, 3)


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


def _spread(number: int) -> tuple[int, int, int]:
    """Colours far apart for neighbouring numbers: hues by the golden ratio, every third darker or paler."""
    hue = (0.58 + number * _GOLDEN) % 1.0
    saturation, value = ((0.75, 0.85), (0.5, 0.95), (0.85, 0.6))[number % 3]
    red, green, blue = colorsys.hsv_to_rgb(hue, saturation, value)
    return round(255 * red), round(255 * green), round(255 * blue)
