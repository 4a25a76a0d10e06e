"""Small random samples of each task."""

import numpy as np

from cloud_transformers.cloud import PointCloud
from cloud_transformers.datasets import (
    ClassificationSample,
    CompletionSample,
    ReconstructionSample,
    SegmentationSample,
)
from cloud_transformers.tasks import Item


def cloud(rng: np.random.Generator, num: int, **fields: np.ndarray) -> PointCloud:
    return PointCloud(positions=rng.uniform(-0.5, 0.5, (num, 3)).astype(np.float32), fields=fields)


def segmentation(rng, number):
    num = int(rng.integers(20, 60))
    label = rng.integers(-1, 4, num)
    colored = cloud(rng, num, color=rng.random((num, 3)).astype(np.float32), label=label)
    return SegmentationSample(name=f"block {number}", cloud=colored, scene="room")


def classification(rng, number):
    num = int(rng.integers(20, 60))
    return ClassificationSample(
        name=f"object {number}", cloud=cloud(rng, num, mask=rng.random(num) < 0.5), label=int(rng.integers(4))
    )


def completion(rng, number):
    return CompletionSample(
        name=f"shape {number}",
        partial=cloud(rng, int(rng.integers(10, 30))),
        complete=cloud(rng, 64),
        taxonomy=("02691156", "03001627")[number % 2],
        id=str(number),
        view=0,
    )


def reconstruction(rng, number):
    image = rng.integers(0, 256, (32, 32, 3)).astype(np.uint8)
    return ReconstructionSample(
        name=f"picture {number}", image=image, cloud=cloud(rng, 64), category="ab"[number % 2], id=str(number), view=0
    )


def items(make, count, seed=0):
    return [Item(number, 1000 + number, make(np.random.default_rng((seed, number)), number)) for number in range(count)]
