"""A part of a scene through the model: regions in, one answer per point out.

Letters: M points, K classes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.errors import InputError
from cloud_transformers.models.preparation import Preparation
from cloud_transformers.predict.scene.blocks import block_regions
from cloud_transformers.predict.scene.points import ScenePoints
from cloud_transformers.predict.scene.regions import Extent, Region
from cloud_transformers.predict.scene.settings import SceneSettings
from cloud_transformers.predict.scene.spheres import sphere_regions
from cloud_transformers.predict.scene.votes import Votes

# Positions [n, 3] and features [n, F] of regions -> logits [n, K]; `SegmentationPredictor.score_regions` is one.
Scorer = Callable[[list[NDArray[Any]], list[NDArray[Any]]], list[NDArray[np.float32]]]

_AT_ONCE = 32  # regions handed over together: enough to fill batches, few enough to cost little memory


def check_scenes_possible(preparation: Preparation) -> None:
    if preparation.task != "segmentation" or preparation.region not in ("block", "sphere"):
        raise InputError(
            f"these weights are for {preparation.task} of {preparation.region} clouds; scenes need weights for "
            "segmentation in blocks or spheres"
        )
    if unknown := [name for name in preparation.features if name not in ("color", "height")]:
        raise InputError(f"these weights want the feature {unknown[0]!r}, which scenes do not have")


def margin(preparation: Preparation) -> float:
    """How far around a point lies everything that its answer depends on, in metres."""
    return preparation.extent * (3 if preparation.region == "sphere" else 1)


def regions_of(
    points: ScenePoints,
    core: NDArray[np.bool_],  # [M]
    extent: Extent,
    preparation: Preparation,
    settings: SceneSettings,
) -> Iterator[Region]:
    if preparation.region == "sphere":
        return sphere_regions(points, core, extent, preparation)
    return block_regions(points, core, extent, preparation, settings.overlap, settings.seed)


def score(
    points: ScenePoints,
    core: NDArray[np.bool_],  # [M]
    extent: Extent,
    scorer: Scorer,
    preparation: Preparation,
    settings: SceneSettings,
    advance: Callable[[int], None] = lambda count: None,  # told how many more core points have been seen
) -> tuple[NDArray[Any], NDArray[np.float32]]:
    """Labels and confidences of the core points, in their order."""
    votes = Votes(int(core.sum()), len(preparation.classes))
    place = np.cumsum(core) - 1  # row of a core point among the core points
    regions = regions_of(points, core, extent, preparation, settings)
    while some := list(islice(regions, _AT_ONCE)):
        answers = scorer([region.positions for region in some], [region.features for region in some])
        new = 0
        for region, answer in zip(some, answers, strict=True):
            rows = place[region.rows[region.votes]]
            new += int((votes.visits[rows] == 0).sum())
            votes.add(rows, answer[region.votes])
        advance(new)
    return votes.answers()
