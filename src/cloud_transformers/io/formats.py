"""Which suffix is whose: one line per format, and all that other parts may ask about one.

A format is a module of this package and its line in the table at the end. What can be done with its files follows from
the functions that the module has:

| function | then |
|---|---|
| `open_table(path, options) -> Table` | points are read, whole and in chunks |
| `has_faces(path) -> bool`, `read_faces(path) -> vertices, triangles` | it holds meshes, and points are drawn on them |
| `write(path, cloud, options, target)` | clouds are written |
| `write_parts(path, parts, outline, options, target)` | clouds are written that never are in memory as a whole |
| `bytes_at_once(path) -> int` | this much of a file is in memory at once, even when it is read in chunks |
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cloud_transformers.errors import InputError


@dataclass(frozen=True, kw_only=True)
class Format:
    """A format.

    module: its name below `cloud_transformers.io`; imported when it is first needed.
    up: the axis that points up, if the format says which.
    nameless_columns: whether a file may leave its columns without names, so that the reader is told them.
    whole_colors: whether colours are whole numbers only.
    carries_facts: whether it has a place for the coordinate system and the step of the coordinates.
    """

    module: str
    suffixes: tuple[str, ...]
    up: str | None = None
    nameless_columns: bool = False
    whole_colors: bool = False
    carries_facts: bool = False

    @property
    def code(self) -> Any:
        """The module itself."""
        return importlib.import_module(f"cloud_transformers.io.{self.module}")

    @property
    def holds_points(self) -> bool:
        return hasattr(self.code, "open_table")

    @property
    def holds_faces(self) -> bool:
        return hasattr(self.code, "read_faces")

    @property
    def writes(self) -> bool:
        return hasattr(self.code, "write")

    @property
    def writes_parts(self) -> bool:
        return hasattr(self.code, "write_parts")

    def is_mesh(self, path: Path) -> bool:
        """Whether a file has faces, so that points have to be drawn on it."""
        return self.holds_faces and bool(self.code.has_faces(path))

    def bytes_at_once(self, path: Path) -> int:
        """About how much of a file is in memory at once, even when it is read in chunks."""
        return int(self.code.bytes_at_once(path)) if hasattr(self.code, "bytes_at_once") else 0


def format_of(path: Path) -> Format:
    """The format of a file that is read, by its suffix."""
    found = FORMATS.get(path.suffix.lower())
    if found is None:
        raise InputError(f"the suffix {path.suffix!r} is not one of {', '.join(FORMATS)}", path=path)
    return found


def format_to_write(path: Path) -> Format:
    """The format of a file that is to be written, by its suffix."""
    found = format_of(path)
    if not found.writes:
        raise InputError(
            f"{path.suffix} can be read but not written; write points as {', '.join(writable_suffixes())}", path=path
        )
    return found


def writable_suffixes() -> list[str]:
    """Of all formats in which clouds are written."""
    return [suffix for suffix, each in FORMATS.items() if each.writes]


_TABLE = (
    Format(module="ply", suffixes=(".ply",), carries_facts=True),
    Format(module="pcd", suffixes=(".pcd",), carries_facts=True),
    Format(module="las", suffixes=(".las", ".laz"), up="z", whole_colors=True, carries_facts=True),
    Format(module="npy", suffixes=(".npy",), nameless_columns=True),
    Format(module="npz", suffixes=(".npz",), nameless_columns=True, carries_facts=True),
    Format(
        module="text",
        suffixes=(".xyz", ".txt", ".csv", ".tsv", ".asc", ".pts", ".xyzn", ".xyzrgb"),
        nameless_columns=True,
    ),
    Format(module="h5", suffixes=(".h5", ".hdf5"), nameless_columns=True, carries_facts=True),
    Format(module="mesh", suffixes=(".obj", ".off", ".stl")),
    Format(module="mesh", suffixes=(".glb",), up="y"),
)
FORMATS: dict[str, Format] = {suffix: each for each in _TABLE for suffix in each.suffixes}
