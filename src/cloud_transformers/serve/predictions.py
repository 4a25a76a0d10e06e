"""The four tasks: from the file of a job to its answer, as a cloud and as facts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.cloud import PointCloud
from cloud_transformers.errors import InputError
from cloud_transformers.io import format_of, read_shape
from cloud_transformers.predict import labelled
from cloud_transformers.predict.scene import SceneSettings, segment_cloud

MESH_POINTS = 1_000_000  # drawn on a mesh that is segmented as a scene
MOST_CHANCES = 100_000_000  # probabilities of points that are kept for the viewer: 400 MB
VOTES = 3  # draws from a cloud that has more points than a classifier takes

Tell = Callable[[float, str], None]  # the share that is done, and what is being done


@dataclass(frozen=True, kw_only=True)
class Question:
    """A file and what is to be known about it."""

    path: Path
    predictor: Any  # of the task
    up: str | None  # None: as the format or the weights say
    most_points: int
    tell: Tell

    def cloud(self, mesh_points: int) -> PointCloud:
        """The file's points, or as many drawn on its faces."""
        mesh_points = min(mesh_points, self.most_points)
        cloud = read_shape(self.path, mesh_points, non_finite="drop")
        if len(cloud) > self.most_points:
            raise InputError(f"has {len(cloud):,} points, and this server takes {self.most_points:,}", path=self.path)
        return cloud

    def chosen_up(self, otherwise: str) -> tuple[str, tuple[str, ...]]:
        """The axis that points up, and the note that is due if it was only assumed."""
        known = self.up or format_of(self.path).up
        return (
            (known, ()) if known else (otherwise, (f"{otherwise} is taken to point up; say so if another axis does",))
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class Answer:
    """An answer as a cloud, what is shown beside it, and what there is to say about it."""

    cloud: PointCloud
    up: str
    given: PointCloud | None = None  # what came in, where the answer has other points
    probabilities: NDArray[np.float32] | None = None  # [N, K] of each point's classes, for the viewer
    classes: Sequence[dict[str, Any]] = ()  # name, and how many points or how probable
    label: str | None = None  # of the whole cloud
    notes: Sequence[str] = ()


def segmentation(asked: Question) -> Answer:
    cloud, predictor = asked.cloud(MESH_POINTS), asked.predictor
    up, notes = asked.chosen_up("z")
    seen, total = 0.0, max(len(cloud), 1)

    def advance(count: float) -> None:
        nonlocal seen
        seen += count
        asked.tell(0.1 + 0.8 * min(seen / total, 1.0), "segmenting")

    chances: list[NDArray[np.float32]] = []
    settings = SceneSettings(up=up, scale=1.0)  # whoever asks cannot name another
    said, more = segment_cloud(
        cloud,
        predictor.adapted(cloud, predictor.preparation.adapt, settings).score_regions,
        predictor.preparation,
        settings,
        workers=predictor.workers,
        name=str(asked.path),
        advance=advance,
        probabilities=chances.append if total * len(predictor.classes) <= MOST_CHANCES else None,
    )
    counts = np.bincount(said.labels, minlength=len(predictor.classes)).tolist()
    return Answer(
        cloud=labelled(
            *(cloud, said.labels, said.confidence, predictor.classes),
            values=predictor.preparation.values,
            recolor=False,
            unsure=said.unsure,
        ),
        up=up,
        probabilities=chances[0] if chances else None,
        classes=[{"name": name, "points": n} for name, n in zip(predictor.classes, counts, strict=True)],
        notes=(*_mesh_note(cloud), *notes, *more),
    )


def classification(asked: Question) -> Answer:
    predictor = asked.predictor
    cloud = asked.cloud(predictor.preparation.points * VOTES)
    up, notes = asked.chosen_up(predictor.preparation.up)
    prepared = predictor.prepare(cloud, up=up, votes=VOTES, name=str(asked.path))
    asked.tell(0.3, "classifying")
    (result,) = predictor.score([prepared])
    shown = prepared.given.cloud
    if result.foreground is not None:
        share = result.foreground[prepared.given.rows]
        is_object = share > 0.5
        names = ("background", result.label)
        shown = labelled(shown, is_object.astype(np.int64), np.where(is_object, share, 1 - share), names, recolor=False)
    pairs = zip(result.classes, result.probabilities.tolist(), strict=True)
    return Answer(
        cloud=shown,
        up=up,
        classes=[{"name": name, "probability": chance} for name, chance in pairs],
        label="unsure" if result.unsure else result.label,
        notes=(*_mesh_note(cloud), *notes, *result.notes),
    )


def completion(asked: Question) -> Answer:
    predictor = asked.predictor
    cloud = asked.cloud(predictor.preparation.points)
    up, notes = asked.chosen_up(predictor.preparation.up)
    prepared = predictor.prepare(cloud, up=up, name=str(asked.path))
    asked.tell(0.3, "completing")
    (result,) = predictor.score([prepared])
    return Answer(cloud=result, up=up, given=cloud, notes=(*_mesh_note(cloud), *notes, *prepared.notes))


def reconstruction(asked: Question) -> Answer:
    prepared = asked.predictor.prepare(asked.path, up=asked.up)
    asked.tell(0.3, "reconstructing")
    (result,) = asked.predictor.score([prepared])
    return Answer(cloud=result, up=asked.up or "y", notes=prepared.notes)


TASKS: dict[str, Callable[[Question], Answer]] = {
    "segmentation": segmentation,
    "classification": classification,
    "completion": completion,
    "reconstruction": reconstruction,
}


def looked_at(asked: Question) -> tuple[PointCloud | Path, str]:
    """What a model is given, a cloud or the file of a picture, and the axis that points up in it."""
    preparation = asked.predictor.preparation
    if preparation.task == "reconstruction":
        return asked.path, asked.up or "y"
    is_scene = preparation.task == "segmentation"
    up, _ = asked.chosen_up("z" if is_scene else preparation.up)
    return asked.cloud(MESH_POINTS if is_scene else preparation.points), up


def _mesh_note(cloud: PointCloud) -> tuple[str, ...]:
    faces = cloud.metadata.get("faces")
    return () if faces is None else (f"is a mesh of {faces:,} faces: {len(cloud):,} points were drawn on them",)
