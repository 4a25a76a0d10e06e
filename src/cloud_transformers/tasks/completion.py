"""Completion: batches, loss, score and picture.

Letters: B batch, M observed points, N output points.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import torch
from torch import Tensor, nn

from cloud_transformers.cloud import CloudBatch, PointCloud
from cloud_transformers.datasets.pcn import TAXONOMIES
from cloud_transformers.losses.chamfer import chamfer, nearest_squares, square_root
from cloud_transformers.losses.emd import emd_loss
from cloud_transformers.tasks.shape_tally import Measure, ShapeTally
from cloud_transformers.tasks.task import Batch, Image, Item, Panel, Term, origin

INPUT = "CD-L2 of the input"
INPUT_MEASURE = Measure("1e-4 squared units", "as CD-L2, with the observed points as the answer", "lower")


@dataclass(frozen=True, eq=False, kw_only=True)
class CompletionBatch(Batch):
    """Partial clouds, padded, and complete ones."""

    partial: Tensor  # [B, M, 3]
    mask: Tensor  # [B, M], True = a real point
    complete: Tensor  # [B, N, 3]
    categories: tuple[str, ...]  # B names


@dataclass(frozen=True, kw_only=True)
class Completion:
    """The loss is EMD + Chamfer for the first `emd_steps` steps and Chamfer alone from then on.

    Shapes are multiplied by `scale` on their way into the model and divided by it on their way out, as PCN's are by 2.
    The loss is taken on coordinates multiplied by `loss_scale`: Chamfer is quadratic in them and EMD linear, so that a
    factor of 2, as in the release, doubles the weight of Chamfer against EMD. `linear` is the weight of the distances
    themselves beside their squares: points come closer than where squares alone leave them. Scores are in the data's
    coordinates.
    """

    name: ClassVar[str] = "completion"

    num_points: int = 16384  # of the output
    predicted: int | None = None  # in training, if fewer: that costs less
    scale: float = 2.0
    loss_scale: float = 1.0
    linear: float = 0.0
    emd_steps: int = 0
    thresholds: tuple[float, ...] = (0.01,)  # of the F-scores, in the data's units
    score_emd: bool = True  # in evaluation; validation during training leaves it out

    def collate(self, items: Sequence[Item]) -> CompletionBatch:
        partial = CloudBatch.from_clouds([item.sample.partial.positions for item in items])
        complete = CloudBatch.from_clouds([item.sample.complete.positions for item in items])
        if not bool(complete.mask.all()):
            raise ValueError("complete clouds of a batch must be equally long: draw a fixed count of points")
        return CompletionBatch(
            **origin(items),
            partial=partial.positions,
            mask=partial.mask,
            complete=complete.positions,
            categories=tuple(TAXONOMIES.get(item.sample.taxonomy, item.sample.taxonomy) for item in items),
        )

    def forward(self, model: nn.Module, batch: CompletionBatch) -> Tensor:  # [B, N, 3]
        completer: Any = model  # of any kind that is called as `models.Completer` is
        partial = batch.partial * self.scale
        mask = None if bool(batch.mask.all()) else batch.mask
        style = completer.encode(partial, mask)
        count = (model.training and self.predicted) or self.num_points
        inputs = [
            completer.decoder_inputs(
                partial[row : row + 1],
                count,
                None if mask is None else mask[row : row + 1],
                torch.Generator().manual_seed(seed),
            )
            for row, seed in enumerate(batch.seeds)
        ]
        return completer.decode(style, torch.cat(inputs)) / self.scale

    predict = forward

    def counts(self, batch: CompletionBatch) -> dict[str, float]:
        return dict.fromkeys(("Chamfer", "distance", "EMD"), float(len(batch)))

    def loss(self, prediction: Tensor, batch: CompletionBatch, step: int) -> dict[str, Term]:
        ours, truth = prediction.float() * self.loss_scale, batch.complete * self.loss_scale
        there, back = nearest_squares(ours, truth)
        terms = {"Chamfer": Term(there.mean() + back.mean())}
        if self.linear:
            terms["distance"] = Term(self.linear * (square_root(there).mean() + square_root(back).mean()))
        if step < self.emd_steps:
            terms["EMD"] = Term(emd_loss(ours, truth).mean())
        return terms

    def recognised(self, prediction: Tensor, batch: Batch) -> None:
        """Nothing: no `prediction` of this task names a class."""
        return

    def tally(self, classes: Sequence[str], rivals: Mapping[str, float] | None = None) -> CompletionTally:
        """`rivals`: the best F of other methods by category, to count in how many categories the model wins."""
        return CompletionTally(
            self.thresholds,
            primary="CD-L2",
            with_emd=self.score_emd,
            more={INPUT: INPUT_MEASURE},
            detailed=(f"F@{self.thresholds[0]:g}", "CD-L2"),
            rivals=rivals,
        )

    def panels(
        self, prediction: Tensor, batch: CompletionBatch, row: int, classes: Sequence[str]
    ) -> list[Panel | Image]:
        clouds = {
            "input": batch.partial[row][batch.mask[row]],
            "prediction": prediction[row],
            "truth": batch.complete[row],
        }
        return [Panel(title, PointCloud(positions=points.numpy(force=True))) for title, points in clouds.items()]


class CompletionTally(ShapeTally):
    """Beside the prediction's scores, what the input itself would have scored."""

    def update(self, prediction: Tensor, batch: CompletionBatch) -> None:
        forth, back = chamfer(batch.partial, batch.complete, masks=(batch.mask, None))
        given = {INPUT: 1e4 * (forth + back).double()}
        self.add(batch.numbers, batch.categories, prediction, batch.complete, given)
