"""Reconstruction from one image: batches, loss, score and picture.

Letters: B batch, N output points.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import torch
from torch import Tensor, nn

from cloud_transformers.cloud import CloudBatch, PointCloud
from cloud_transformers.errors import InputError
from cloud_transformers.losses.chamfer import nearest_squares, square_root
from cloud_transformers.losses.emd import emd_loss
from cloud_transformers.models.generator import sphere_points
from cloud_transformers.models.reconstructor import IMAGENET_MEAN, IMAGENET_STD, normalized_images
from cloud_transformers.tasks.shape_tally import ShapeTally
from cloud_transformers.tasks.task import Batch, Image, Item, Panel, Term, origin


@dataclass(frozen=True, eq=False, kw_only=True)
class ReconstructionBatch(Batch):
    """Pictures, and the clouds that they show."""

    images: Tensor  # [B, 3, h, w], normalised with ImageNet's mean and deviation
    cloud: Tensor  # [B, N, 3]
    categories: tuple[str, ...]  # B names


@dataclass(frozen=True, kw_only=True)
class Reconstruction:
    """The loss is the mean EMD, for the first `emd_steps` steps if that is said, and `linear` times the mean distances
    to the nearest points, both ways: EMD spreads points over the whole shape, distances then bring each one closer to
    it. The scored answer is `passes` predictions of one style merged, `drawn` points of them drawn at random.
    """

    name: ClassVar[str] = "reconstruction"

    num_points: int = 8192  # of one pass
    passes: int = 2
    drawn: int = 10000
    linear: float = 0.0  # none, as in the paper
    exactness: float = 1.0  # what the distances from predicted to true points count, those back counting 1
    emd_steps: int | None = None  # none: all
    thresholds: tuple[float, ...] = (0.01, 0.05)  # of the F-scores, in the data's units
    score_emd: bool = False  # in evaluation; validation during training leaves it out

    def __post_init__(self) -> None:
        if self.drawn > self.passes * self.num_points:
            raise InputError(
                f"{self.passes} passes of {self.num_points} points are fewer than the {self.drawn} to be drawn; "
                "change passes or drawn"
            )
        if self.emd_steps is not None and not self.linear:
            raise InputError(f"after emd_steps={self.emd_steps} there is nothing left to learn from; set linear, say 1")

    def collate(self, items: Sequence[Item]) -> ReconstructionBatch:
        clouds = CloudBatch.from_clouds([item.sample.cloud.positions for item in items])
        if not bool(clouds.mask.all()):
            raise ValueError("true clouds of a batch must be equally long: draw a fixed count of points")
        return ReconstructionBatch(
            **origin(items),
            images=normalized_images(np.stack([item.sample.image for item in items])),
            cloud=clouds.positions,
            categories=tuple(item.sample.category for item in items),
        )

    def forward(self, model: nn.Module, batch: ReconstructionBatch) -> Tensor:  # [B, num_points, 3]
        reconstructor: Any = model  # of any kind that is called as `models.Reconstructor` is
        generators = [torch.Generator().manual_seed(seed) for seed in batch.seeds]
        style = reconstructor.encode(batch.images)
        return reconstructor.decode(style, self._sphere(style, generators))

    def predict(self, model: nn.Module, batch: ReconstructionBatch) -> Tensor:  # [B, drawn, 3]
        reconstructor: Any = model  # of any kind that is called as `models.Reconstructor` is
        generators = [torch.Generator().manual_seed(seed) for seed in batch.seeds]
        style = reconstructor.encode(batch.images)
        merged = torch.cat(
            [reconstructor.decode(style, self._sphere(style, generators)) for _ in range(self.passes)], dim=1
        )
        rows = [torch.randperm(merged.shape[1], generator=generator)[: self.drawn] for generator in generators]
        return torch.stack([points[chosen.to(points.device)] for points, chosen in zip(merged, rows, strict=True)])

    def _sphere(self, like: Tensor, generators: Sequence[torch.Generator]) -> Tensor:
        return torch.cat([sphere_points(1, self.num_points, like=like, generator=each) for each in generators])

    def counts(self, batch: ReconstructionBatch) -> dict[str, float]:
        return dict.fromkeys(("EMD", "distance"), float(len(batch)))

    def loss(self, prediction: Tensor, batch: ReconstructionBatch, step: int) -> dict[str, Term]:
        terms = {}
        if self.emd_steps is None or step < self.emd_steps:
            # True points stand in random order: of more than were predicted, as many are a fair draw.
            terms["EMD"] = Term(emd_loss(prediction.float(), batch.cloud[:, : prediction.shape[1]]).mean())
        if self.linear:
            there, back = nearest_squares(prediction.float(), batch.cloud)
            terms["distance"] = Term(
                self.linear * (self.exactness * square_root(there).mean() + square_root(back).mean())
            )
        return terms

    def recognised(self, prediction: Tensor, batch: Batch) -> None:
        """Nothing: no `prediction` of this task names a class."""
        return

    def tally(self, classes: Sequence[str]) -> ReconstructionTally:
        return ReconstructionTally(self.thresholds, primary=f"F@{self.thresholds[0]:g}", with_emd=self.score_emd)

    def panels(
        self, prediction: Tensor, batch: ReconstructionBatch, row: int, classes: Sequence[str]
    ) -> list[Panel | Image]:
        mean, std = (torch.tensor(values)[:, None, None] for values in (IMAGENET_MEAN, IMAGENET_STD))
        pixels = (255 * (batch.images[row].cpu() * std + mean)).round().clamp(0, 255)
        clouds = {"prediction": prediction[row], "truth": batch.cloud[row]}
        return [
            Image("input", pixels.permute(1, 2, 0).to(torch.uint8).numpy()),
            *(Panel(title, PointCloud(positions=points.numpy(force=True))) for title, points in clouds.items()),
        ]


class ReconstructionTally(ShapeTally):
    def update(self, prediction: Tensor, batch: ReconstructionBatch) -> None:
        self.add(batch.numbers, batch.categories, prediction, batch.cloud)
