"""CLOUD -> SAMPLE: one module per benchmark, and your own folder. No torch is needed to read any of them."""

from cloud_transformers.datasets.dataset import Dataset, EpochOrder, Source, generator
from cloud_transformers.datasets.problems import Problem
from cloud_transformers.datasets.sample import (
    ClassificationSample,
    CompletionSample,
    ReconstructionSample,
    Sample,
    SegmentationSample,
)
from cloud_transformers.space.frames import Frame

__all__ = [
    "ClassificationSample",
    "CompletionSample",
    "Dataset",
    "EpochOrder",
    "Frame",
    "Problem",
    "ReconstructionSample",
    "Sample",
    "SegmentationSample",
    "Source",
    "generator",
]
