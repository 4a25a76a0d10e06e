"""Semantic segmentation: batches, loss, score and picture.

Letters: B batch, N points, F feature channels, K classes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import torch
from torch import Tensor, nn

from cloud_transformers.cloud import CloudBatch, PointCloud
from cloud_transformers.errors import InputError
from cloud_transformers.losses.cross_entropy import NO_LABEL, segmentation_loss
from cloud_transformers.metrics import ConfusionMatrix, Score
from cloud_transformers.tasks.task import Batch, Image, Item, Panel, Term, origin


@dataclass(frozen=True, eq=False, kw_only=True)
class SegmentationBatch(Batch):
    """Clouds, padded, and the classes of their points."""

    positions: Tensor  # [B, N, 3]
    features: Tensor  # [B, N, F]
    mask: Tensor  # [B, N], True = a real point
    labels: Tensor  # [B, N] int64, NO_LABEL where not known and where no point is
    scenes: tuple[str, ...] = ()  # B: where they were cut from
    index: Tensor | None = None  # [B, N] int64: the points' numbers in their scene, where votes are collected


@dataclass(frozen=True, kw_only=True)
class Segmentation:
    """`features` names what enters beside the position: "color", "height", "normal" (or "normals"), or fields [N].

    Recipes make numbers of `class_weights` "balanced": rare classes weigh more.
    """

    name: ClassVar[str] = "segmentation"

    features: tuple[str, ...] = ("color",)
    class_weights: tuple[float, ...] | Literal["balanced"] = ()  # in the loss, one per class; none: all are equal
    label_smoothing: float = 0.0  # this share of each target is spread evenly over all classes

    def __post_init__(self) -> None:
        singular = tuple({"normals": "normal", "colors": "color"}.get(name, name) for name in self.features)
        object.__setattr__(self, "features", singular)

    def collate(self, items: Sequence[Item]) -> SegmentationBatch:
        clouds = [self._chosen(item.sample.cloud, item.sample.name) for item in items]
        batch = CloudBatch.from_clouds(clouds, padding={"label": NO_LABEL})
        columns = [_channels(batch.fields[name]) for name in self.features]
        return SegmentationBatch(
            **origin(items),
            positions=batch.positions,
            features=torch.cat(columns, dim=-1),
            mask=batch.mask,
            labels=batch.fields["label"].long(),
            scenes=tuple(item.sample.scene for item in items),
            index=batch.fields.get("index"),
        )

    def _chosen(self, cloud: PointCloud, name: str) -> PointCloud:
        for wanted in (*self.features, "label"):
            if wanted not in cloud.fields:
                raise InputError(f"{name} has no field {wanted!r}; it has {', '.join(cloud.fields) or 'none'}")
        kept = {wanted: cloud.fields[wanted] for wanted in (*self.features, "label", "index") if wanted in cloud.fields}
        return PointCloud(positions=cloud.positions, fields=kept)

    def forward(self, model: nn.Module, batch: SegmentationBatch) -> Tensor:  # logits [B, N, K]
        mask = None if bool(batch.mask.all()) else batch.mask
        return model(batch.positions, batch.features, mask)

    predict = forward

    def counts(self, batch: SegmentationBatch) -> dict[str, float]:
        known = batch.labels[batch.labels != NO_LABEL]
        weights = self._weights(known)
        return {"cross entropy": float(len(known) if weights is None else weights[known].sum())}

    def loss(self, prediction: Tensor, batch: SegmentationBatch, step: int) -> dict[str, Term]:
        value = segmentation_loss(
            prediction,
            batch.labels,
            batch.mask,
            class_weights=self._weights(prediction),
            label_smoothing=self.label_smoothing,
        )
        return {"cross entropy": Term(value)}

    def recognised(self, prediction: Tensor, batch: SegmentationBatch) -> tuple[Tensor, Tensor]:
        """The logits of the labelled points in a `prediction`, and their classes."""
        known = batch.labels != NO_LABEL
        return prediction[known], batch.labels[known]

    def _weights(self, like: Tensor) -> Tensor | None:
        if self.class_weights == "balanced":
            raise ValueError("which weights are balanced depends on the data: give one number per class")
        return torch.tensor(self.class_weights, device=like.device) if self.class_weights else None

    def tally(self, classes: Sequence[str]) -> PointTally:
        return PointTally(classes)

    def panels(
        self, prediction: Tensor, batch: SegmentationBatch, row: int, classes: Sequence[str]
    ) -> list[Panel | Image]:
        seen = batch.mask[row].cpu()
        positions = batch.positions[row].cpu()[seen].numpy()
        answers = {"truth": batch.labels[row], "prediction": prediction[row].argmax(-1)}
        clouds = {
            title: PointCloud(positions=positions, fields={"label": labels.cpu()[seen].numpy()})
            for title, labels in answers.items()
        }
        return [Panel(title, cloud, "label", up="z", names=tuple(classes)) for title, cloud in clouds.items()]


class PointTally:
    """Overlaps and accuracies of all labelled points pooled."""

    def __init__(self, classes: Sequence[str]) -> None:
        self.matrix = ConfusionMatrix(classes)
        self.shares: dict[int, tuple[float, str]] = {}  # per sample: right answers over labelled points, and its scene

    def update(self, prediction: Tensor, batch: SegmentationBatch) -> None:
        answers = prediction.argmax(dim=-1)
        self.matrix.update(answers, batch.labels)
        known = batch.labels != NO_LABEL
        right = ((answers == batch.labels) & known).sum(1) / known.sum(1).clamp(min=1)
        scenes = batch.scenes or ("",) * len(batch)
        self.shares.update(zip(batch.numbers, zip(right.tolist(), scenes, strict=True), strict=True))

    def merge(self, other: PointTally) -> None:
        self.matrix.counts = self.matrix.counts + other.matrix.counts
        self.shares.update(other.shares)

    def scores(self) -> list[Score]:
        return point_scores(self.matrix)

    def details(self) -> list[Score]:
        return self.matrix.per_class()

    def quality(self) -> dict[int, float]:
        return {number: share for number, (share, _) in self.shares.items()}

    def caption(self, number: int) -> str:
        share, scene = self.shares[number]
        return f"{scene}{': ' if scene else ''}{share:.1%} of its labelled points are right"

    def confusion(self) -> ConfusionMatrix:
        return self.matrix


def point_scores(matrix: ConfusionMatrix) -> list[Score]:
    return [matrix.mean_iou(), matrix.overall_accuracy(), matrix.mean_class_accuracy(), matrix.mean_iou_of_all()]


def _channels(values: Tensor) -> Tensor:  # [B, N] or [B, N, C] -> [B, N, C] float32
    full = 255.0 if values.dtype == torch.uint8 else 1.0
    values = values.float() / full if full != 1.0 else values.float()
    return values if values.dim() == 3 else values[..., None]
