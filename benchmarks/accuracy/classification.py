"""ModelNet40 at an equal budget: the `small` classifier beside PointNet, PointNet++, DGCNN and PointNeXt-S."""

from __future__ import annotations

import time
from functools import cached_property
from typing import Any

import torch
from torch import Tensor, nn

from benchmarks.accuracy.rivals import MODELS
from benchmarks.accuracy.table import Column, Table, spread
from cloud_transformers.datasets import Dataset
from cloud_transformers.metrics import ConfusionMatrix
from cloud_transformers.recipes import Recipe, recipe, with_settings
from cloud_transformers.tasks import Item

SMOOTHING = 0.2  # of labels, for all models


class ModelNet40(Table):
    name = "modelnet40"
    title = "ModelNet40, 1024 points, one pass, 2468 test shapes"
    columns = (Column("OA"), Column("mAcc"))
    models = MODELS
    needs_data = "modelnet40_ply_hdf5_2048"

    @cached_property
    def experiment(self) -> Recipe:
        return with_settings(recipe("modelnet40", "small"), {"folder": str(self.folder)})

    @cached_property
    def test(self) -> Dataset[Any]:
        protocol: Any = self.experiment.data.protocol(self.experiment.task, batch_size=32, workers=0)
        found: Dataset[Any] = protocol.passes[0].dataset
        return found

    def training(self, name: str, seed: int) -> Dataset[Any]:
        return self.experiment.data.splits(self.experiment.task, seed).train

    def build(self, name: str) -> nn.Module:
        return MODELS[name](len(self.test.classes))

    def loss(self, model: nn.Module, items: list[Item]) -> Tensor:
        positions, labels = _batch([item.sample for item in items])
        return nn.functional.cross_entropy(model(positions), labels, label_smoothing=SMOOTHING)

    @torch.no_grad()
    def judge(self, model: nn.Module, most: int | None = None) -> dict[str, float]:
        counts, spent = ConfusionMatrix(self.test.classes, sample="shapes"), 0.0
        places = spread(self.test, most)
        for first in range(0, len(places), self.batch_size):
            positions, labels = _batch([self.test[place] for place in places[first : first + self.batch_size]])
            start = time.process_time()
            logits = model(positions)
            spent += time.process_time() - start
            counts.update(logits.argmax(1), labels)
        return {
            "OA": counts.overall_accuracy().value,
            "mAcc": counts.mean_class_accuracy().value,
            "clouds per second in evaluation": len(places) / spent,
        }


def _batch(samples: list[Any]) -> tuple[Tensor, Tensor]:  # [B, N, 3], [B]
    positions = torch.stack([torch.from_numpy(sample.cloud.positions) for sample in samples])
    return positions, torch.tensor([sample.label for sample in samples])
