"""Samples: what a dataset yields and a transform takes and gives back, one frozen dataclass per task.

`CLOUDS` names the attributes that hold clouds, which share one coordinate frame: what moves one moves all of them.
`INPUTS` names those the model sees; only these are thinned or disturbed unless a transform is told otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.cloud import PointCloud
from cloud_transformers.space.frames import Frame


@dataclass(frozen=True, eq=False, kw_only=True)
class SegmentationSample:
    """A cloud with the field `label` [N] (int64). `scene` is the room, area or file that it was cut from."""

    CLOUDS: ClassVar[tuple[str, ...]] = ("cloud",)
    INPUTS: ClassVar[tuple[str, ...]] = ("cloud",)

    name: str  # the file and place it comes from
    cloud: PointCloud
    scene: str = ""
    floor: float | None = None  # its height in the cloud as it was read, where it was looked for
    frame: Frame = field(default_factory=Frame)  # from the file's coordinates to those of the cloud


@dataclass(frozen=True, eq=False, kw_only=True)
class ClassificationSample:
    """A cloud and its class. The field `mask` [N] (bool, true = the object), where known, tells it from background."""

    CLOUDS: ClassVar[tuple[str, ...]] = ("cloud",)
    INPUTS: ClassVar[tuple[str, ...]] = ("cloud",)

    name: str  # the file and place it comes from
    cloud: PointCloud
    label: int  # its place among the dataset's classes
    frame: Frame = field(default_factory=Frame)  # from the file's coordinates to those of the cloud


@dataclass(frozen=True, eq=False, kw_only=True)
class CompletionSample:
    """One partial view of a shape and the complete shape, in the same coordinates."""

    CLOUDS: ClassVar[tuple[str, ...]] = ("partial", "complete")
    INPUTS: ClassVar[tuple[str, ...]] = ("partial",)

    name: str  # the file and place it comes from
    partial: PointCloud
    complete: PointCloud
    taxonomy: str  # the category, as the benchmark's files name it
    id: str  # of the shape in its category
    view: int  # which of the shape's partial views
    frame: Frame = field(default_factory=Frame)  # from the file's coordinates to those of the clouds


@dataclass(frozen=True, eq=False, kw_only=True)
class ReconstructionSample:
    """A picture of a shape and the shape as seen from the same camera."""

    CLOUDS: ClassVar[tuple[str, ...]] = ("cloud",)
    INPUTS: ClassVar[tuple[str, ...]] = ()

    name: str  # the file and place it comes from
    image: NDArray[np.uint8]  # [height, width, 3]
    cloud: PointCloud  # in the viewer's axes: x to the right, y up, z towards the viewer
    category: str  # a name
    id: str  # of the shape in its category
    view: int  # which of the shape's pictures
    frame: Frame = field(default_factory=Frame)  # from the file's coordinates to those of the cloud


Sample = SegmentationSample | ClassificationSample | CompletionSample | ReconstructionSample
AnySample = TypeVar("AnySample", SegmentationSample, ClassificationSample, CompletionSample, ReconstructionSample)


def map_clouds(
    sample: AnySample, function: Callable[[PointCloud], PointCloud], names: Sequence[str] | None = None
) -> AnySample:
    """A copy in which the clouds of these names (all, if none are given) have gone through the function."""
    chosen = sample.CLOUDS if names is None else names
    for name in chosen:
        if name not in sample.CLOUDS:
            raise ValueError(f"a {type(sample).__name__} has no cloud {name!r}; it has {', '.join(sample.CLOUDS)}")
    changed: dict[str, Any] = {name: function(getattr(sample, name)) for name in chosen}
    return replace(sample, **changed)
