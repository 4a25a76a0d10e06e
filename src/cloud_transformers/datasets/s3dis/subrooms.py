"""Rooms thinned to a grid, with the way back: which thinned point stands for each raw point.

Letters: N raw points, M thinned points of a room.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.cache import cached_folder, fingerprint
from cloud_transformers.cloud import PointCloud
from cloud_transformers.datasets.layout import is_plain_name
from cloud_transformers.datasets.repaired_text import BrokenLine
from cloud_transformers.datasets.s3dis.classes import SPHERE_CLASSES
from cloud_transformers.datasets.s3dis.rooms import Room, RoomFolder, find_rooms, read_room
from cloud_transformers.decoding import read_object
from cloud_transformers.errors import InputError
from cloud_transformers.files import new_folder
from cloud_transformers.progress import progress
from cloud_transformers.space.neighbours import nearest_points
from cloud_transformers.space.subsample import SPHERE_CELL, grid_subsample

VERSION = 1
INDEX = "s3dis_spheres.json"
_FILES = {
    "positions": ("float32", 2),
    "color": ("float32", 2),
    "label": ("uint8", 1),
    "nearest": ("int32", 1),
    "raw_label": ("uint8", 1),
}


@dataclass(frozen=True, eq=False)
class SubRoom:
    """A thinned room in the coordinates of its area."""

    positions: NDArray[np.float32]  # [M, 3]
    color: NDArray[np.float32]  # [M, 3] in [0, 1]
    label: NDArray[np.uint8]  # [M]
    nearest: NDArray[np.int32]  # [N] the thinned point nearest to each raw point
    raw_label: NDArray[np.uint8]  # [N]


@dataclass(frozen=True)
class SubRoomFolder:
    """Where the arrays of one thinned room are stored."""

    area: str
    name: str
    path: Path

    def load(self, name: str) -> NDArray[Any]:
        """One array of the room, memory-mapped, its dtype and rank checked."""
        path = self.path / f"{name}.npy"
        dtype, rank = _FILES[name]
        try:
            array = np.load(path, mmap_mode="r", allow_pickle=False)
        except (OSError, ValueError, EOFError) as error:
            raise InputError(f"unreadable ({error}); prepare the data again", path=path) from None
        if array.dtype != dtype or array.ndim != rank or (rank == 2 and array.shape[1] != 3):
            raise InputError(f"holds {array.dtype} {list(array.shape)}; prepare the data again", path=path)
        return array


def subsample_room(room: Room, cell: float = SPHERE_CELL) -> SubRoom:
    """The room on a grid of side `cell`: mean positions and colours, most frequent label, and the projection."""
    origin = room.positions.min(axis=0)
    cloud = PointCloud(
        positions=(room.positions - origin).astype(np.float32),
        fields={"color": room.color.astype(np.float32) / 255, "label": room.label.astype(np.uint8)},
        offset=origin,
    )
    thin, _ = grid_subsample(cloud, cell)
    _, index = nearest_points(thin.positions, cloud.positions)
    return SubRoom(
        positions=(thin.positions + origin).astype(np.float32),
        color=thin.fields["color"],
        label=thin.fields["label"],
        nearest=index[:, 0].astype(np.int32),
        raw_label=cloud.fields["label"],
    )


def _save(room: SubRoom, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, (dtype, _) in _FILES.items():
        np.save(folder / f"{name}.npy", getattr(room, name).astype(dtype, copy=False), allow_pickle=False)


def cached_subroom(
    room: RoomFolder,
    classes: Sequence[str] = SPHERE_CLASSES,
    *,
    cell: float = SPHERE_CELL,
    on_corrupt: Literal["stop", "skip"] = "stop",
) -> SubRoomFolder:
    """The thinned room from the cache, made first if its annotation files or the parameters are new."""

    def build(folder: Path) -> None:
        _save(subsample_room(read_room(room, classes, on_corrupt=on_corrupt), cell), folder)

    key = fingerprint(room.annotations(), version=VERSION, cell=cell, classes=list(classes), on_corrupt=on_corrupt)
    return SubRoomFolder(room.area, room.name, cached_folder("s3dis-subrooms", key, build))


def prepare_spheres(
    raw: str | Path,
    out: str | Path,
    *,
    cell: float = SPHERE_CELL,
    on_corrupt: Literal["stop", "skip"] = "stop",
) -> tuple[int, list[BrokenLine]]:
    """Thin all raw rooms into the new folder `out`, which `s3dis_spheres` reads; returns points and broken lines."""
    rooms = find_rooms(raw)
    broken: list[BrokenLine] = []
    total = 0
    with new_folder(Path(out)) as folder:
        for room in progress(rooms, "rooms"):
            thin = subsample_room(read_room(room, SPHERE_CLASSES, broken=broken, on_corrupt=on_corrupt), cell)
            _save(thin, folder / room.area / room.name)
            total += len(thin.positions)
        index = {
            "version": VERSION,
            "cell": cell,
            "classes": list(SPHERE_CLASSES),
            "rooms": [[room.area, room.name] for room in rooms],
        }
        (folder / INDEX).write_text(json.dumps(index, indent=1), encoding="utf-8")
    return total, broken


def prepared_subrooms(root: Path) -> list[SubRoomFolder]:
    """The rooms of a folder that `prepare_spheres` wrote."""
    path = root / INDEX
    try:
        index = read_object(path)
        version, classes, rooms = index["version"], tuple(index["classes"]), index["rooms"]
        found = [SubRoomFolder(area, name, root / area / name) for area, name in rooms]
    except (ValueError, KeyError, TypeError):
        raise InputError("damaged; prepare the data again", path=path) from None
    if not all(is_plain_name(name) for room in found for name in (room.area, room.name)):
        raise InputError("names rooms in other folders, which are not followed; prepare the data again", path=path)
    if version != VERSION or classes != SPHERE_CLASSES:
        raise InputError(f"was written by another version ({version}); prepare the data again", path=path)
    return found
