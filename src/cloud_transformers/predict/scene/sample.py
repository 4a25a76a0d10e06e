"""Some points of a scene, evenly out of all of it: enough to know what is usual in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from cloud_transformers.cloud import PointCloud
from cloud_transformers.predict.scene.budget import Budget
from cloud_transformers.predict.scene.source import MESH_POINTS, SceneFile

MOST_SAMPLED = 1 << 20


def sampled(parts: Iterable[PointCloud], most: int = MOST_SAMPLED) -> PointCloud:
    """Every second, fourth, ... point of all parts together, so that at most so many are left; all if there are fewer.

    Which ones does not depend on how the scene is cut into parts, all of which must have one offset.
    """
    chosen: list[PointCloud] = []
    stride, total, count = 1, 0, 0
    for part in parts:
        chosen.append(part.select(slice(-total % stride, None, stride)))
        total += len(part)
        count += len(chosen[-1])
        while count > most:  # every second of those that are kept
            place = 0
            for number, some in enumerate(chosen):
                chosen[number] = some.select(slice(place % 2, None, 2))
                place += len(some)
            stride, count = 2 * stride, sum(map(len, chosen))
    if len(chosen) == 1:
        return chosen[0]
    return PointCloud(
        positions=np.concatenate([part.positions for part in chosen]),
        fields={name: np.concatenate([part.fields[name] for part in chosen]) for name in chosen[0].fields},
        offset=chosen[0].offset,
        metadata=chosen[0].metadata,
    )


def sample_of_file(
    path: Path, options: Mapping[str, Any], budget: Budget, *, mesh_points: int = MESH_POINTS, seed: int = 0
) -> tuple[PointCloud, str]:
    """As `sampled`, of a file, and its `content_of`; the arguments are those of `SceneFile`."""
    file = SceneFile(path, options, budget, mesh_points=mesh_points, seed=seed)
    return sampled(file.parts()), file.content
