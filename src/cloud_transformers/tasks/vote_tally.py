"""The sphere protocol's score: every sphere votes for its points, and raw points are judged by their thinned ones.

Letters: M thinned points of a scene, K classes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

import numpy as np
import torch
from torch import Tensor

from cloud_transformers.errors import InputError
from cloud_transformers.metrics import ConfusionMatrix, Score
from cloud_transformers.tasks.segmentation import SegmentationBatch, point_scores
from cloud_transformers.votes import Votes


class Scenes(Protocol):
    """What is needed of a source of spheres: see `datasets.s3dis.spheres`."""

    scenes: tuple[str, ...]

    def scene(self, name: str) -> Any: ...

    def projections(self, scene: str) -> Iterable[Any]: ...


class VoteTally:
    """The mean of the logits of all spheres that show a point decides its class; IoU is over all raw points.

    A raw point that no sphere showed is an error, not a class.
    """

    def __init__(
        self,
        classes: Sequence[str],  # names of the labels
        source: Scenes,  # the scenes that spheres are cut from, such as `datasets.s3dis.spheres` has them
    ) -> None:
        self.classes = tuple(classes)
        self.source = source
        self.votes: dict[str, Votes] = {}  # by scene
        self._matrix: ConfusionMatrix | None = None

    def update(self, prediction: Tensor, batch: SegmentationBatch) -> None:
        if batch.index is None:
            raise ValueError("votes need the field 'index' in the samples: the numbers of their points in the scene")
        self._matrix = None
        for row, scene in enumerate(batch.scenes):
            if scene not in self.votes:
                self.votes[scene] = self._no_votes(scene)
            seen = batch.mask[row]
            index = batch.index[row][seen].numpy(force=True)
            self.votes[scene].add(index, prediction[row][seen].double().numpy(force=True))

    def _no_votes(self, scene: str) -> Votes:
        return Votes(len(self.source.scene(scene)), len(self.classes), np.float64)

    def merge(self, other: VoteTally) -> None:
        self._matrix = None
        for scene, votes in other.votes.items():
            if scene in self.votes:
                self.votes[scene].merge(votes)
            else:
                self.votes[scene] = votes

    def confusion(self) -> ConfusionMatrix:
        if self._matrix is None:
            self._matrix = self._project()
        return self._matrix

    def _project(self) -> ConfusionMatrix:
        matrix = ConfusionMatrix(self.classes, sample="raw points")
        for scene in self.source.scenes:
            votes = self.votes.get(scene) or self._no_votes(scene)
            never = votes.visits == 0
            missed = sum(int(projection.raw(never).sum()) for projection in self.source.projections(scene))
            if missed:
                raise InputError(
                    f"{missed:,} raw points of {scene} were in no sphere, so they have no answer; "
                    "evaluate with more spheres or votes (spheres=..., votes=...)"
                )
            answers, _ = votes.decided()
            for projection in self.source.projections(scene):
                matrix.update(torch.from_numpy(projection.raw(answers)), torch.from_numpy(projection.label))
        return matrix

    def scores(self) -> list[Score]:
        return point_scores(self.confusion())

    def details(self) -> list[Score]:
        return self.confusion().per_class()

    def quality(self) -> dict[int, float]:
        return {}

    def caption(self, number: int) -> str:
        raise ValueError("a sphere has no score of its own: its points are judged by the votes of all spheres")
