"""Segmentation of rooms of the embedded world: trained on surveyed rooms, tested on rooms of another seed, and on rooms
of another style: homes and offices scanned by hand, with everything that goes wrong there."""

from __future__ import annotations

import time
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from tqdm import tqdm

from benchmarks.accuracy.segmenters import MODELS
from benchmarks.accuracy.table import Column, Table, spread
from cloud_transformers.cache import cached_folder, fingerprint
from cloud_transformers.datasets import Dataset
from cloud_transformers.datasets.s3dis.room_blocks import room_to_blocks
from cloud_transformers.metrics import ConfusionMatrix
from cloud_transformers.recipes import Recipe, recipe, with_settings
from cloud_transformers.tasks import Item
from cloud_transformers.transforms import FixedCount
from cloud_transformers.world import rooms, scans
from cloud_transformers.world.layouts.job import WORLD_VERSION
from cloud_transformers.world.seeds import generator
from cloud_transformers.world.sources import BlockSource

POINTS = 2048  # of each block of 1 m x 1 m
ROOMS = 36  # of which a sixth is for test
SCANS = 8
OTHER_SEED = 7


class HandheldBlocks(BlockSource):
    """Scans made by hand, cut into the same blocks as surveyed rooms."""

    def __init__(self, num_scans: int, seed: int) -> None:
        self.split, self.seed = "test", seed
        key = fingerprint([], what="blocks of scans by hand", size=num_scans, seed=seed, version=WORLD_VERSION)
        with np.load(cached_folder("world", key, lambda folder: _cut(folder, num_scans, seed)) / "blocks.npz") as kept:
            self.data, self.label, self.scenes = kept["data"], kept["label"], kept["scenes"].tolist()


def _cut(folder: Path, num_scans: int, seed: int) -> None:
    data, label, scenes = [], [], []
    for index in tqdm(range(num_scans), desc="scans by hand", unit="scan"):
        cloud = scans.scan(seed, index)
        points = np.concatenate([cloud.positions, cloud.fields["color"]], axis=1)
        rng = generator("scan blocks", seed, index)
        blocks, classes = room_to_blocks(points, cloud.fields["label"], rng, stride=1.0, floor="robust")
        data.append(blocks[:, :, :6])
        label.append(classes)
        scenes += [f"scan {index}"] * len(blocks)
    np.savez(folder / "blocks.npz", data=np.concatenate(data), label=np.concatenate(label), scenes=np.array(scenes))


class WorldSegmentation(Table):
    name = "segmentation"
    title = f"rooms of the world, blocks of {POINTS} points; trained on 30 surveyed rooms, tested on other ones"
    columns = (
        Column("mIoU, scans by hand"),
        Column("OA, scans by hand"),
        Column("mIoU, surveyed rooms"),
        Column("OA, surveyed rooms"),
    )
    models = MODELS
    minutes = 5.0
    batch_size = 8

    @cached_property
    def experiment(self) -> Recipe:
        settings = {"world_size": str(ROOMS), "points": str(POINTS), "holdout": "0", "validate_every": "0"}
        return with_settings(recipe("s3dis-blocks", "small"), settings)

    @cached_property
    def tests(self) -> dict[str, Dataset[Any]]:
        other = with_settings(self.experiment, {"world_seed": str(OTHER_SEED)})
        surveyed: Any = other.data.protocol(other.task, batch_size=8, workers=0)
        by_hand = Dataset(HandheldBlocks(SCANS, OTHER_SEED), FixedCount(POINTS))
        return {"scans by hand": by_hand, "surveyed rooms": surveyed.passes[0].dataset}

    def training(self, name: str, seed: int) -> Dataset[Any]:
        return self.experiment.data.splits(self.experiment.task, seed).train

    def build(self, name: str) -> nn.Module:
        return MODELS[name](len(rooms.CLASSES))

    def loss(self, model: nn.Module, items: list[Item]) -> Tensor:
        task: Any = self.experiment.task
        batch = task.collate(items)
        logits = model(batch.positions, batch.features)
        value: Tensor = task.loss(logits, batch, step=0)["cross entropy"].value
        return value

    @torch.no_grad()
    def judge(self, model: nn.Module, most: int | None = None) -> dict[str, float]:
        task: Any = self.experiment.task
        found: dict[str, float] = {}
        count, spent = 0, 0.0
        for name, test in self.tests.items():
            counts, places = ConfusionMatrix(rooms.CLASSES, sample="points"), spread(test, most)
            for first in range(0, len(places), self.batch_size):
                some = places[first : first + self.batch_size]
                batch = task.collate([Item(place, place, test[place]) for place in some])
                start = time.process_time()
                logits = model(batch.positions, batch.features)
                spent += time.process_time() - start
                counts.update(logits.argmax(2).flatten(), batch.labels.flatten())
            count += len(places)
            found[f"mIoU, {name}"] = counts.mean_iou().value
            found[f"OA, {name}"] = counts.overall_accuracy().value
        return {**found, "clouds per second in evaluation": count / spent}
