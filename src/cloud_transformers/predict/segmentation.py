"""Segmentation of regions: blocks or spheres of a scene, cut out as the model was trained.

Letters: B batch, N points of a cloud or of the longest region, F feature channels, K classes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy, deepcopy
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from cloud_transformers.cloud import CloudBatch, PointCloud
from cloud_transformers.cloud.coordinates import choose_offset, finite_rows, split
from cloud_transformers.errors import InputError
from cloud_transformers.models.adaptation import adapted, check_share
from cloud_transformers.models.preparation import num_channels
from cloud_transformers.predict.inputs import unpack_input
from cloud_transformers.predict.labels import labelled
from cloud_transformers.predict.scene import SceneSettings, sampled, segment_cloud
from cloud_transformers.predict.task_predictor import TaskPredictor
from cloud_transformers.viewer import Page

_MOST_WORKERS = 8  # each takes the memory of a batch, and Python runs one of them at a time


@dataclass(frozen=True, eq=False, kw_only=True)
class Segmentation:
    """What the points of a cloud are, in their order."""

    cloud: PointCloud  # what was given, with the fields `label` and `confidence`
    labels: NDArray[Any]  # [N] places in `classes`; the cloud has the values that files call them
    confidence: NDArray[np.float32]  # [N] the probability of the class, see `votes.decided`
    classes: tuple[str, ...]  # [K]
    unsure: NDArray[np.bool_] | None = None  # [N] unlike all held-out data; None if the weights do not say when that is
    notes: tuple[str, ...] = ()  # what a user should know about how the cloud was understood

    def show(self, name: str = "answer", **settings: Any) -> Page:
        """The answer in 3D, by label, confidence or, where the cloud had labels, error.

        `name` and `settings` are those of `PointCloud.show`.
        """
        return self.cloud.show(name, notes=self.notes, **settings)


class SegmentationPredictor(TaskPredictor):
    """`predictor(cloud)` for a scene of any shape; see `predict.scene`, also for files that do not fit into memory."""

    @property
    def workers(self) -> int:
        """In how many threads `score_regions` is best called: one per core, as far as Python keeps up."""
        return 1 if self.device.type != "cpu" else min(torch.get_num_threads(), _MOST_WORKERS)

    def adapted(self, cloud: PointCloud, share: float, settings: SceneSettings | None = None) -> SegmentationPredictor:
        """A predictor that is used to scenes like this one: its statistics are by `share` those of the `cloud`.

        See `models.adaptation`. Labels are not looked at, and of a very large cloud not all points (`scene.sampled`).
        The `settings` are those with which scenes will be segmented.
        """
        return self.used_to([(cloud, settings or SceneSettings())], share)

    def used_to(self, scenes: Iterable[tuple[PointCloud, SceneSettings]], share: float) -> SegmentationPredictor:
        """As `adapted`, on several scenes together: they say better than one what is usual.

        Each of the `scenes` is looked at once, as its settings say; by `share`, statistics are theirs.
        """
        check_share(share)
        if not share:
            return self

        def show(model: nn.Module) -> None:
            for cloud, settings in scenes:
                if len(cloud):
                    once = replace(settings, turns=1)
                    segment_cloud(sampled([cloud]), self._with(model).score_regions, self.preparation, once)

        return self._with(adapted(self.model, show, share))

    def statistics(self) -> dict[str, torch.Tensor]:
        """What `adapted` changes, by name: for the same predictor in another process, `with_statistics`."""
        return {name: buffer.cpu() for name, buffer in self.model.named_buffers()}

    def with_statistics(self, statistics: Mapping[str, torch.Tensor]) -> SegmentationPredictor:
        """A predictor with the `statistics` of another one of the same weights."""
        model = deepcopy(self.model)
        model.load_state_dict(statistics, strict=False)
        return self._with(model)

    def _with(self, model: nn.Module) -> SegmentationPredictor:
        other = copy(self)
        other.model = model
        return other

    def __call__(
        self, cloud: PointCloud | NDArray[Any], *, colors: bool = False, adapt: float | None = None, **settings: Any
    ) -> Segmentation:
        """The settings are those of `predict.scene.SceneSettings`: `up`, `scale`, `cell` and others.

        With `colors` the answer's cloud has the colours of the classes. `adapt` is the share of `adapted`; None takes
        what the weights say.
        """
        world, offset, fields, metadata = unpack_input(cloud, "the cloud")
        if finite_rows(world) is not None:
            raise InputError("the cloud has points with a NaN or infinite coordinate; leave them out first")
        offset = choose_offset(world) if offset is None else offset
        positions = world if isinstance(cloud, PointCloud) else split(world, offset, "the cloud")
        residual = cloud.residual if isinstance(cloud, PointCloud) else None
        whole = PointCloud(positions=positions, fields=fields, offset=offset, metadata=metadata, residual=residual)
        try:
            chosen = SceneSettings(**settings)
        except TypeError as error:
            raise InputError(f"segmentation has no such setting: {error}") from error
        used = self.adapted(whole, self.preparation.adapt if adapt is None else adapt, chosen)
        said, notes = segment_cloud(whole, used.score_regions, self.preparation, chosen, workers=self.workers)
        return Segmentation(
            cloud=labelled(
                *(whole, said.labels, said.confidence, self.classes),
                values=self.preparation.values,
                recolor=colors,
                unsure=said.unsure,
            ),
            labels=said.labels,
            confidence=said.confidence,
            classes=self.classes,
            unsure=said.unsure,
            notes=tuple(notes),
        )

    def score_regions(
        self,
        positions: Sequence[NDArray[Any]],  # each [n, 3], metres, in the coordinates of the region
        features: Sequence[NDArray[Any]],  # each [n, F], as `preparation.features` says
    ) -> list[NDArray[np.float32]]:  # each [n, K], logits
        """What the model says of every point of every region.

        Regions may differ in length: shorter ones are padded under a mask, so that an answer does not depend on what
        else is in the batch. A region without points has an answer without rows.
        """
        num_features = num_channels(self.preparation.features)
        if len(positions) != len(features):
            raise ValueError(f"got the positions of {len(positions)} regions and the features of {len(features)}")
        regions = []
        for number, (places, channels) in enumerate(zip(positions, features, strict=True)):
            if np.shape(places) != (len(places), 3) or np.shape(channels) != (len(places), num_features):
                raise ValueError(
                    f"region {number} must have positions [n, 3] and features [n, {num_features}], "
                    f"got {list(np.shape(places))} and {list(np.shape(channels))}"
                )
            fields = {"features": np.asarray(channels, np.float32)}
            regions.append(PointCloud(positions=np.asarray(places, np.float32), fields=fields))
        # Neighbours in length share a batch: less padding, and the largest show at once whether memory suffices.
        order = sorted((row for row, region in enumerate(regions) if len(region)), key=lambda row: -len(regions[row]))
        answers = [np.zeros((0, len(self.classes)), np.float32) for _ in regions]
        for row, answer in zip(order, self.batches.run([regions[row] for row in order], self._score), strict=True):
            answers[row] = answer
        return answers

    @torch.inference_mode()
    def _score(self, regions: Sequence[PointCloud]) -> list[NDArray[np.float32]]:
        batch = CloudBatch.from_clouds(regions).to(self.device)
        mask = None if bool(batch.mask.all()) else batch.mask
        logits = self.model(batch.positions, batch.fields["features"], mask)
        answers = logits.float().numpy(force=True)
        return [rows[: len(region)].copy() for rows, region in zip(answers, regions, strict=True)]
