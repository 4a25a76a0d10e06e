"""The world as datasets for training, without files: the same samples as the readers of its written layouts give.

Each function returns a `Dataset` of a split, "train", "val" or "test", with `size` objects; `transform` is what becomes
of each, see `transforms`. With `endless=True` every epoch shows objects never seen before, so that a training set
cannot be learned by heart.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from cloud_transformers.cloud import PointCloud
from cloud_transformers.datasets.dataset import Dataset
from cloud_transformers.datasets.layout import choose
from cloud_transformers.datasets.problems import Problem
from cloud_transformers.datasets.s3dis.room_blocks import room_to_blocks
from cloud_transformers.datasets.sample import (
    ClassificationSample,
    CompletionSample,
    ReconstructionSample,
    SegmentationSample,
)
from cloud_transformers.errors import InputError
from cloud_transformers.progress import progress
from cloud_transformers.world import objects, rooms, views
from cloud_transformers.world.cutouts import VARIANTS, cutout
from cloud_transformers.world.seeds import SPLIT_START, generator

Transform = Callable[..., Any] | None


@dataclass(kw_only=True)
class _Objects:
    """What all sources of single objects share: which object a sample of an epoch is."""

    split: str  # "train", "val" or "test": different objects
    size: int  # how many objects an epoch has
    seed: int
    endless: bool  # whether every epoch shows other objects
    classes: tuple[str, ...]  # take turns

    def __post_init__(self) -> None:
        choose("split", self.split, tuple(SPLIT_START))
        if self.size < 1:
            raise InputError(f"a dataset of the world needs a size of at least 1, got {self.size}")

    def __len__(self) -> int:
        return self.size

    def name(self, index: int) -> str:
        return f"world/{self.split}{index:06d}"

    def problems(self) -> list[Problem]:
        return []

    def number(self, index: int, epoch: int) -> int:
        """The object's index in the world. Fresh ones in every epoch, if endless, but of the same classes."""
        rounds = -(-self.size // len(self.classes)) * len(self.classes)
        return SPLIT_START[self.split] + index + (epoch * rounds if self.endless else 0)


@dataclass(kw_only=True)
class CutoutSource(_Objects):
    """Objects cut out of scanned scenes: see `cutouts.cutout`."""

    variant: str  # of ScanObjectNN

    def read(self, index: int, rng: np.random.Generator, epoch: int = 0) -> ClassificationSample:
        sample = cutout(self.seed, self.number(index, epoch), self.variant, classes=self.classes)
        cloud = PointCloud(positions=sample["data"], fields={"mask": sample["mask"] != -1})
        return ClassificationSample(name=self.name(index), cloud=cloud, label=sample["label"])


@dataclass(kw_only=True)
class SurfaceSource(_Objects):
    """Points on the surfaces of objects: see `objects.sample`."""

    def read(self, index: int, rng: np.random.Generator, epoch: int = 0) -> ClassificationSample:
        sample = objects.sample(self.seed, self.number(index, epoch), classes=self.classes)
        cloud = PointCloud(positions=np.ascontiguousarray(objects.y_up(sample["points"])))
        return ClassificationSample(name=self.name(index), cloud=cloud, label=sample["label"])


@dataclass(kw_only=True)
class CompletionSource(_Objects):
    """Partial and complete clouds: see `views.completion`."""

    def read(self, index: int, rng: np.random.Generator, epoch: int = 0) -> CompletionSample:
        view = int(rng.integers(8)) if self.split == "train" else 0
        sample = views.completion(self.seed, self.number(index, epoch), view, classes=self.classes)
        return CompletionSample(
            name=self.name(index),
            partial=PointCloud(positions=sample["partial"]),
            complete=PointCloud(positions=sample["complete"]),
            taxonomy=views.TAXONOMY[sample["class_name"]],
            id=f"{self.split}{index:06d}",
            view=view,
        )


@dataclass(kw_only=True)
class ReconstructionSource(_Objects):
    """Pictures and clouds: see `views.reconstruction`."""

    def read(self, index: int, rng: np.random.Generator, epoch: int = 0) -> ReconstructionSample:
        view = int(rng.integers(5)) if self.split == "train" else 0
        sample = views.reconstruction(self.seed, self.number(index, epoch), view, classes=self.classes)
        return ReconstructionSample(
            name=self.name(index),
            image=sample["image"],
            cloud=PointCloud(positions=sample["points"]),
            category=sample["class_name"],
            id=f"{self.split}{index:06d}",
            view=view,
        )


class BlockSource:
    """Rooms cut into blocks, all held in memory: about 0.1 MB per block, 40 to 150 blocks per room.

    Of `num_rooms` rooms every sixth, Area 5, is the split "test", the others are "train".
    """

    classes: tuple[str, ...] = rooms.CLASSES

    def __init__(self, split: str, num_rooms: int, seed: int):
        choose("split", split, ("train", "test"))
        chosen = [index for index in range(num_rooms) if (rooms.area_of(index) == 5) == (split == "test")]
        if not chosen:
            raise InputError(f"{num_rooms} rooms leave none for the {split} split; the fifth of every six is for test")
        self.split, self.seed = split, seed
        self.scenes: list[str] = []
        data, label = [], []
        for index in progress(chosen, f"{split} rooms"):
            cloud = rooms.room(seed, index)
            points = np.concatenate([cloud.positions, cloud.fields["color"]], axis=1)
            blocks, classes = room_to_blocks(
                points, cloud.fields["label"], generator("room blocks", seed, index), floor="robust"
            )
            data.append(blocks[:, :, :6])
            label.append(classes)
            self.scenes += [f"Area_{rooms.area_of(index)}_{cloud.metadata['kind']}_{index}"] * len(blocks)
        self.data, self.label = np.concatenate(data), np.concatenate(label)

    def __len__(self) -> int:
        return len(self.scenes)

    def __repr__(self) -> str:
        return f"world.s3dis_blocks({self.split!r}, seed={self.seed}, {len(self)} blocks)"

    def name(self, index: int) -> str:
        return f"world/{self.scenes[index]}, block {index}"

    def problems(self) -> list[Problem]:
        return []

    def read(self, index: int, rng: np.random.Generator, epoch: int = 0) -> SegmentationSample:
        cloud = PointCloud(
            positions=np.ascontiguousarray(self.data[index, :, :3]),
            fields={
                "color": np.ascontiguousarray(self.data[index, :, 3:]),
                "label": self.label[index].astype(np.int64),
            },
        )
        return SegmentationSample(name=self.name(index), cloud=cloud, scene=self.scenes[index])


def scanobjectnn(
    split: str,
    *,
    size: int,
    seed: int = 0,
    variant: str = "PB_T50_RS",
    endless: bool = False,
    transform: Transform = None,
) -> Dataset[ClassificationSample]:
    """Objects cut out of scanned scenes, with the field `mask`, as `datasets.scanobjectnn` reads them.

    `variant`: one of `cutouts.VARIANTS`, see `cutouts.cutout`.
    """
    choose("variant", variant, VARIANTS)
    source = CutoutSource(split=split, size=size, seed=seed, endless=endless, classes=objects.CLASSES, variant=variant)
    return Dataset(source, transform, seed=seed)


def modelnet40(
    split: str, *, size: int, seed: int = 0, endless: bool = False, transform: Transform = None
) -> Dataset[ClassificationSample]:
    """Clouds of 2048 points in the unit sphere, y up, of ModelNet's 40 classes."""
    source = SurfaceSource(split=split, size=size, seed=seed, endless=endless, classes=objects.MODELNET_CLASSES)
    return Dataset(source, transform, seed=seed)


def completion(
    split: str, *, size: int, seed: int = 0, endless: bool = False, transform: Transform = None
) -> Dataset[CompletionSample]:
    """Partial and complete clouds of PCN's 8 categories; in training each epoch draws one of 8 views."""
    source = CompletionSource(split=split, size=size, seed=seed, endless=endless, classes=objects.COMPLETION_CLASSES)
    return Dataset(source, transform, seed=seed)


def reconstruction(
    split: str, *, size: int, seed: int = 0, endless: bool = False, transform: Transform = None
) -> Dataset[ReconstructionSample]:
    """Pictures and viewer-centred clouds of the 15 classes; in training each epoch draws one of 5 views."""
    source = ReconstructionSource(split=split, size=size, seed=seed, endless=endless, classes=objects.CLASSES)
    return Dataset(source, transform, seed=seed)


def s3dis_blocks(
    split: str, *, num_rooms: int, seed: int = 0, transform: Transform = None
) -> Dataset[SegmentationSample]:
    """Blocks of 4096 points with colours in [0, 1]. Of `num_rooms` rooms every sixth, Area 5, is the test split."""
    return Dataset(BlockSource(split, num_rooms, seed), transform, seed=seed)
