"""What bfloat16 costs in accuracy: scores of the boxed weights in both precisions, on unseen data of the world.

Only scores are compared, so this runs on processors that have to emulate bfloat16, too.

python -m benchmarks.precision
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import torch

from cloud_transformers.metrics.confusion import ConfusionMatrix
from cloud_transformers.metrics.shapes import ShapeDistances
from cloud_transformers.predict import Predictor
from cloud_transformers.world import rooms, sources

OBJECTS = 150
ROOMS = 2


def measure() -> dict[str, float]:
    figures: dict[str, float] = {}
    for scores in (segmentation, classification, completion, reconstruction):
        for precision in ("float32", "bfloat16"):
            figures |= {f"{name}, {precision}": value for name, value in scores(precision)}
    return figures


def load(weights: str, precision: Any) -> Any:
    return Predictor.load(weights, "cpu", precision=precision, allow_slow=True)


def segmentation(precision: str) -> Iterator[tuple[str, float]]:
    predictor = load("segmenter-small", precision)
    matrix = ConfusionMatrix(predictor.classes)
    for index in range(ROOMS):
        room = rooms.room(99, index)
        labels = predictor(room.without_fields("label")).labels
        matrix.update(
            torch.from_numpy(labels.astype(np.int64)), torch.from_numpy(room.fields["label"].astype(np.int64))
        )
    hits = matrix.counts.diagonal().sum()
    yield f"segmenter-small, {ROOMS} rooms, right points, in %", float(100 * hits / matrix.num_samples)
    yield f"segmenter-small, {ROOMS} rooms, mIoU, in %", float(matrix.iou_per_class().nanmean())


def classification(precision: str) -> Iterator[tuple[str, float]]:
    predictor = load("classifier-small", precision)
    data = sources.scanobjectnn("test", size=OBJECTS, variant="OBJ_BG")  # as the weights were trained
    samples = [data[index] for index in range(OBJECTS)]
    answers = predictor.many([sample.cloud for sample in samples])
    right = [predictor.classes[sample.label] == answer.label for sample, answer in zip(samples, answers, strict=True)]
    yield f"classifier-small, {OBJECTS} objects, right, in %", 100 * float(np.mean(right))


def completion(precision: str) -> Iterator[tuple[str, float]]:
    data = sources.completion("test", size=OBJECTS)
    samples = [data[index] for index in range(OBJECTS)]
    answers = load("completer-small", precision).many([sample.partial for sample in samples])
    distances = [distance(answer, sample.complete) for answer, sample in zip(answers, samples, strict=True)]
    yield f"completer-small, {OBJECTS} objects, CD-L2, in 1e-4", 1e4 * float(np.mean(distances))


def reconstruction(precision: str) -> Iterator[tuple[str, float]]:
    data = sources.reconstruction("test", size=OBJECTS)
    samples = [data[index] for index in range(OBJECTS)]
    answers = load("reconstructor-small", precision).many([sample.image for sample in samples])
    distances = [distance(answer, sample.cloud) for answer, sample in zip(answers, samples, strict=True)]
    yield f"reconstructor-small, {OBJECTS} pictures, CD-L2, in 1e-4", 1e4 * float(np.mean(distances))


def distance(answer: Any, truth: Any) -> float:
    clouds = (torch.from_numpy(cloud.positions)[None] for cloud in (answer, truth))
    return float(ShapeDistances.between(*clouds).chamfer_l2())


if __name__ == "__main__":
    for figure, value in measure().items():
        print(f"{value:11.3f}  {figure}")
