"""Data of the user's own, in a folder, for each of the four tasks; see `datasets.folder`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np

from cloud_transformers.datasets import Dataset
from cloud_transformers.datasets.folder import folder as open_folder
from cloud_transformers.datasets.folder import read_config
from cloud_transformers.datasets.problems import EmptySplit
from cloud_transformers.engine import Protocol
from cloud_transformers.errors import InputError
from cloud_transformers.models import Preparation
from cloud_transformers.progress import progress
from cloud_transformers.recipes.data_access import data_facts, derived, held_by_name
from cloud_transformers.recipes.recipe import Splits
from cloud_transformers.space.frames import Axis
from cloud_transformers.tasks import Classification, Completion, Reconstruction
from cloud_transformers.transforms import (
    AnisotropicScale,
    Center,
    Compose,
    FixedCount,
    Jitter,
    ResizeImage,
    RotateAbout,
    Scale,
    Transform,
    UnitDiagonal,
    UnitSphere,
    Upright,
)

STRETCH, SIZED_STRETCH = 1.5, 1.1  # of an object's axes in training, either way; less where its size tells what it is


@dataclass(frozen=True, kw_only=True)
class OwnData:
    """What the four have in common. The files' own settings stand in their folder's `dataset.toml`."""

    task: ClassVar[str]

    folder: str | None = None  # needed: there is no embedded world of your data
    on_corrupt: Literal["stop", "skip"] = "stop"  # a file that cannot be read or does not fit the settings
    holdout: float = 0.1  # without a split `val`, the share of the training files that is kept for validation

    def _open(self, split: str, **wanted: Any) -> Dataset[Any]:
        """A split, every file of it looked at; `wanted` are more arguments of `datasets.folder.folder`."""
        if self.folder is None:
            raise InputError(f"own-{self.task} trains on your own files: say where they are with --data FOLDER")
        return open_folder(self.folder, split, task=self.task, **wanted).checked(self.on_corrupt)

    def _if_any(self, split: str, **wanted: Any) -> Dataset[Any] | None:
        try:
            return self._open(split, **wanted)
        except EmptySplit:
            return None

    def _training(self, **wanted: Any) -> tuple[Dataset[Any], Dataset[Any] | None, tuple[str, ...]]:
        """What is trained on, what for validation, and what the user should know about it.

        The test split is opened too: what is wrong with it is better known before hours of training.
        """
        train, kept = self._open("train", **wanted), self._if_any("val", **wanted)
        self._if_any("test", **wanted)
        if kept is not None or not self.holdout:
            return train, kept, ()
        source: Any = train.source
        names = [source.group(row) for row in train.rows.tolist()]
        held = held_by_name(names, self.holdout)
        if not held:
            return train, None, ()
        is_held = np.isin(names, sorted(held))
        listed = ", ".join(sorted(held)[:5]) + (" ..." if len(held) > 5 else "")
        note = f"there is no split val: {len(held)} of {len(set(names))} are kept of train for validation ({listed})"
        learned, judged = (derived(train, None, rows=train.rows[part]) for part in (~is_held, is_held))
        return learned, judged, (note,)

    def fingerprint(self) -> dict[str, Any]:
        return data_facts(self.folder, "", 0, 0)

    @property
    def _up(self) -> Axis:
        """The axis that points up in the files."""
        told: Axis | None = getattr(self, "up", None)
        said = read_config(Path(self.folder)).up if self.folder else None
        return told or said or "z"  # type: ignore[return-value]

    def _where(self) -> str:
        return f"own data ({Path(self.folder or '').name})"


@dataclass(frozen=True, kw_only=True)
class OwnClassificationData(OwnData):
    """One object per file, in a folder per class."""

    task: ClassVar[str] = "classification"

    points: int = 2048  # drawn from each file, some twice if it has fewer
    up: Axis | None = None  # in the files; none: as dataset.toml says, else z
    turn: float = 180.0  # objects are turned about the up axis by up to so many degrees, either way; 0: not at all
    extent: float = 0.0  # objects keep their sizes, so many metres being 1 in the model; 0: all are scaled to one size

    def splits(self, task: Classification, seed: int) -> Splits:
        train, kept, notes = self._training()
        stretch = SIZED_STRETCH if self.extent else STRETCH
        scale, turn = AnisotropicScale(1 / stretch, stretch), RotateAbout("y", self.turn)
        steps = Compose((*self._clean().steps, scale, Jitter(0.01, 0.05), *((turn,) if self.turn else ())))
        validation = None if kept is None else derived(self._masked(task, kept), self._clean())
        return Splits(derived(self._masked(task, train), steps, seed=seed), validation, notes)

    def protocol(self, task: Classification, *, batch_size: int, workers: int) -> Protocol:
        test = derived(self._masked(task, self._open("test")), self._clean())
        name = f"{self._where()}, test split, {self.points} points, one vote"
        return Protocol.once(name, task, test, batch_size=batch_size, workers=workers)

    def _clean(self) -> Compose:
        if self.extent < 0:
            raise InputError(f"extent must not be negative, got {self.extent:g}")
        size = Scale(1 / self.extent) if self.extent else UnitSphere()
        return Compose((FixedCount(self.points), Upright(self._up, "y"), Center(), size))

    @staticmethod
    def _masked(task: Classification, dataset: Dataset[Any]) -> Dataset[Any]:
        """The dataset, once all its files are known to have the mask that the task is to learn."""
        if task.with_mask:
            for sample in progress(dataset, "looking for masks", len(dataset)):
                if "mask" not in sample.cloud.fields:
                    raise InputError(
                        f"{sample.name}: has no field 'mask' (1 = the object, 0 = background), which with_mask=true "
                        "learns; leave that setting out to train the class alone"
                    )
        return dataset

    def preparation(self, task: Classification, classes: Sequence[str]) -> Preparation:
        # Weights that have seen objects from all sides answer better after several looks: +5 points on real objects.
        turns = 8 if self.turn >= 180 else 1
        known = Preparation(task="classification", classes=tuple(classes), up="y", points=self.points, turns=turns)
        return replace(known, frame="data", scale=1 / self.extent) if self.extent else known


@dataclass(frozen=True, kw_only=True)
class OwnCompletionData(OwnData):
    """Partial and complete clouds, in pairs."""

    task: ClassVar[str] = "completion"

    points: int = 2048  # observed points, drawn from the partial cloud; all of them if it has fewer
    up: Axis | None = None  # in the files; none: as dataset.toml says, else z
    turn: float = 0.0  # pairs are turned about the up axis by up to so many degrees, either way
    drawn: int | None = None  # observed points in training, if fewer: that costs less
    truth: int | None = None  # points of the complete cloud in training; none: as many as are predicted

    def splits(self, task: Completion, seed: int) -> Splits:
        train, kept, notes = self._training()
        turns = (RotateAbout("y", self.turn),) if self.turn else ()
        counts = self.drawn or self.points, self.truth or task.predicted or task.num_points
        self._check(self.points, task.num_points)
        self._check(counts[0], task.predicted or task.num_points)
        validation = None if kept is None else derived(kept, self._steps(self.points, task.num_points))
        return Splits(derived(train, self._steps(*counts, *turns), seed=seed), validation, notes)

    def protocol(self, task: Completion, *, batch_size: int, workers: int) -> Protocol:
        name = (
            f"{self._where()}, test split, {self.points} observed points, {task.num_points} predicted against as many "
            "true ones, macro average over categories; a unit is the diagonal of the partial cloud's box"
        )
        self._check(self.points, task.num_points)
        test = derived(self._open("test"), self._steps(self.points, task.num_points))
        return Protocol.once(name, task, test, batch_size=batch_size, workers=workers)

    @staticmethod
    def _check(observed: int, predicted: int) -> None:
        if observed > predicted:
            raise InputError(
                f"{observed} observed points do not fit into {predicted} predicted ones; lower points (drawn in "
                "training) or raise num_points (predicted)"
            )

    def _steps(self, observed: int, truth: int, *turns: Transform) -> Compose:
        """Measured on the whole partial cloud, so that it does not depend on the draw."""
        draw = FixedCount(observed, short="keep"), FixedCount(truth, on=("complete",))
        return Compose((Upright(self._up, "y"), *turns, UnitDiagonal(), *draw))

    def preparation(self, task: Completion, classes: Sequence[str]) -> Preparation:
        return Preparation(
            task="completion",
            up="y",
            extent=1.0,
            frame="partial",
            points=self.points,
            scale=task.scale,
            num_points=task.num_points,
        )


@dataclass(frozen=True, kw_only=True)
class OwnReconstructionData(OwnData):
    """Pictures and the clouds that they show, as seen from the camera: x to the right, y up, z towards the viewer."""

    task: ClassVar[str] = "reconstruction"

    pixels: int = 128  # pictures are scaled to this side

    def splits(self, task: Reconstruction, seed: int) -> Splits:
        train, kept, notes = self._training()
        validation = None if kept is None else derived(kept, self._steps(task.drawn))
        return Splits(derived(train, self._steps(task.num_points), seed=seed), validation, notes)

    def protocol(self, task: Reconstruction, *, batch_size: int, workers: int) -> Protocol:
        name = (
            f"{self._where()}, test split, {task.passes} passes of {task.num_points} points merged, {task.drawn} drawn "
            f"against {task.drawn} true ones, macro average over categories; a unit is the diagonal of the cloud's box"
        )
        test = derived(self._open("test"), self._steps(task.drawn))
        return Protocol.once(name, task, test, batch_size=batch_size, workers=workers)

    def _steps(self, count: int) -> Compose:
        """Into the unit cube, which is where the model's output lies."""
        return Compose((ResizeImage(self.pixels), UnitDiagonal(middle=0.5), FixedCount(count, on=("cloud",))))

    def preparation(self, task: Reconstruction, classes: Sequence[str]) -> Preparation:
        return Preparation(
            task="reconstruction", up="y", num_points=task.num_points, passes=task.passes, pixels=self.pixels
        )
