"""A part of a scene through the model: regions in, one answer per point out.

Letters: M points, K classes.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from cloud_transformers.errors import InputError
from cloud_transformers.models.preparation import Calibration, Preparation
from cloud_transformers.predict.batches import require_finite
from cloud_transformers.predict.scene.ahead import ahead, spread
from cloud_transformers.predict.scene.blocks import block_regions
from cloud_transformers.predict.scene.points import ScenePoints
from cloud_transformers.predict.scene.regions import Extent, SceneRegion
from cloud_transformers.predict.scene.settings import SceneSettings
from cloud_transformers.predict.scene.spheres import sphere_regions
from cloud_transformers.predict.turns import turns_about
from cloud_transformers.votes import Votes

# Positions [n, 3] and features [n, F] of regions -> logits [n, K]; `SegmentationPredictor.score_regions` is one.
Scorer = Callable[[list[NDArray[Any]], list[NDArray[Any]]], list[NDArray[np.float32]]]

_MANY_UNSURE = 0.2  # the share of points from which on it is said
_AT_ONCE = 32  # regions handed over together: enough to fill batches, few enough to cost little memory
_POINTS_WAITING = 1 << 19  # of regions cut before they are scored: 20 MB, and seconds in which to fetch a tile


def check_scenes_possible(preparation: Preparation) -> None:
    if preparation.task != "segmentation" or preparation.region not in ("block", "sphere"):
        raise InputError(
            f"these weights are for {preparation.task} of {preparation.region} clouds; scenes need weights for "
            "segmentation in blocks or spheres"
        )


def margin(preparation: Preparation) -> float:
    """How far around a point lies everything that its answer depends on, in metres."""
    return preparation.extent * (3 if preparation.region == "sphere" else 1)


def regions_of(
    points: ScenePoints,
    core: NDArray[np.bool_],  # [M]
    extent: Extent,
    preparation: Preparation,
    settings: SceneSettings,
) -> Iterator[SceneRegion]:
    if preparation.region == "sphere":
        return sphere_regions(points, core, extent, preparation)
    return block_regions(points, core, extent, preparation, settings.overlap, settings.seed)


@dataclass(frozen=True, eq=False)
class Piece:
    """A part of a scene that is in memory; its core points need an answer, the others are context."""

    points: ScenePoints
    core: NDArray[np.bool_]  # [M]
    num_raw: int  # points of the scene for which the core points stand


@dataclass(frozen=True, eq=False)
class Answers:
    """What is said of points."""

    labels: NDArray[Any]  # [M]
    confidence: NDArray[np.float32]  # [M]
    unsure: NDArray[np.bool_] | None  # [M] whether the input was unlike all held-out data; None if nobody measured that

    def select(self, rows: NDArray[Any]) -> Answers:
        return Answers(self.labels[rows], self.confidence[rows], None if self.unsure is None else self.unsure[rows])

    @classmethod
    def nothing(cls, preparation: Preparation) -> Answers:
        """Those of no points."""
        unsure = None if preparation.calibration is None else np.zeros(0, bool)
        return cls(np.zeros(0, label_dtype(len(preparation.classes))), np.zeros(0, np.float32), unsure)


@dataclass(frozen=True, eq=False)
class Step:
    """Regions of a piece that go through the model together; the last step of a piece may have none."""

    regions: list[SceneRegion]
    rows: list[NDArray[np.int64]]  # for each region, the core points for which it votes
    num_core: int
    num_raw: int
    is_last: bool
    answers: list[NDArray[np.float32]] = field(default_factory=list)


def score(
    pieces: Iterable[Piece],
    extent: Extent,
    scorer: Scorer,
    preparation: Preparation,
    settings: SceneSettings,
    *,
    workers: int = 1,  # threads in which the scorer is called
    advance: Callable[[float], None] = lambda count: None,  # told how many more raw points have been seen, about
    see: Callable[[Votes], None] = lambda votes: None,  # shown the votes of each piece when they are complete
) -> Generator[Answers, None, None]:
    """What is said of each piece's core points, in their order.

    Pieces are made and cut in one thread, scored in others, and their votes are counted in this one. What is summed up
    in which order does not depend on the threads.
    """

    def scored(step: Step) -> Step:
        return replace(step, answers=looked_at(step.regions) if step.regions else [])

    def looked_at(regions: list[SceneRegion]) -> list[NDArray[np.float32]]:
        looks = []
        for turn in turns:
            turned = [region.turned(turn, preparation) for region in regions] if len(turns) > 1 else regions
            looks.append(scorer([region.positions for region in turned], [region.features for region in turned]))
        return looks[0] if len(turns) == 1 else [np.mean(each, axis=0) for each in zip(*looks, strict=True)]

    turns = turns_about(preparation.up, settings.chosen_turns(preparation))
    waiting = max(2, _POINTS_WAITING // (_AT_ONCE * preparation.points))
    cut = ahead(_steps(pieces, extent, preparation, settings), waiting)
    with _shared_cores(workers) as begin, closing(cut), closing(spread(scored, cut, workers, begin)) as steps:
        votes = None
        for step in steps:
            votes = votes or Votes(step.num_core, len(preparation.classes))
            voting = zip(step.regions, step.rows, step.answers, strict=True)
            new = sum(votes.add(rows, require_finite(answer[region.votes])) for region, rows, answer in voting)
            advance(new * step.num_raw / max(step.num_core, 1))
            if step.is_last:
                see(votes)
                yield _answers(votes, preparation.calibration)
                votes = None


def _answers(votes: Votes, calibration: Calibration | None) -> Answers:
    missed = int((votes.visits == 0).sum())
    if missed:
        raise RuntimeError(f"{missed:,} of {len(votes.visits):,} points were in no region, so they have no answer")
    labels, confidence = votes.decided(1.0 if calibration is None else calibration.temperature)
    unsure = None if calibration is None else votes.familiarity() < calibration.unsure_below
    return Answers(labels.astype(label_dtype(votes.sums.shape[1])), confidence, unsure)


def unsure_notes(num_unsure: int, num_points: int) -> list[str]:
    """What is due to be said where many points are unlike what the weights know."""
    if num_unsure <= _MANY_UNSURE * num_points:
        return []
    return [
        f"{num_unsure / num_points:.0%} of the points are unlike all that the weights were tried on: of these, which "
        "have unsure = 1, the labels are guesses"
    ]


def label_dtype(num_classes: int) -> Any:
    return np.uint8 if num_classes <= 256 else np.int32


@contextmanager
def _shared_cores(workers: int) -> Iterator[Callable[[], None]]:
    """What each of several threads calls so that together they use as many cores as torch would use in one.

    Threads that score a batch each, on one core each, never wait for one another, as those of one batch do.
    """
    total = torch.get_num_threads()
    if workers == 1:
        yield lambda: None
        return
    try:
        yield lambda: torch.set_num_threads(max(1, total // workers))
    finally:
        torch.set_num_threads(total)  # what a thread sets is also what new threads begin with


def _steps(
    pieces: Iterable[Piece], extent: Extent, preparation: Preparation, settings: SceneSettings
) -> Iterator[Step]:
    for piece in pieces:
        place = np.cumsum(piece.core) - 1  # row of a core point among the core points
        counts = int(piece.core.sum()), piece.num_raw
        regions = regions_of(piece.points, piece.core, extent, preparation, settings)
        while some := list(islice(regions, _AT_ONCE)):
            yield Step(some, [place[region.rows[region.votes]] for region in some], *counts, is_last=False)
        yield Step([], [], *counts, is_last=True)
        del piece, place  # before the next one is fetched
