"""A scene that is in memory already, as one tile."""

from __future__ import annotations

import numpy as np

from cloud_transformers.cloud import PointCloud
from cloud_transformers.models.preparation import Preparation
from cloud_transformers.predict.scene.intake import Survey
from cloud_transformers.predict.scene.points import thin
from cloud_transformers.predict.scene.scoring import Answers, Piece, Scorer, check_scenes_possible, score, unsure_notes
from cloud_transformers.predict.scene.settings import SceneSettings
from cloud_transformers.predict.scene.tiling import Census


def segment_cloud(
    cloud: PointCloud,
    scorer: Scorer,
    preparation: Preparation,
    settings: SceneSettings | None = None,
    *,
    workers: int = 1,
) -> tuple[Answers, list[str]]:
    """What is said of every point, and what a user should know about how they were understood.

    The answers are those of `segment_file` for a file of the same cloud; `workers` is the same there.
    """
    settings = settings or SceneSettings()
    check_scenes_possible(preparation)
    if not len(cloud):
        return Answers.nothing(preparation), []
    survey = Survey("the cloud", preparation, settings)
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
    (answers,) = score([whole], extent, scorer, preparation, settings, workers=workers)
    if stands_for is not None:
        answers = answers.select(stands_for)
    if answers.unsure is not None:
        notes += unsure_notes(int(answers.unsure.sum()), len(cloud))
    return answers, notes
