"""What bfloat16 costs in accuracy and gains in time.

Scores of the boxed weights in both precisions, on unseen data of the world: also on processors that have to emulate
bfloat16. Then the time of an evaluation in bfloat16 over that in float32, where the processor has it.

python -m benchmarks.precision [scores|times]
"""

import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import torch
from torch import nn

from benchmarks.machine import seconds
from cloud_transformers.metrics.confusion import ConfusionMatrix
from cloud_transformers.metrics.shapes import ShapeDistances
from cloud_transformers.models import classifier, completer, reconstructor, segmenter
from cloud_transformers.predict import Predictor
from cloud_transformers.predict.precision import has_bfloat16
from cloud_transformers.world import rooms, sources

OBJECTS = 150
ROOMS = 2


def scores() -> dict[str, float]:
    figures: dict[str, float] = {}
    for task in (segmentation, classification, completion, reconstruction):
        for precision in ("float32", "bfloat16"):
            figures |= {f"{name}, {precision}": value for name, value in task(precision)}
    return figures


def times() -> dict[str, float]:
    """Of random weights: time does not depend on them. In turns, the shortest of several."""
    if not has_bfloat16(torch.device("cpu")):
        print("times left out: this processor has no instructions for bfloat16")
        return {}
    positions, colors, picture = torch.rand(1, 4096, 3), torch.rand(1, 4096, 3), torch.rand(1, 3, 128, 128)
    figures: dict[str, float] = {}
    for size in ("small", "full"):
        runs: dict[str, tuple[nn.Module, tuple[Any, ...]]] = {
            "segmenter": (segmenter(size, 13), (positions, colors)),
            "classifier": (classifier(size, 15), (positions[:, :2048],)),
            "completer": (completer(size), (positions[:, :2048],)),
            "reconstructor": (reconstructor(size), (picture,)),
        }
        for name, (model, given) in runs.items():
            run = _evaluation(model, given)
            turns = [(seconds(run("float32"), 1), seconds(run("bfloat16"), 1)) for _ in range(8)]
            float32, bfloat16 = (min(each) for each in zip(*turns, strict=True))
            figures[f"{name}, {size}, one cloud, time in bfloat16 over float32"] = bfloat16 / float32
    return figures


def _evaluation(model: nn.Module, given: tuple[Any, ...]) -> Callable[[str], Callable[[], object]]:
    model.eval()

    def evaluate(precision: str) -> Callable[[], object]:
        @torch.inference_mode()
        def run() -> None:
            with torch.autocast("cpu", torch.bfloat16, enabled=precision == "bfloat16"):
                model(*given)

        return run

    return evaluate


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
    for part in sys.argv[1:] or ("scores", "times"):
        for figure, value in {"scores": scores, "times": times}[part]().items():
            print(f"{value:11.3f}  {figure}", flush=True)
