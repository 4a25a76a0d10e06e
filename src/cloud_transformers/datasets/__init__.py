"""CLOUD -> SAMPLE: one module per benchmark, and your own folder. No torch is needed to read any of them.

A `Dataset` is a `Source` of samples, a transform and a seed. Sources are opened by the functions of the modules
`s3dis`, `scanobjectnn`, `modelnet40`, `pcn`, `what3d` and `folder`; `world.sources` has some that need no files. What
is wrong with files is told as a `Problem`; `Dataset.checked` looks for them.
"""

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
