"""The labelled scene as a file: the one that was read, once more, with an answer for every point.

Letters: N points of the file, K classes.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cloud_transformers import io
from cloud_transformers.cloud import PointCloud
from cloud_transformers.errors import InputError
from cloud_transformers.files import scratch_file, whole_file
from cloud_transformers.io.options import WriteOptions
from cloud_transformers.predict.labels import labelled
from cloud_transformers.predict.scene.ahead import ahead
from cloud_transformers.predict.scene.budget import Budget
from cloud_transformers.predict.scene.intake import Survey
from cloud_transformers.predict.scene.scoring import Answers
from cloud_transformers.predict.scene.source import SceneFile
from cloud_transformers.predict.scene.work import WorkFolder
from cloud_transformers.remote import as_url


@dataclass(frozen=True, eq=False)
class PieceOfFile:
    """Some points of the file, labelled by one of many processes."""

    piece: Any  # as the format has it
    class_counts: NDArray[np.int64]  # [K]
    num_unsure: int


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
        with scratch_file(self.path) as probe:
            form.code.write(self.path, self._labelled(few, self._nothing(few)), WriteOptions(), probe)
        if not self.fits(few) and not form.writes_parts:
            raise InputError(
                f"{self.path}: {self.survey.num_points:,} points do not fit into the memory budget, and {suffix} "
                "cannot be written in parts; choose .las, .laz, .ply or .csv, or give more --memory"
            )

    def _nothing(self, few: PointCloud) -> Answers:
        """Answers to try with."""
        zero = np.zeros(len(few), np.int32)
        return Answers(zero, zero.astype(np.float32), zero.astype(bool) if self.knows_unsure else None)

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

    def can_be_pieces(self, few: PointCloud) -> bool:
        """Whether many processes can write it: pieces must begin where their points' numbers say."""
        form = io.format_to_write(self.path)
        if not form.writes_pieces or self.survey.num_left_out:
            return False
        return bool(form.code.can_be_pieces(self._labelled(few, self._nothing(few))))

    def write_piece(self, clouds: Iterable[PointCloud], first: int, work: WorkFolder) -> PieceOfFile:
        """Write consecutive points, the first of which has the number `first`, to the work folder."""
        own = replace(self)  # with counts of its own
        folder = work.path / "written"
        folder.mkdir(exist_ok=True)
        target = folder / f"{first:012d}.{uuid.uuid4().hex}"  # who does it again must not meet what was begun
        parts = ahead(own._each_answered(clouds, first, work))
        with closing(parts):
            piece = io.format_to_write(self.path).code.write_piece(self.path, parts, self.survey.outline, target)
        return PieceOfFile(piece, own.class_counts, own.num_unsure)

    def join(self, few: PointCloud, pieces: Sequence[PieceOfFile], work: WorkFolder) -> None:
        """Put pieces together that hold all points, in the order of the file, of which there are the first `few`."""
        for each in pieces:
            self.class_counts += each.class_counts
            self.num_unsure += each.num_unsure
        like, code = self._labelled(few, work.answers(0, len(few))), io.format_to_write(self.path).code
        with whole_file(self.path) as target:
            code.join(self.path, like, self.survey.outline, [each.piece for each in pieces], target)

    def _parts(self, work: WorkFolder) -> Iterator[PointCloud]:
        with closing(self.source.parts()) as parts:
            yield from self._each_answered(parts, 0, work)

    def _each_answered(self, clouds: Iterable[PointCloud], first: int, work: WorkFolder) -> Iterator[PointCloud]:
        for cloud in clouds:
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
