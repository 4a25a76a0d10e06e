"""A scene that is in memory already, as one tile."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.cloud import PointCloud
from cloud_transformers.models.preparation import Preparation
from cloud_transformers.predict.scene.intake import Survey
from cloud_transformers.predict.scene.points import thin
from cloud_transformers.predict.scene.scoring import Piece, Scorer, check_scenes_possible, label_dtype, score
from cloud_transformers.predict.scene.settings import SceneSettings
from cloud_transformers.predict.scene.tiling import Census


def segment_cloud(
    cloud: PointCloud,
    scorer: Scorer,
    preparation: Preparation,
    settings: SceneSettings | None = None,
    *,
    workers: int = 1,
    name: str = "the cloud",  # for mistakes
    advance: Callable[[float], None] = lambda count: None,
) -> tuple[NDArray[Any], NDArray[np.float32], list[str]]:
    """A class and its probability for every point, and what a user should know about how they were understood.

    The answers are those of `segment_file` for a file of the same cloud; `workers` is the same there. `advance` is told
    how many more points have been seen, about.
    """
    settings = settings or SceneSettings()
    check_scenes_possible(preparation)
    if not len(cloud):
        return np.zeros(0, label_dtype(len(preparation.classes))), np.zeros(0, np.float32), []
    survey = Survey(name, preparation, settings)
    positions = survey.add(cloud)
    cell = settings.chosen_cell(preparation)
    census = Census(preparation.extent)
    census.add(positions)
    notes = survey.notes() + census.notes(preparation)
    raw = survey.points(positions, cloud.fields.get("color"), 0)
    extent = survey.extent()
    extent.floors.add(positions)
    points, stands_for = thin(raw, extent.start, cell)
    whole = Piece(points, np.ones(len(points), bool), len(cloud))
    ((labels, confidence),) = score([whole], extent, scorer, preparation, settings, workers=workers, advance=advance)
    if stands_for is not None:
        labels, confidence = labels[stands_for], confidence[stands_for]
    return labels, confidence, notes
