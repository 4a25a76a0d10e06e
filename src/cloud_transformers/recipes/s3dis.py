"""Indoor segmentation on S3DIS, in the block and the sphere protocol."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from cloud_transformers.datasets import Dataset
from cloud_transformers.datasets.s3dis import s3dis_blocks as open_blocks
from cloud_transformers.datasets.s3dis import s3dis_spheres as open_spheres
from cloud_transformers.datasets.s3dis.blocks import FOLDER
from cloud_transformers.datasets.s3dis.classes import SPHERE_COLOR_MEAN, SPHERE_COLOR_STD
from cloud_transformers.engine import Pass, Protocol, TrainingOptions
from cloud_transformers.errors import InputError
from cloud_transformers.models import Preparation
from cloud_transformers.models.trunk import Size
from cloud_transformers.recipes.cpu import cpu_training
from cloud_transformers.recipes.data_access import BenchmarkData, derived, held_groups, held_out
from cloud_transformers.recipes.recipe import Recipe, SegmenterOptions, Splits
from cloud_transformers.tasks import Segmentation, VoteTally
from cloud_transformers.transforms import (
    Compose,
    FixedCount,
    s3dis_blocks_training,
    s3dis_spheres_evaluation,
    s3dis_spheres_training,
    s3dis_spheres_voting,
)


@dataclass(frozen=True, kw_only=True)
class BlocksData(BenchmarkData):
    layout = "s3dis"

    folder: str | None = None  # indoor3d_sem_seg_hdf5_data; none: the embedded world
    world_size: int = 30  # rooms
    test_area: int = 5
    points: int = 4096  # of each block's 4096; fewer are drawn at random
    hue: bool = True  # training shifts hue and saturation, as in the release
    holdout: float = 0.0  # the share of training rooms kept for validation

    def splits(self, task: Segmentation, seed: int) -> Splits:
        dataset = self._open("train")
        source: Any = dataset.source
        train, kept = held_out(dataset, self.holdout, [source.rooms[row] for row in source.chosen])
        steps = Compose((FixedCount(self.points), *s3dis_blocks_training(hue=self.hue).steps))
        validation = derived(dataset, FixedCount(self.points), rows=kept) if len(kept) else None
        return Splits(derived(dataset, steps, seed=seed, rows=train), validation)

    def protocol(self, task: Segmentation, *, batch_size: int, workers: int) -> Protocol:
        name = f"S3DIS blocks, Area {self.test_area}, {self.points} points of each stored block"
        test = derived(self._open("test"), FixedCount(self.points))
        name += self.where()
        return Protocol.once(name, task, test, batch_size=batch_size, workers=workers)

    def _open(self, split: str) -> Dataset[Any]:
        root = self.root()
        root = root / FOLDER if self.folder is None else root
        return open_blocks(root, split, test_area=self.test_area).checked()

    def preparation(self, task: Segmentation, classes: Sequence[str]) -> Preparation:
        return Preparation(
            task="segmentation",
            classes=tuple(classes),
            up="z",
            region="block",
            extent=1.0,
            floor="robust" if self.folder is None else "lowest",  # as the blocks of either were cut
            points=self.points,
            features=task.features,
        )


@dataclass(frozen=True, kw_only=True)
class SpheresData(BenchmarkData):
    layout = "s3dis"

    folder: str | None = None  # raw rooms, or what `cloudt data prepare s3dis-spheres` made; none: the embedded world
    world_size: int = 30  # rooms
    test_area: int = 5
    radius: float = 2.0
    points: int = 8192  # at most, per sphere
    train_spheres: int = 2000  # per epoch
    spheres: int = 2000  # per vote
    votes: int = 20  # the first clean, the others augmented
    holdout: float = 0.0  # the share of training rooms kept for validation
    validation_spheres: int = 100  # the same at each validation; their points are scored as they are, without votes

    def splits(self, task: Segmentation, seed: int) -> Splits:
        dataset = self._open("train", self.train_spheres, seed).checked()
        source: Any = dataset.source
        rooms = {f"{area}/{room.name}": room for area, folders in source.rooms.items() for room in folders}
        held = held_groups(list(rooms), self.holdout)
        if not len(held):
            return Splits(derived(dataset, s3dis_spheres_training(), seed=seed))
        if self.validation_spheres < 1:
            raise InputError(f"validation_spheres must be at least 1, got {self.validation_spheres}")
        train = source.with_rooms((room for name, room in rooms.items() if name not in held), self.train_spheres)
        kept = source.with_rooms((rooms[name] for name in sorted(held)), self.validation_spheres)
        return Splits(Dataset(train, s3dis_spheres_training(), seed=seed), Dataset(kept, s3dis_spheres_evaluation()))

    def protocol(self, task: Segmentation, *, batch_size: int, workers: int) -> Protocol:
        if self.votes < 1:
            raise InputError(f"votes must be at least 1, got {self.votes}")
        dataset = self._open("test", self.spheres, 0).checked()
        clean, voting = derived(dataset, s3dis_spheres_evaluation()), derived(dataset, s3dis_spheres_voting())
        source: Any = dataset.source
        return Protocol(
            name=(
                f"S3DIS spheres of {self.radius:g} m, Area {self.test_area}, mean logits of {self.votes} votes x "
                f"{self.spheres} spheres of at most {self.points} points, all raw points"
                f"{self.where()}"
            ),
            task=task,
            passes=tuple(Pass(clean if vote == 0 else voting, vote) for vote in range(self.votes)),
            tally=partial(VoteTally, source.classes, source),
            batch_size=batch_size,
            workers=workers,
        )

    def _open(self, split: str, num_spheres: int, seed: int) -> Dataset[Any]:
        root = self.root(blocks=False)
        return open_spheres(
            root,
            split,
            num_spheres=num_spheres,
            test_area=self.test_area,
            radius=self.radius,
            max_points=self.points,
            seed=seed,
        )

    def preparation(self, task: Segmentation, classes: Sequence[str]) -> Preparation:
        return Preparation(
            task="segmentation",
            classes=tuple(classes),
            up="z",
            region="sphere",
            extent=self.radius,
            floor="robust",  # areas have their floor at 0, wherever their lowest point is
            points=self.points,
            features=task.features,
            color_mean=SPHERE_COLOR_MEAN,
            color_std=SPHERE_COLOR_STD,
        )


def s3dis_blocks(size: Size = "full") -> Recipe:
    """S3DIS in 1 m blocks, Area 5 for test: the paper's first protocol.

    command   cloudt train s3dis-blocks --data indoor3d_sem_seg_hdf5_data --out RUN
    full      Adam 1e-3, x0.7 every 25,000 steps, batch 16 (torchrun with two processes: 8 each), 4096 points, for
              the release's 1000 epochs: 1,046,000 steps. Cost and score not measured yet.
    small     for two CPU cores, 13 minutes on one of them: 81.1 mIoU on the embedded world, see docs/training.md
    tiny      a first look, a minute or two; measured on the embedded world, see docs/training.md
    paper     63.7 mIoU
    """
    training = {
        "full": TrainingOptions(steps=1_046_000, batch_size=16, checkpoint_every=5000, log_every=100),
        "small": cpu_training(steps=2800, batch_size=8, validate_every=1400),
        "tiny": cpu_training(steps=300, batch_size=8, validate_every=100),
    }[size]
    data = {
        "full": BlocksData(),
        "small": BlocksData(points=1024, world_size=120, hue=False, holdout=0.03),
        "tiny": BlocksData(points=512, world_size=18, hue=False, holdout=0.1),
    }[size]
    model = SegmenterOptions(size=size)
    return Recipe(name="s3dis-blocks", data=data, task=Segmentation(), model=model, training=training)


def s3dis_spheres(size: Size = "full") -> Recipe:
    """S3DIS in spheres of 2 m with voting, Area 5 for test: the paper's second protocol.

    command   cloudt train s3dis-spheres --data Stanford3dDataset_v1.2_Aligned_Version --out RUN
    full      Adam 1e-3, x0.7 every 25,000 steps, gradient clipped at 10, batch 12, at most 8192 points, for the
              release's 600 epochs of 166 full batches: 99,600 steps. Cost and score not measured yet.
    small     for two CPU cores; not measured yet
    tiny      for tests; not measured yet
    paper     67.9 mIoU
    """
    training = {
        "full": TrainingOptions(steps=99_600, batch_size=12, clip=10.0, checkpoint_every=5000, log_every=100),
        "small": cpu_training(steps=600, batch_size=6, validate_every=150),
        "tiny": cpu_training(steps=200, batch_size=6, validate_every=100),
    }[size]
    data = {
        "full": SpheresData(),
        "small": SpheresData(points=2048, radius=1.0, spheres=1000, train_spheres=600, votes=2, holdout=0.1),
        "tiny": SpheresData(
            points=1024,
            radius=0.8,
            spheres=400,
            train_spheres=300,
            votes=2,
            world_size=12,
            holdout=0.2,
            validation_spheres=60,
        ),
    }[size]
    return Recipe(
        name="s3dis-spheres",
        data=data,
        task=Segmentation(features=("color", "height")),
        model=SegmenterOptions(size=size),
        training=training,
    )
