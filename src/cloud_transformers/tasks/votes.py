"""The sphere protocol's score: every sphere votes for its points, and raw points are judged by their thinned ones.

Letters: M thinned points of a scene, K classes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from cloud_transformers.errors import InputError
from cloud_transformers.metrics import ConfusionMatrix, Score
from cloud_transformers.tasks.segmentation import SegmentationBatch, point_scores
from cloud_transformers.votes import decided


class Scenes(Protocol):
    """What is needed of a source of spheres: see `datasets.s3dis.spheres`."""

    scenes: tuple[str, ...]

    def scene(self, name: str) -> Any: ...

    def projections(self, scene: str) -> Iterable[Any]: ...


class VoteTally:
    """The mean of the logits of all spheres that show a point decides its class; IoU is over all raw points.

    A raw point that no sphere showed is an error, not a class.
    """

    def __init__(self, classes: Sequence[str], source: Scenes) -> None:
        self.classes = tuple(classes)
        self.source = source
        self.votes: dict[str, NDArray[np.float64]] = {}  # scene -> sums of logits [M, K]
        self.visits: dict[str, NDArray[np.int64]] = {}  # scene -> how many spheres showed each point [M]
        self._matrix: ConfusionMatrix | None = None

    def update(self, prediction: Tensor, batch: SegmentationBatch) -> None:
        if batch.index is None:
            raise ValueError("votes need the field 'index' in the samples: the numbers of their points in the scene")
        self._matrix = None
        for row, scene in enumerate(batch.scenes):
            if scene not in self.votes:
                num_points = len(self.source.scene(scene))
                self.votes[scene] = np.zeros((num_points, len(self.classes)))
                self.visits[scene] = np.zeros(num_points, np.int64)
            seen = batch.mask[row]
            index = batch.index[row][seen].numpy(force=True)
            self.votes[scene][index] += prediction[row][seen].double().numpy(force=True)
            self.visits[scene][index] += 1

    def merge(self, other: VoteTally) -> None:
        self._matrix = None
        for scene, votes in other.votes.items():
            if scene in self.votes:
                self.votes[scene] += votes
                self.visits[scene] += other.visits[scene]
            else:
                self.votes[scene], self.visits[scene] = votes, other.visits[scene]

    def confusion(self) -> ConfusionMatrix:
        if self._matrix is None:
            self._matrix = self._project()
        return self._matrix

    def _project(self) -> ConfusionMatrix:
        matrix = ConfusionMatrix(self.classes, sample="raw points")
        for scene in self.source.scenes:
            visits = self.visits.get(scene, np.zeros(len(self.source.scene(scene)), np.int64))
            missed = sum(int((projection.raw(visits) == 0).sum()) for projection in self.source.projections(scene))
            if missed:
                raise InputError(
                    f"{missed:,} raw points of {scene} were in no sphere, so they have no answer; "
                    "evaluate with more spheres or votes (spheres=..., votes=...)"
                )
            answers, _ = decided(self.votes[scene], visits)
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
