"""Which suffix is whose: one line per format, and all that other parts may ask about one.

A format is a module of this package and its line in the table at the end. What can be done with its files follows from
the functions that the module has:

| function | then |
|---|---|
| `open_table(path, options) -> Table` | points are read, whole and in chunks |
| `has_faces(path)`, `read_faces(path, max_expand) -> vertices, triangles` | it holds meshes, to draw points on |
| `write(path, cloud, options, target)` | clouds are written |
| `write_parts(path, parts, outline, options, target)` | clouds are written that never are in memory as a whole |
| `read_summary(path) -> Summary` | its header alone tells how many points there are, where, and with which fields |
| `write_piece(...)`, `join(...)`, `can_be_pieces(cloud)` | many processes write one file; see `las.pieces` |
| `bytes_at_once(path) -> int` | this much of a file is in memory at once, even when it is read in chunks |
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cloud_transformers.errors import InputError
from cloud_transformers.io.packed import inner_name, is_packed
from cloud_transformers.remote import as_url, at_hand, held_copy


@dataclass(frozen=True, kw_only=True)
class Format:
    """A format.

    module: its name below `cloud_transformers.io`; imported when it is first needed.
    suffixes: in lower case, with their dots; the first one is the usual one.
    begins: how its files begin, if they do so whatever they are called: content counts more than a suffix.
    up: the axis that points up, if the format says which.
    nameless_columns: whether a file may leave its columns without names, so that the reader is told them.
    whole_colors: whether colours are whole numbers only.
    carries_facts: whether it has a place for the coordinate system and the step of the coordinates.
    reads_ranges: whether its reader takes parts of a file by `path.open` and `path.stat` alone, so that a URL will do.
    """

    module: str
    suffixes: tuple[str, ...]
    begins: tuple[bytes, ...] = ()
    up: str | None = None
    nameless_columns: bool = False
    whole_colors: bool = False
    carries_facts: bool = False
    reads_ranges: bool = False

    @property
    def code(self) -> Any:
        """The module itself."""
        return importlib.import_module(f"cloud_transformers.io.{self.module}")

    @property
    def holds_points(self) -> bool:
        """Whether clouds are read from its files."""
        return hasattr(self.code, "open_table")

    @property
    def holds_faces(self) -> bool:
        """Whether its files may hold meshes."""
        return hasattr(self.code, "read_faces")

    @property
    def writes(self) -> bool:
        """Whether clouds are written to its files."""
        return hasattr(self.code, "write")

    @property
    def writes_parts(self) -> bool:
        """Whether `write_parts` takes it."""
        return hasattr(self.code, "write_parts")

    @property
    def reads_rows(self) -> bool:
        """Whether points in the middle of a file can be read without those before."""
        return self.has_summary

    @property
    def writes_pieces(self) -> bool:
        """Whether a file can be written in pieces by several processes; see `las.pieces`."""
        return hasattr(self.code, "write_piece")

    @property
    def has_summary(self) -> bool:
        """Whether its header alone describes a file."""
        return hasattr(self.code, "read_summary")

    def is_mesh(self, path: Path) -> bool:
        """Whether a file has faces, so that points have to be drawn on it."""
        return self.holds_faces and bool(self.code.has_faces(path))

    def bytes_at_once(self, path: Path) -> int:
        """About how much of a file is in memory at once, even when it is read in chunks."""
        if is_packed(path) or not hasattr(self.code, "bytes_at_once"):
            return 0  # what is packed is on disk before it is read
        return int(self.code.bytes_at_once(path))


def format_of(path: Path) -> Format:
    """The format of a file that is read: by how it begins, else by its suffix, or by that of what is packed in it.

    A URL that nobody has fetched yet goes by its suffix, where that says it: looking costs time.
    """
    path = held_copy(path) or path
    if as_url(path) is not None:
        if path.suffix.lower() in FORMATS:
            return FORMATS[path.suffix.lower()]
        with at_hand(path) as near:
            return format_of(near)
    if is_packed(path) and path.is_file():
        return _by_suffix(Path(inner_name(path, FORMATS)), path)
    return (content_format(path) if path.is_file() else None) or _by_suffix(path, path)


def content_format(path: Path) -> Format | None:
    """The format that a file begins as, whatever it is called."""
    with path.open("rb") as file:
        start = file.read(16)
    return next((each for each in _TABLE if each.begins and start.startswith(each.begins)), None)


def _by_suffix(name: Path, path: Path) -> Format:
    found = FORMATS.get(name.suffix.lower())
    if (advice := _NOT_READ.get(name.suffix.lower())) is not None:
        raise InputError(f"{name.suffix} is not read; {advice}", path=path)
    if found is None:
        raise InputError(f"the suffix {name.suffix!r} is not one of {', '.join(FORMATS)}", path=path)
    return found


def format_to_write(path: Path) -> Format:
    """The format of a file that is to be written, by its suffix."""
    found = None if is_packed(path) else _by_suffix(path, path)
    if found is None or not found.writes:
        raise InputError(
            f"{path.suffix} can be read but not written; write points as {', '.join(writable_suffixes())}", path=path
        )
    return found


def writable_suffixes() -> list[str]:
    """Of all formats in which clouds are written."""
    return [suffix for suffix, each in FORMATS.items() if each.writes]


def mesh_suffixes() -> list[str]:
    """Of all formats whose files may hold meshes."""
    return [suffix for suffix, each in FORMATS.items() if each.holds_faces]


_TABLE = (
    Format(module="ply", suffixes=(".ply",), begins=(b"ply\n", b"ply\r"), carries_facts=True),
    Format(module="pcd", suffixes=(".pcd",), begins=(b"# .PCD",), carries_facts=True),
    Format(
        module="las",
        suffixes=(".las", ".laz"),
        begins=(b"LASF",),
        up="z",
        whole_colors=True,
        carries_facts=True,
        reads_ranges=True,
    ),
    Format(module="npy", suffixes=(".npy",), begins=(b"\x93NUMPY",), nameless_columns=True),
    Format(module="npz", suffixes=(".npz",), nameless_columns=True, carries_facts=True),
    Format(
        module="text",
        suffixes=(".xyz", ".txt", ".csv", ".tsv", ".asc", ".pts", ".xyzn", ".xyzrgb"),
        nameless_columns=True,
    ),
    Format(module="h5", suffixes=(".h5", ".hdf5"), begins=(b"\x89HDF",), nameless_columns=True, carries_facts=True),
    Format(module="e57", suffixes=(".e57",), begins=(b"ASTM-E57",), up="z"),
    Format(module="ptx", suffixes=(".ptx",)),
    Format(module="lidar", suffixes=(".bin",), up="z", nameless_columns=True),
    Format(module="mesh", suffixes=(".obj", ".off", ".stl")),
    Format(module="mesh", suffixes=(".glb", ".gltf"), up="y"),
    Format(module="threemf", suffixes=(".3mf",), up="z"),
)
_SAVE_MESH, _SAVE_SPLAT, _SAVE_SCAN = (
    "save the mesh as .glb, .obj or .stl",
    "save the splat as an uncompressed .ply",
    "save the scan as .e57 or .laz",
)
# Formats that users have, and what they can do about it.
_NOT_READ = {
    **dict.fromkeys((".dae", ".drc", ".fbx", ".usd", ".usdz", ".wrl", ".x3d", ".blend"), _SAVE_MESH),
    **dict.fromkeys((".ksplat", ".sog", ".splat", ".spz"), _SAVE_SPLAT),
    **dict.fromkeys((".fls", ".rcp", ".rcs", ".rdbx", ".zfs"), _SAVE_SCAN),
}
FORMATS: dict[str, Format] = {suffix: each for each in _TABLE for suffix in each.suffixes}
