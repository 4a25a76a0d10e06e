"""Raw S3DIS: Area_x/ROOM/Annotations/CLASS_n.txt, one file of "x y z r g b" lines per object.

Letters: N points of a room.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.datasets.layout import FolderLayout, locate
from cloud_transformers.datasets.repaired_text import BrokenLine, read_numbers
from cloud_transformers.datasets.s3dis.classes import BLOCK_CLASSES
from cloud_transformers.errors import InputError

# Objects outside the 13 classes that the annotations contain; both protocols count them as clutter.
_CLUTTER = ("stairs",)


def _fits(folder: Path) -> bool:
    return any(folder.glob("Area_*/*/Annotations"))


RAW_LAYOUT = FolderLayout(
    "raw S3DIS",
    "`Stanford3dDataset_v1.2_Aligned_Version`, from the page 'Stanford 3D Indoor Scene Dataset (S3DIS)' "
    "(a form must be filled in)",
    "Area_1 ... Area_6 with ROOM/Annotations/CLASS_n.txt",
    _fits,
)


@dataclass(frozen=True)
class RoomFolder:
    """One room on disk."""

    area: str
    name: str
    path: Path

    @property
    def full_name(self) -> str:
        return f"{self.area}_{self.name}"

    def annotations(self) -> list[Path]:
        """The object files in a fixed order."""
        return sorted(path for path in (self.path / "Annotations").glob("*.txt") if not path.name.startswith("."))


@dataclass(frozen=True, eq=False)
class Room:
    """The points of a room, in the coordinates of its area."""

    positions: NDArray[np.float64]  # [N, 3]
    color: NDArray[np.uint8]  # [N, 3]
    label: NDArray[np.int64]  # [N]


def find_rooms(root: str | Path) -> list[RoomFolder]:
    """All rooms below a raw S3DIS folder, ordered by area and name. An annotated room without objects is an error."""
    folder = locate(RAW_LAYOUT, Path(root))
    rooms = [
        RoomFolder(path.parent.parent.name, path.parent.name, path.parent)
        for path in sorted(folder.glob("Area_*/*/Annotations"))
    ]
    for room in rooms:
        if not room.annotations():
            raise InputError(f"{room.path / 'Annotations'}: holds no CLASS_n.txt; fetch the room again")
    return rooms


def class_of(path: Path, classes: Sequence[str]) -> int:
    """The class number that an annotation file's name gives to its points."""
    word = path.stem.partition("_")[0]
    if word in _CLUTTER:
        word = "clutter"
    if word not in classes:
        raise InputError(f"{word!r} is none of the classes {', '.join(classes)}; rename or remove the file", path=path)
    return classes.index(word)


def read_annotation(
    path: Path, *, broken: list[BrokenLine] | None = None, on_corrupt: Literal["stop", "skip"] = "stop"
) -> NDArray[np.float64]:
    """One object [n, 6], with broken lines repaired where their meaning is certain (see `read_numbers`)."""
    rows = read_numbers(path, 6, plausible=_colors_in_range, broken=broken, on_corrupt=on_corrupt)
    outside = np.flatnonzero(((rows[:, 3:] < 0) | (rows[:, 3:] > 255)).any(axis=1))
    if len(outside) and on_corrupt == "stop":
        text = " ".join(f"{value:g}" for value in rows[outside[0]])
        raise InputError(
            f"colours of '{text}' are outside 0-255; correct or delete it", path=path, place=f"row {outside[0] + 1}"
        )
    if len(outside):
        if broken is not None:
            broken += [BrokenLine(str(path), int(row) + 1, "colours outside 0-255", None) for row in outside]
        rows = np.delete(rows, outside, axis=0)
    return rows


def _colors_in_range(row: NDArray[Any]) -> bool:
    return bool(((row[3:] >= 0) & (row[3:] <= 255)).all())


def read_room(
    room: RoomFolder,
    classes: Sequence[str] = BLOCK_CLASSES,
    *,
    broken: list[BrokenLine] | None = None,
    on_corrupt: Literal["stop", "skip"] = "stop",
) -> Room:
    """All objects of a room as one labelled cloud. Broken lines, repaired or left out, are added to `broken`."""
    parts, labels = [], []
    for path in room.annotations():
        label = class_of(path, classes)
        rows = read_annotation(path, broken=broken, on_corrupt=on_corrupt)
        parts.append(rows)
        labels.append(np.full(len(rows), label, np.int64))
    rows = np.concatenate(parts)
    if not len(rows):
        raise InputError(f"{room.path / 'Annotations'}: holds no points; fetch the room again")
    return Room(rows[:, :3], np.rint(rows[:, 3:]).astype(np.uint8), np.concatenate(labels))
