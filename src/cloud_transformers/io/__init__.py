"""Clouds from files and back. One module per format; `FORMATS` says which suffix is whose.

`read` and `write` choose by the suffix. What cannot be read raises `InputError`, which names the file and the line or
byte; what a format cannot hold is refused by `write`, never left out silently.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator, Mapping
from os import PathLike
from pathlib import Path
from types import ModuleType
from typing import Any

from numpy.typing import DTypeLike

from cloud_transformers.cloud import PointCloud
from cloud_transformers.errors import InputError
from cloud_transformers.files import whole_file
from cloud_transformers.io.options import ReadOptions, WriteOptions, parse_columns
from cloud_transformers.io.outline import Outline
from cloud_transformers.io.table import Table, read_in_chunks, read_whole

__all__ = [
    "FORMATS",
    "MESHES",
    "WRITTEN_IN_PARTS",
    "Outline",
    "format_of",
    "is_mesh",
    "read",
    "read_chunks",
    "read_mesh_points",
    "read_shape",
    "write",
    "write_parts",
]

FORMATS = {
    ".ply": "ply",
    ".pcd": "pcd",
    ".las": "las",
    ".laz": "las",
    ".npy": "npy",
    ".npz": "npz",
    ".xyz": "text",
    ".txt": "text",
    ".csv": "text",
    ".tsv": "text",
    ".asc": "text",
    ".pts": "text",
    ".xyzn": "text",
    ".xyzrgb": "text",
    ".h5": "h5",
    ".hdf5": "h5",
    ".obj": "mesh",
    ".off": "mesh",
    ".stl": "mesh",
    ".glb": "mesh",
}
WRITTEN_IN_PARTS = ("las", "ply", "text")
MESHES = (".obj", ".off", ".stl", ".glb", ".ply")

StrPath = str | PathLike[str]


def read(
    path: StrPath,
    *,
    columns: str | Iterable[str] | None = None,
    positions: str | None = None,
    drop: Iterable[str] = (),
    non_finite: str = "refuse",
    sample: int | None = None,
    seed: int = 0,
    vertices: bool = False,
    progress: bool = False,
) -> PointCloud:
    """Reads a cloud of any format in `FORMATS`.

    columns: names for the columns of a text file or a plain array, as a list or as "xyzrgb" and the like; see
        `parse_columns`. Without them and without a header, columns after the third are one field `features`.
    positions: which array of an .npz or .h5 file holds the points, if none is called positions, points, xyz or so.
    drop: fields, or arrays and list properties of the file, to leave out.
    non_finite: "refuse" points with a NaN or infinite coordinate, or "drop" them; how many, if any, is then in
        `metadata["non_finite"]`.
    sample, seed: draw that many points by area from a mesh; the same seed gives the same points.
    vertices: take the corners of a mesh as points instead.
    progress: show a bar on a terminal when it takes longer than a second.
    """
    options = ReadOptions(
        columns=parse_columns(columns), positions=positions, drop=frozenset(drop), non_finite=non_finite,
        sample=sample, seed=seed, vertices=vertices, progress=progress,
    )  # fmt: skip
    path, module = _existing(path)
    suffix = path.suffix.lower()
    if sample is not None or FORMATS[suffix] == "mesh":
        if suffix not in MESHES:
            raise InputError(f"{path}: holds points, not faces, so none can be drawn by area; read it without sample")
        from cloud_transformers.io import mesh

        return mesh.read(path, options)
    return read_whole(_open(path, module, options), options)


def read_shape(
    path: StrPath,
    num_points: int,
    *,
    seed: int = 0,
    columns: str | Iterable[str] | None = None,
    positions: str | None = None,
    drop: Iterable[str] = (),
    non_finite: str = "refuse",
    progress: bool = False,
) -> PointCloud:
    """Reads a cloud, or draws `num_points` points by area where the file is a mesh: for whoever wants a shape.

    A mesh's number of faces is then in `metadata["faces"]`; everything else is as in `read`.
    """
    path, _ = _existing(path)
    options = ReadOptions(sample=num_points, seed=seed)
    if is_mesh(path):
        from cloud_transformers.io import mesh

        return mesh.read_shape(path, options)
    return read(path, columns=columns, positions=positions, drop=drop, non_finite=non_finite, progress=progress)


def is_mesh(path: StrPath) -> bool:
    """Whether a file has faces, so that points have to be drawn on it."""
    path, module = _existing(path)
    return FORMATS[path.suffix.lower()] == "mesh" or (path.suffix.lower() == ".ply" and module.has_faces(path))


def read_chunks(
    path: StrPath,
    chunk_size: int,
    *,
    columns: str | Iterable[str] | None = None,
    positions: str | None = None,
    drop: Iterable[str] = (),
    non_finite: str = "refuse",
) -> Iterator[PointCloud]:
    """Reads a cloud in parts of at most `chunk_size` points, for files that do not fit into memory.

    All parts have the offset that suits the first. Text in chunks decides on whole numbers chunk by chunk. Memory is
    a few chunks, but for .npz, whose arrays are in memory at once, and binary_compressed .pcd. Meshes have no chunks.
    """
    if chunk_size < 1:
        raise InputError(f"chunk_size must be at least 1 point, not {chunk_size}")
    options = ReadOptions(
        columns=parse_columns(columns), positions=positions, drop=frozenset(drop), non_finite=non_finite
    )
    path, module = _existing(path)
    if FORMATS[path.suffix.lower()] == "mesh":
        raise InputError(f"{path}: is a mesh, which cannot be read in chunks; draw points with read(path, sample=N)")
    return read_in_chunks(_open(path, module, options), chunk_size, options)


def read_mesh_points(path: StrPath, num_points: int, seed: int = 0) -> PointCloud:
    """Points drawn on a mesh, uniform by area, with the normals of their faces."""
    return read(path, sample=num_points, seed=seed)


def write(
    path: StrPath,
    cloud: PointCloud,
    *,
    drop: Iterable[str] = (),
    cast: Mapping[str, DTypeLike] | None = None,
    encoding: str | None = None,
    header: bool = True,
    separator: str | None = None,
    scale: float | None = None,
    compress: bool = False,
    progress: bool = False,
) -> None:
    """Writes a cloud in the format of the suffix, whole or not at all; an existing file is replaced.

    drop: fields to leave out; cast: dtypes for fields, see `PointCloud.cast`.
    encoding: "binary_little_endian", "binary_big_endian" or "ascii" for .ply; "binary", "ascii" or
        "binary_compressed" for .pcd. By default that of the file the cloud was read from, else the first named here.
    header, separator: for text; a header is only left out where no name is lost. "," ";" "tab" or "space".
    scale: the step of the coordinates of .las and .laz.
    compress: for .npz and .h5.
    progress: show a bar on a terminal when writing text takes longer than a second.
    """
    options = WriteOptions(
        encoding=encoding, header=header, separator=separator, scale=scale, compress=compress, progress=progress
    )
    path = Path(path)
    module = format_of(path)
    cloud = cloud.without_fields(*drop).cast(**(dict(cast) if cast else {}))
    if path.is_dir():
        raise InputError(f"{path}: is a folder; name a file in it")
    with whole_file(path) as target:
        module.write(path, cloud, options, target)


def write_parts(path: StrPath, parts: Iterable[PointCloud], outline: Outline) -> None:
    """Writes a cloud that comes in parts with the same fields and offset, whole or not at all.

    For clouds that do not fit into memory; only the formats of `WRITTEN_IN_PARTS` can. The outline tells what their
    headers need to know in advance.
    """
    path = Path(path)
    module = format_of(path)
    if FORMATS[path.suffix.lower()] not in WRITTEN_IN_PARTS:
        raise InputError(f"{path}: this format cannot be written in parts; choose .las, .laz, .ply or .csv")
    with whole_file(path) as target:
        module.write_parts(path, _alike(path, parts), outline, WriteOptions(), target)


def _alike(path: Path, parts: Iterable[PointCloud]) -> Iterator[PointCloud]:
    """The parts, which must not differ in fields, for a header is written once."""
    wanted: dict[str, Any] | None = None
    for part in parts:
        found = {name: (values.dtype, values.shape[1:]) for name, values in part.fields.items()}
        wanted = found if wanted is None else wanted
        if found != wanted:
            odd = next(name for name in {**wanted, **found} if wanted.get(name) != found.get(name))
            raise InputError(
                f"{path}: the field {odd!r} changes its type on the way, so it cannot be written in parts; leave it "
                "out with --drop, or convert the input to .ply with 'cloudt convert' first"
            )
        yield part


def format_of(path: Path) -> ModuleType:
    """The module that reads and writes files of this suffix."""
    name = FORMATS.get(path.suffix.lower())
    if name is None:
        raise InputError(f"{path}: the suffix {path.suffix!r} is not one of {', '.join(FORMATS)}")
    return importlib.import_module(f"cloud_transformers.io.{name}")


def _existing(path: StrPath) -> tuple[Path, ModuleType]:
    path = Path(path)
    module = format_of(path)
    if path.is_dir():
        raise InputError(f"{path}: is a folder; name a file in it")
    with path.open("rb") as file:  # a missing or unreadable file is the system's error, before any library is asked
        if not file.read(1):
            raise InputError(f"{path}: is empty")
    return path, module


def _open(path: Path, module: Any, options: ReadOptions) -> Table:
    if options.columns is not None and FORMATS[path.suffix.lower()] not in ("text", "npy", "npz", "h5"):
        raise InputError(f"{path}: names its columns itself, so columns does not apply")
    table: Table = module.open_table(path, options)
    return table
