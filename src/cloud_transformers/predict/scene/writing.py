"""The labelled scene as a file: the one that was read, once more, with an answer for every point.

Letters: N points of the file, K classes.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from cloud_transformers import io
from cloud_transformers.cloud import PointCloud
from cloud_transformers.errors import InputError
from cloud_transformers.files import scratch_file
from cloud_transformers.io.options import WriteOptions
from cloud_transformers.predict.labels import labelled
from cloud_transformers.predict.scene.ahead import ahead
from cloud_transformers.predict.scene.budget import Budget
from cloud_transformers.predict.scene.intake import Survey
from cloud_transformers.predict.scene.scoring import Answers
from cloud_transformers.predict.scene.source import SceneFile
from cloud_transformers.predict.scene.work import WorkFolder
from cloud_transformers.remote import as_url


@dataclass(kw_only=True)
class LabelledFile:
    path: Path
    source: SceneFile
    survey: Survey
    budget: Budget
    classes: tuple[str, ...]
    values: tuple[int, ...]  # what the file calls the classes; none: 0, 1, ...
    colors: bool  # whether colours are replaced by those of the classes
    knows_unsure: bool  # whether the weights say when they are unsure

    def __post_init__(self) -> None:
        self.class_counts = np.zeros(len(self.classes), np.int64)  # [K]
        self.num_unsure = 0

    def try_writing(self, few: PointCloud) -> None:
        """Complain about a format that cannot hold the fields, or so many points, now and not after hours."""
        form = io.format_to_write(self.path)
        suffix = self.path.suffix
        if as_url(self.path) is None and not self.path.parent.is_dir():
            raise InputError(f"{self.path}: the folder {self.path.parent} does not exist; create it first")
        nothing = np.zeros(len(few), np.int32)
        answers = Answers(nothing, nothing.astype(np.float32), nothing.astype(bool) if self.knows_unsure else None)
        with scratch_file(self.path) as probe:
            form.code.write(self.path, self._labelled(few, answers), WriteOptions(), probe)
        if not self.fits(few) and not form.writes_parts:
            raise InputError(
                f"{self.path}: {self.survey.num_points:,} points do not fit into the memory budget, and {suffix} "
                "cannot be written in parts; choose .las, .laz, .ply or .csv, or give more --memory"
            )

    def fits(self, few: PointCloud) -> bool:
        """Whether the whole cloud, of which there are a few points, can be in memory while it is written."""
        fields = sum(values.itemsize * max(1, values[:1].size) for values in few.fields.values())
        # Doubles while coordinates are split, the cloud, the format's own copy of it, and the answers.
        return self.survey.num_points * (24 + 2 * (12 + fields) + 16) <= self.budget.free // 2

    def write(self, few: PointCloud, work: WorkFolder, bar: Any, *, progress: bool) -> None:
        """`bar` is told of points that are written in parts; a whole cloud has one of its own."""
        if self.fits(few):
            cloud = self.source.read()
            io.write(self.path, self._answered(cloud, 0, work), progress=progress)
            return
        with closing(ahead(self._parts(work))) as parts:
            io.write_parts(self.path, _counted(parts, bar), self.survey.outline)

    def _parts(self, work: WorkFolder) -> Iterator[PointCloud]:
        first = 0
        with closing(self.source.parts()) as parts:
            for cloud in parts:
                yield self._answered(cloud, first, work)
                first += len(cloud)

    def _answered(self, cloud: PointCloud, first: int, work: WorkFolder) -> PointCloud:
        """A part of the file whose first point has the number `first`, with its answers."""
        answers = work.answers(first, len(cloud))
        if missed := int((answers.labels < 0).sum()):
            self.source.require_unchanged()
            raise RuntimeError(f"{missed:,} points of {self.source.path} have no answer")
        self.class_counts += np.bincount(answers.labels, minlength=len(self.class_counts))
        self.num_unsure += 0 if answers.unsure is None else int(answers.unsure.sum())
        return self._labelled(cloud, answers)

    def _labelled(self, cloud: PointCloud, answers: Answers) -> PointCloud:
        cloud = labelled(
            *(cloud, answers.labels, answers.confidence, self.classes),
            values=self.values,
            recolor=self.colors,
            unsure=answers.unsure,
        )
        color = cloud.fields.get("color")
        if io.format_to_write(self.path).whole_colors and color is not None and color.dtype.kind == "f":
            full = self.survey.full_brightness or 1.0
            return cloud.with_fields(color=np.rint(color * (65535 / full)).clip(0, 65535).astype(np.uint16))
        return cloud


def _counted(parts: Iterator[PointCloud], bar: Any) -> Iterator[PointCloud]:
    for cloud in parts:
        yield cloud
        bar.update(len(cloud))
