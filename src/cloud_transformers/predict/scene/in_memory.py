"""A scene that is in memory already, as one tile."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.cloud import PointCloud
from cloud_transformers.models.preparation import Preparation
from cloud_transformers.predict.scene.intake import Survey
from cloud_transformers.predict.scene.points import thin
from cloud_transformers.predict.scene.scoring import Answers, Piece, Scorer, check_scenes_possible, score, unsure_notes
from cloud_transformers.predict.scene.settings import SceneSettings
from cloud_transformers.predict.scene.tiling import Census
from cloud_transformers.predict.scene.units import check_size
from cloud_transformers.votes import Votes


def segment_cloud(
    cloud: PointCloud,
    scorer: Scorer,
    preparation: Preparation,
    settings: SceneSettings | None = None,
    *,
    workers: int = 1,
    name: str = "the cloud",  # for mistakes
    advance: Callable[[float], None] = lambda count: None,
    probabilities: Callable[[NDArray[np.float32]], None] | None = None,
) -> tuple[Answers, list[str]]:
    """What is said of every point, and what a user should know about how they were understood.

    The answers are those of `segment_file` for a file of the same cloud; `workers` is the same there. `advance` is told
    how many more points have been seen, about; `probabilities` is given those of all classes, [N, K].
    """
    settings = settings or SceneSettings()
    check_scenes_possible(preparation)
    if not len(cloud):
        return Answers.nothing(preparation), []
    survey = Survey(name, preparation, settings)
    part = survey.add(cloud)
    cell = settings.chosen_cell(preparation)
    census = Census(preparation.extent)
    census.add(part.positions)
    if settings.scale is None:
        check_size(name, survey.low, survey.high, census, preparation, survey.metres)
    notes = survey.notes() + census.notes(preparation, scale_is_told=settings.scale is not None)
    raw = survey.points(part, 0)
    extent = survey.extent()
    extent.floors.add(part.positions)
    points, stands_for = thin(raw, extent.start, cell)
    whole = Piece(points, np.ones(len(points), bool), len(cloud))

    def see(votes: Votes) -> None:
        if probabilities is not None:
            calibration = preparation.calibration
            chances = votes.probabilities(1.0 if calibration is None else calibration.temperature)
            probabilities(chances if stands_for is None else chances[stands_for])

    (answers,) = score([whole], extent, scorer, preparation, settings, workers=workers, advance=advance, see=see)
    if stands_for is not None:
        answers = answers.select(stands_for)
    if answers.unsure is not None:
        notes += unsure_notes(int(answers.unsure.sum()), len(cloud))
    return answers, notes
