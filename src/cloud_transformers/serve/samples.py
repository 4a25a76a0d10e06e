"""Inputs to try without having any: made on the spot from the procedural world, with their truth where there is one.

They are of the test split: no model was trained on them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from cloud_transformers.cloud import PointCloud
from cloud_transformers.io import write
from cloud_transformers.render.png import png
from cloud_transformers.world import SPLIT_START, cutouts, objects, rooms, views
from cloud_transformers.world.layouts.job import write_bytes

ROOM_POINTS = 150_000


@dataclass(frozen=True)
class Sample:
    """A kind of input; the seed says which one."""

    title: str
    task: str
    suffix: str
    make: Callable[[Path, int], None]
    up: str = "y"


def _room(path: Path, seed: int) -> None:
    cloud = rooms.room(seed, 0, max_points=ROOM_POINTS)
    write(path, PointCloud(positions=cloud.positions, fields={name: cloud.fields[name] for name in ("color", "label")}))


def _index(seed: int) -> int:
    return SPLIT_START["test"] + seed


def _object(path: Path, seed: int) -> None:
    write(path, PointCloud(positions=cutouts.cutout(0, _index(seed), "OBJ_BG")["data"]))


def _partial(path: Path, seed: int) -> None:
    sample = views.completion(0, _index(seed), 0, classes=objects.COMPLETION_CLASSES)
    write(path, PointCloud(positions=sample["partial"]))


def _picture(path: Path, seed: int) -> None:
    write_bytes(path, png(views.reconstruction(0, _index(seed), 0, classes=objects.CLASSES)["image"]))


SAMPLES = {
    "room": Sample("A furnished room, scanned", "segmentation", ".ply", _room, up="z"),
    "object": Sample("An object, scanned with what is around it", "classification", ".ply", _object),
    "partial": Sample("An object, seen from one side", "completion", ".ply", _partial),
    "picture": Sample("A picture of an object", "reconstruction", ".png", _picture),
}
