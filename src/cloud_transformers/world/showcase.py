"""Files for a demonstration: a room, scanned objects, partial views and pictures, and beside them the truth.

    room.ply      objects/*.ply      partial/*.ply      pictures/*.png       what a model is given
    truth/room.ply (label)  truth/objects/*.ply (mask)  truth/partial/*.ply  truth/pictures/*.ply
                            truth/objects/*.png, the object as it is

They come from the test split of a seed of their own: nothing in them was shown to a model in training, which takes
seed 0. Files of an earlier demonstration are replaced; others in the same folders are left alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from cloud_transformers.cloud import PointCloud
from cloud_transformers.io import write
from cloud_transformers.progress import progress
from cloud_transformers.render.png import png
from cloud_transformers.world import objects, rooms, sources
from cloud_transformers.world.contact_sheets import portrait
from cloud_transformers.world.layouts.job import write_bytes
from cloud_transformers.world.seeds import SPLIT_START

ROOM = Path("room.ply")
VARIANT = "OBJ_BG"  # what stands in the box around an object
OBJECTS, PARTIAL, PICTURES, TRUTH = Path("objects"), Path("partial"), Path("pictures"), Path("truth")


@dataclass(frozen=True, kw_only=True)
class Showcase:
    """How much of everything. Classes take turns, so a multiple of their number shows each equally often."""

    seed: int = 2021
    room_kind: str = "office"
    room_points: int = 150_000
    room_resolution: int = 200  # rays of the scanner across a quarter turn
    num_objects: int = 2 * len(objects.CLASSES)
    num_partial: int = 2 * len(objects.COMPLETION_CLASSES)
    num_pictures: int = 2 * len(objects.CLASSES)

    def object_names(self) -> list[str]:
        return _names(self.num_objects, objects.CLASSES)

    def partial_names(self) -> list[str]:
        return _names(self.num_partial, objects.COMPLETION_CLASSES)

    def picture_names(self) -> list[str]:
        return _names(self.num_pictures, objects.CLASSES)


def class_of(name: str) -> str:
    """The class of an object by the name of its file."""
    return name.rpartition("_")[0]


def write_room(folder: Path, showcase: Showcase) -> None:
    """The seed's first room of the kind asked for, as scanned; its labels go to the truth alone."""
    index = next(index for index in range(10_000) if rooms.kind_of(showcase.seed, index) == showcase.room_kind)
    cloud = rooms.room(showcase.seed, index, max_points=showcase.room_points, resolution=showcase.room_resolution)
    given = PointCloud(positions=cloud.positions, fields={"color": cloud.fields["color"]})
    _write(folder / ROOM, given)
    _write(folder / TRUTH / ROOM, given.with_fields(label=cloud.fields["label"]))


def write_objects(folder: Path, showcase: Showcase) -> None:
    samples = sources.scanobjectnn("test", size=showcase.num_objects, seed=showcase.seed, variant=VARIANT)
    for number, name in enumerate(progress(showcase.object_names(), "objects")):
        cloud = samples[number].cloud
        _write(folder / OBJECTS / f"{name}.ply", PointCloud(positions=cloud.positions))
        _write(
            folder / TRUTH / OBJECTS / f"{name}.ply",
            PointCloud(positions=cloud.positions, fields={"mask": cloud.fields["mask"].astype(np.uint8)}),
        )
        mesh = objects.build(showcase.seed, SPLIT_START["test"] + number, class_of(name))
        write_bytes(folder / TRUTH / OBJECTS / f"{name}.png", png(portrait(mesh, 224, angle=0.6)))


def write_partial(folder: Path, showcase: Showcase) -> None:
    samples = sources.completion("test", size=showcase.num_partial, seed=showcase.seed)
    for number, name in enumerate(progress(showcase.partial_names(), "partial views")):
        sample = samples[number]
        _write(folder / PARTIAL / f"{name}.ply", sample.partial)
        _write(folder / TRUTH / PARTIAL / f"{name}.ply", sample.complete)


def write_pictures(folder: Path, showcase: Showcase) -> None:
    samples = sources.reconstruction("test", size=showcase.num_pictures, seed=showcase.seed)
    for number, name in enumerate(progress(showcase.picture_names(), "pictures")):
        sample = samples[number]
        write_bytes(folder / PICTURES / f"{name}.png", png(sample.image))
        _write(folder / TRUTH / PICTURES / f"{name}.ply", sample.cloud)


# task -> what writes its files
WRITERS: dict[str, Callable[[Path, Showcase], None]] = {
    "segmentation": write_room,
    "classification": write_objects,
    "completion": write_partial,
    "reconstruction": write_pictures,
}


def _names(count: int, classes: tuple[str, ...]) -> list[str]:
    return [f"{objects.class_of(index, classes)}_{index // len(classes) + 1}" for index in range(count)]


def _write(path: Path, cloud: PointCloud) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    write(path, cloud)
