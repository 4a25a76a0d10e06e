"""A dataset in memory, four classes told apart by their shape, and runs on it."""

from pathlib import Path

import numpy as np

from cloud_transformers import models
from cloud_transformers.cloud import PointCloud
from cloud_transformers.datasets import ClassificationSample, Dataset
from cloud_transformers.engine import Protocol, RunFolder, TrainingOptions, train
from cloud_transformers.tasks import Classification

CLASSES = ("ball", "stick", "plate", "corner")
STRETCH = np.array([[1, 1, 1], [0.1, 0.1, 1], [1, 1, 0.1], [0.4, 1, 0.1]])
TASK = Classification()


class Shapes:
    classes = CLASSES

    def __init__(self, size: int, start: int = 0, broken: tuple[int, ...] = ()) -> None:
        self.size, self.start, self.broken = size, start, broken

    def __len__(self) -> int:
        return self.size

    def name(self, index: int) -> str:
        return f"shape {index}"

    def problems(self) -> list:
        return []

    def read(self, index: int, rng: np.random.Generator, epoch: int) -> ClassificationSample:
        fixed = np.random.default_rng(self.start + index)
        num = int(fixed.integers(24, 40))
        points = fixed.normal(size=(num, 3)) * STRETCH[index % 4] * 0.5 + rng.normal(0, 0.01, (num, 3))
        if index in self.broken:
            points[0] = np.inf
        cloud = PointCloud(positions=points.astype(np.float32), fields={"mask": points[:, 2] > 0})
        return ClassificationSample(name=self.name(index), cloud=cloud, label=index % 4)


def shapes(size: int = 20, **options) -> Dataset:
    return Dataset(Shapes(size, **options))


def options(**changes) -> TrainingOptions:
    chosen = {
        "steps": 6, "batch_size": 4, "checkpoint_every": 2, "log_every": 1, "device": "cpu", "learning_rate": 3e-3,
    }  # fmt: skip
    return TrainingOptions(**{**chosen, **changes})


def run(folder: Path, *, dataset: Dataset | None = None, validation: bool = False, **changes):
    protocol = Protocol.once("toy shapes", TASK, shapes(8, start=1000)) if validation else None
    return train(
        TASK,
        lambda: models.classifier("tiny", len(CLASSES)),
        shapes() if dataset is None else dataset,
        options(**changes),
        RunFolder(folder),
        validation=protocol,
    )
