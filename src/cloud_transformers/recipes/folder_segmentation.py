"""The user's own scans with a label per point; see `datasets.folder`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Literal

from cloud_transformers.datasets import Dataset
from cloud_transformers.datasets.folder import read_config
from cloud_transformers.datasets.folder.statistics import field_statistics
from cloud_transformers.datasets.folder.tiles import SegmentationTiles
from cloud_transformers.engine import Protocol
from cloud_transformers.errors import InputError
from cloud_transformers.models import Preparation
from cloud_transformers.models.preparation import plain_fields
from cloud_transformers.recipes.augmentation import SegmentationAugmentation
from cloud_transformers.recipes.folder_data import OwnData
from cloud_transformers.recipes.recipe import Splits
from cloud_transformers.space.floors import Estimate, floor_under
from cloud_transformers.space.frames import Axis
from cloud_transformers.tasks import Segmentation
from cloud_transformers.transforms import (
    BlockCrop,
    Compose,
    FixedCount,
    KeepHeight,
    Scale,
    StandardizeFields,
    Transform,
)


@dataclass(frozen=True, kw_only=True)
class OwnSegmentationData(OwnData, SegmentationAugmentation):
    """Scans with a label per point, in columns from the ground up."""

    task: ClassVar[str] = "segmentation"

    extent: float = 1.0  # the side of a column in the files' unit; inside the model it is 1
    points: int = 4096  # of a column at once
    crops: int | None = None  # columns that an epoch takes from each file; none: as dataset.toml says
    margin: float = 0.25  # at evaluation, the share of the extent on each side that is context only
    up: Axis | None = None  # in the files; none: as dataset.toml says, else z
    floor: Estimate = "robust"  # how the floor of a file is found; see `space.floors`
    missing_color: Literal["error", "grey"] | None = None  # none: as dataset.toml says, else an error
    field_mean: tuple[float, ...] = ()  # of the fields among the features; none: measured on the training files
    field_std: tuple[float, ...] = ()  # likewise

    def measured(self, task: Segmentation) -> OwnSegmentationData:
        """With mean and deviation of the fields among the task's features, in the files that training learns from."""
        names = plain_fields(task.features)
        if not names or self.field_mean or self.field_std:
            if not len(names) == len(self.field_mean) == len(self.field_std):
                raise InputError(
                    f"field_mean and field_std must have a number for each of the fields {', '.join(names) or 'none'}"
                )
            return self
        train, _, _ = self._training(**self._wanted(task))
        mean, std = field_statistics(train.source, train.rows.tolist(), names)  # type: ignore[arg-type]
        return replace(self, field_mean=mean, field_std=std)

    def splits(self, task: Segmentation, seed: int) -> Splits:
        self._check()
        train, kept, notes = self._training(**self._wanted(task))
        repeat = train.repeat if self.crops is None else self.crops
        source = train.source.with_floors(  # type: ignore[attr-defined]
            partial(floor_under, up="xyz".index(self._up), extent=self.extent, estimate=self.floor)
        )
        crop = BlockCrop(self.extent, up=self._up, floor=self.floor)
        steps = Compose(
            (crop, FixedCount(self.points), *self._features(task), *self.augmentation(color="color" in task.features))
        )
        cropped = Dataset(source, steps, seed=seed, repeat=repeat, rows=train.rows, skipped=train.skipped)
        # No context around the columns: a quarter of the work, for a number that is only compared with itself.
        return Splits(cropped, None if kept is None else self._covered(kept, task, margin=0.0), notes)

    def protocol(self, task: Segmentation, *, batch_size: int, workers: int) -> Protocol:
        self._check()
        test = self._covered(self._open("test", **self._wanted(task)), task, margin=self.margin)
        name = (
            f"{self._where()}, test split, columns of {self.extent:g} with at most {self.points} points, every "
            "labelled point once"
        )
        return Protocol.once(name, task, test, batch_size=batch_size, workers=workers)

    def _covered(self, dataset: Dataset[Any], task: Segmentation, margin: float) -> Dataset[Any]:
        tiles = SegmentationTiles(
            dataset.source,  # type: ignore[arg-type]
            dataset.rows,
            extent=self.extent,
            points=self.points,
            margin=margin,
            up=self._up,
            floor=self.floor,
        )
        return Dataset(tiles, Compose(self._features(task)), skipped=dataset.skipped)

    def _features(self, task: Segmentation) -> tuple[Transform, ...]:
        """What follows the cut, in training and evaluation: heights are in the files' unit, columns of side 1."""
        steps: list[Transform] = [KeepHeight()] if "height" in task.features else []
        if names := plain_fields(task.features):
            known = self.measured(task)
            steps.append(StandardizeFields(names, known.field_mean, known.field_std))
        return (*steps, Scale(1 / self.extent))

    def _wanted(self, task: Segmentation) -> dict[str, Any]:
        """What every file must have for the task."""
        if "label" in task.features:
            raise InputError("features must not name the label: it is what is learned")
        fields = tuple(name for name in task.features if name not in ("color", "height"))
        return {"missing_color": self._colors(task), "features": fields}

    def _colors(self, task: Segmentation) -> str | None:
        """What a file without colours means; none: as the folder says."""
        if "color" not in task.features:
            return "leave"
        if self.missing_color is None and self.folder and read_config(Path(self.folder)).missing_color == "leave":
            raise InputError(
                f"{self.folder}: leaves files without colours as they are (missing_color = 'leave'), but the model "
                "wants colours; choose missing_color=grey, or train without colours with features=height"
            )
        return self.missing_color

    def _check(self) -> None:
        if not self.extent > 0:
            raise InputError(f"extent must be above 0, got {self.extent:g}")
        for name in ("points", "crops"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise InputError(f"{name} must be at least 1, got {value}")

    def _values(self, classes: Sequence[str]) -> tuple[int, ...]:
        """What the folder's files call the classes: as its settings say, else the values found, which name them."""
        named = read_config(Path(self.folder)).classes if self.folder else None
        return tuple(named[name] for name in classes) if named else tuple(int(name) for name in classes)

    def preparation(self, task: Segmentation, classes: Sequence[str]) -> Preparation:
        known = self.measured(task)
        return Preparation(
            task="segmentation",
            classes=tuple(classes),
            values=self._values(classes),
            up="z",
            region="block",
            extent=self.extent,
            floor=self.floor,
            points=self.points,
            features=task.features,
            field_mean=known.field_mean,
            field_std=known.field_std,
            scale=1 / self.extent,
        )
