"""Which predictor comes back, from the name of weights in the box, from the task, or from the model."""

from typing_extensions import assert_type

import cloud_transformers as ct
from cloud_transformers import models
from cloud_transformers.predict import (
    AnyPredictor,
    Classification,
    ClassificationPredictor,
    CompletionPredictor,
    ReconstructionPredictor,
    Segmentation,
    SegmentationPredictor,
)


def by_name(cloud: ct.PointCloud) -> None:
    assert_type(ct.Predictor.load("segmenter-small"), SegmentationPredictor)
    assert_type(ct.Predictor.load("classifier-small", "cpu", 4), ClassificationPredictor)
    assert_type(ct.Predictor.load("completer-small", precision="bfloat16", allow_slow=True), CompletionPredictor)
    assert_type(ct.Predictor.load("reconstructor-small"), ReconstructionPredictor)
    assert_type(ct.Predictor.load("segmenter-small")(cloud), Segmentation)
    assert_type(ct.Predictor.load("classifier-small")(cloud), Classification)


def by_task(path: str, cloud: ct.PointCloud) -> None:
    assert_type(ct.Predictor.load(path, task="completion")(cloud), ct.PointCloud)
    assert_type(ct.Predictor.load(path, task="reconstruction")("photo.png"), ct.PointCloud)
    assert_type(ct.Predictor.load(path), AnyPredictor)


def by_model(preparation: models.Preparation) -> None:
    assert_type(ct.Predictor.of(models.segmenter("tiny", keys="linear"), preparation), SegmentationPredictor)
    assert_type(ct.Predictor.of(models.completer("tiny"), preparation), CompletionPredictor)


def mistakes(path: str) -> None:
    ct.Predictor.load(path, precison="float32")  # type: ignore[call-overload]
    models.segmenter("tiny", keys="lineal")  # type: ignore[arg-type]
    models.classifier("tiny", planer=False)  # type: ignore[call-arg]
