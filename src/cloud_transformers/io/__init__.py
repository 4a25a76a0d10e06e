"""Clouds from files and back. One module per format; `FORMATS` says which suffix is whose.

`read` and `write` are for whole clouds, `read_chunks` and `write_parts` for those that do not fit into memory,
`read_rows` for points in the middle of a file,
`read_shape` for shapes that may be meshes, `read_mesh` for their triangles. They choose by the suffix. What cannot be
read raises `InputError`, which names the file and the line or byte; what a format cannot hold is refused by `write`,
never left out silently.
"""

from __future__ import annotations

import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.cloud import PointCloud
from cloud_transformers.errors import InputError
from cloud_transformers.files import whole_file
from cloud_transformers.io import sampling
from cloud_transformers.io.formats import (
    FORMATS,
    Format,
    content_format,
    format_of,
    format_to_write,
    writable_suffixes,
)
from cloud_transformers.io.limits import MAX_EXPAND
from cloud_transformers.io.options import (
    ChunkKeywords,
    ReadKeywords,
    ReadOptions,
    ShapeKeywords,
    WriteKeywords,
    WriteOptions,
)
from cloud_transformers.io.outline import Outline
from cloud_transformers.io.packed import is_packed, unpacked
from cloud_transformers.io.table import Table, read_in_chunks, read_whole
from cloud_transformers.remote import as_url, at_hand, located

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from cloud_transformers.io.las.summary import Summary

__all__ = [
    "FORMATS",
    "Format",
    "Outline",
    "format_of",
    "format_to_write",
    "is_mesh",
    "read",
    "read_box",
    "read_chunks",
    "read_mesh",
    "read_rows",
    "read_shape",
    "read_summary",
    "reads_ranges",
    "writable_suffixes",
    "write",
    "write_parts",
]

_BOX_POINTS = 1 << 19  # looked at together where a box is read
_HEADER_BYTES = 1 << 18  # of what is smaller, all is had as soon as the header
StrPath = str | PathLike[str]


def read(path: StrPath, **options: Unpack[ReadKeywords]) -> PointCloud:
    """Reads a cloud of any format in `FORMATS`. What cannot be read is an `InputError`. The options:

    columns: names for the columns of a text file or a plain array, as a list or as "xyzrgb" and the like; see
        `parse_columns`. Without them and without a header, columns after the third are one field `features`.
    positions: which array of an .npz or .h5 file holds the points, if none is called positions, points, xyz or so.
    drop: fields, or arrays and list properties of the file, to leave out.
    non_finite: "refuse" points with a NaN or infinite coordinate, "drop" them (how many, if any, is then in
        `metadata["non_finite"]`), or "keep" them, as the raster of an organised cloud needs.
    decimal: "," for text whose numbers are written with a decimal comma, where its first row does not tell.
    min_opacity: of a Gaussian splat, leave out what is more transparent than this share, from 0 to 1.
    max_expand: how many times its own size a file may take when it is unpacked, beside 64 MB; see docs/files.md.
    sample, seed: draw that many points by area from a mesh; the same seed gives the same points.
    vertices: take the corners of a mesh as points instead.
    progress: show a bar on a terminal when it takes longer than a second.

    >>> with open("two.txt", "w") as file:
    ...     _ = file.write("0 0 0 255 0 0\\n1 2 3 0 255 0\\n")
    >>> ct.read("two.txt", columns="xyzrgb")
    PointCloud(2 points; color uint8[3])
    """
    chosen = ReadOptions.of(**options)
    with _found(path) as (near, found):
        if chosen.sample is not None and not found.holds_faces:
            raise InputError("holds points, not faces, so none can be drawn by area; read it without sample", path=near)
        with unpacked(near, FORMATS, chosen.max_expand) as inside:
            if chosen.sample is not None or not found.holds_points:
                return sampling.read(inside, found, chosen)
            return read_whole(_open(inside, found, chosen), chosen)


def read_shape(path: StrPath, num_points: int, **options: Unpack[ShapeKeywords]) -> PointCloud:
    """Reads a cloud, or draws `num_points` points by area where the file is a mesh: for whoever wants a shape.

    A mesh's number of faces is then in `metadata["faces"]`; the options are those of `read`.

    >>> with open("triangle.off", "w") as file:
    ...     _ = file.write("OFF\\n3 1 0\\n0 0 0\\n1 0 0\\n0 1 0\\n3 0 1 2\\n")
    >>> ct.io.read_shape("triangle.off", 100)
    PointCloud(100 points; normal float32[3])
    """
    chosen = ReadOptions(
        sample=num_points, seed=options.get("seed", 0), max_expand=options.get("max_expand", MAX_EXPAND)
    )
    with _found(path) as (near, found), unpacked(near, FORMATS, chosen.max_expand) as inside:
        if found.is_mesh(inside):
            return sampling.read_shape(inside, found, chosen)
        return read(inside, **options)


def reads_ranges(path: StrPath) -> bool:
    """Whether a file behind a URL is read in ranges, so that a part of it does not cost the whole."""
    with _found(path) as (near, _):
        return as_url(near) is not None


def is_mesh(path: StrPath, max_expand: float = MAX_EXPAND) -> bool:
    """Whether a file has faces, so that points have to be drawn on it; `max_expand` is as in `read`."""
    with _found(path) as (near, found), unpacked(near, FORMATS, max_expand) as inside:
        return found.is_mesh(inside)


def read_summary(path: StrPath) -> Summary:
    """What the header says of all points, without reading them: of .las and .laz, also behind a URL, a few kilobytes.

    >>> ct.write("line.las", ct.PointCloud(positions=np.eye(3, dtype=np.float32)))
    >>> summary = ct.io.read_summary("line.las")
    >>> summary.num_points, summary.high.round(3).tolist()
    (3, [1.0, 1.0, 1.0])
    """
    with _found(path, least=_HEADER_BYTES) as (near, found):
        if not found.has_summary:
            raise InputError("its header does not describe its points; .las and .laz have one that does", path=near)
        summary: Summary = found.code.read_summary(near)
        return summary


def read_mesh(path: StrPath, max_expand: float = MAX_EXPAND) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """The vertices [V, 3] and triangles [F, 3] of a file that `is_mesh`; `max_expand` is as in `read`.

    >>> with open("triangle.off", "w") as file:
    ...     _ = file.write("OFF\\n3 1 0\\n0 0 0\\n1 0 0\\n0 1 0\\n3 0 1 2\\n")
    >>> vertices, triangles = ct.io.read_mesh("triangle.off")
    >>> vertices[triangles[0, 1]].tolist()
    [1.0, 0.0, 0.0]
    """
    with _found(path) as (near, found):
        if not found.holds_faces:
            raise InputError("holds points, not faces", path=near)
        with unpacked(near, FORMATS, max_expand) as inside:
            vertices, triangles = found.code.read_faces(inside, max_expand)
    return vertices, triangles


def read_chunks(path: StrPath, chunk_size: int, **options: Unpack[ChunkKeywords]) -> Iterator[PointCloud]:
    """Reads a cloud in parts of at most `chunk_size` points, for files that do not fit into memory.

    All parts have the offset that suits the first. Text in chunks decides on whole numbers chunk by chunk. Memory is
    a few chunks, but for .npz, whose arrays are in memory at once, and binary_compressed .pcd. Meshes have no chunks.
    The options are those of `read`.

    >>> ct.write("line.ply", ct.PointCloud(positions=np.zeros((5, 3), np.float32)))
    >>> [len(part) for part in ct.io.read_chunks("line.ply", 2)]
    [2, 2, 1]
    """
    if chunk_size < 1:
        raise InputError(f"chunk_size must be at least 1 point, not {chunk_size}")
    chosen = ReadOptions.of(**options)
    path = located(path)
    if as_url(path) is None:  # said now, and not when the first chunk is wanted; a URL may have to be fetched first
        _require_points(*_existing(path))
    return _chunks(path, chunk_size, chosen)


def read_rows(
    path: StrPath,
    rows: range,
    chunk_size: int,
    offset: NDArray[np.float64] | None = None,
    **options: Unpack[ChunkKeywords],
) -> Iterator[PointCloud]:
    """Reads some consecutive points in parts, without those before: of .las and .laz, also behind a URL.

    - `rows`: the numbers of these points, from 0 on.
    - `chunk_size`: how many points a part has at most.
    - `offset`: [3] of all parts, by default that of the first one; that of another part of the file can be given.

    The `options` are those of `read_chunks`, and all else is as there. InputError for other formats.

    >>> ct.write("line.las", ct.PointCloud(positions=np.arange(15, dtype=np.float32).reshape(5, 3)))
    >>> [len(part) for part in ct.io.read_rows("line.las", range(1, 4), 2)]
    [2, 1]
    """
    if chunk_size < 1 or rows.step != 1:
        raise InputError(f"rows must be consecutive and chunk_size at least 1 point, not {rows} and {chunk_size}")
    return _chunks(located(path), chunk_size, ReadOptions.of(**options), rows, offset)


def read_box(
    path: StrPath,
    low: Sequence[float],
    high: Sequence[float],
    *,
    spacing: float | None = None,
    **options: Unpack[ChunkKeywords],
) -> PointCloud:
    """Reads the points of a box, in the coordinates of the file, with its borders.

    - `low`, `high`: its lower and its upper corner: x and y, or all three.
    - `spacing`: of COPC, how far points may lie from one another.

    Of COPC, also behind a URL, only those parts are read that the box needs, and with a `spacing` no more points than
    are needed for this distance between them. Other files are read in full, part by part; they have no `spacing`.
    The options are those of `read`.

    >>> ct.write("line.las", ct.PointCloud(positions=np.arange(15, dtype=np.float32).reshape(5, 3)))
    >>> len(ct.io.read_box("line.las", [3, 3], [9, 10]))
    3
    """
    corners = np.array([[-np.inf] * 3, [np.inf] * 3])
    if len(low) != len(high) or len(low) not in (2, 3) or not np.less_equal(low, high).all():
        raise InputError(f"a box has a lower and an upper corner of 2 or 3 numbers, not {list(low)} and {list(high)}")
    if spacing is not None and not 0 < spacing < np.inf:
        raise InputError(f"spacing must be a distance above 0, not {spacing:g}")
    corners[0, : len(low)], corners[1, : len(high)] = low, high
    chosen = ReadOptions.of(**options)
    with _found(path) as (near, found):
        _require_points(near, found)
        octree = found.code.octree_of(near) if hasattr(found.code, "octree_of") and not is_packed(near) else None
        if octree is not None:
            return read_whole(found.code.open_box(near, octree, *corners, spacing, chosen), chosen)
        if spacing is not None:
            raise InputError("is no COPC file, so spacing does not apply", path=near)
        with unpacked(near, FORMATS, chosen.max_expand) as inside:
            table = _open(inside, found, chosen)
            return _joined([_inside(part, *corners) for part in read_in_chunks(table, _BOX_POINTS, chosen)])


def _inside(cloud: PointCloud, low: NDArray[np.float64], high: NDArray[np.float64]) -> PointCloud:
    world = cloud.world
    return cloud.select(np.flatnonzero(((world >= low) & (world <= high)).all(axis=1)))


def _joined(parts: Sequence[PointCloud]) -> PointCloud:
    """Parts of one offset; of text they may differ in the types of fields."""
    some = [part for part in parts if len(part)] or [parts[0]]
    residuals = [part.residual if part.residual is not None else np.zeros_like(part.positions) for part in some]
    return PointCloud(
        positions=np.concatenate([part.positions for part in some]),
        fields={name: np.concatenate([part.fields[name] for part in some]) for name in some[0].fields},
        offset=some[0].offset,
        metadata=some[0].metadata,
        residual=np.concatenate(residuals) if any(part.residual is not None for part in some) else None,
    )


def _chunks(
    path: Path,
    chunk_size: int,
    options: ReadOptions,
    rows: range | None = None,
    offset: NDArray[np.float64] | None = None,
) -> Iterator[PointCloud]:
    with _found(path) as (near, found):
        _require_points(near, found)
        with unpacked(near, FORMATS, options.max_expand) as inside:
            yield from read_in_chunks(_open(inside, found, options), chunk_size, options, rows, offset)


def _require_points(path: Path, found: Format) -> None:
    if not found.holds_points:
        raise InputError("is a mesh, which cannot be read in chunks; draw points with read(path, sample=N)", path=path)


def write(path: StrPath, cloud: PointCloud, **options: Unpack[WriteKeywords]) -> None:
    """Writes a cloud in the format of the suffix, whole or not at all; an existing file is replaced. The options:

    drop: fields to leave out; cast: dtypes for fields, see `PointCloud.cast`.
    encoding: "binary_little_endian", "binary_big_endian" or "ascii" for .ply; "binary", "ascii" or
        "binary_compressed" for .pcd. By default that of the file the cloud was read from, else the first named here.
    header, separator: for text; a header is only left out where no name is lost. "," ";" "tab" or "space".
    scale: the step of the coordinates of .las and .laz.
    compress: for .npz and .h5.
    progress: show a bar on a terminal when writing text takes longer than a second.

    >>> cloud = ct.PointCloud(positions=np.eye(3, dtype=np.float32), fields={"label": np.arange(3)})
    >>> ct.write("three.ply", cloud, cast={"label": "uint8"})
    >>> ct.read("three.ply")
    PointCloud(3 points; label uint8)
    """
    rest: dict[str, Any] = dict(options)
    drop, cast = rest.pop("drop", ()), rest.pop("cast", None) or {}
    chosen = WriteOptions(**rest)
    path = located(path)
    code = format_to_write(path).code
    cloud = cloud.without_fields(*drop).cast(**cast)
    if as_url(path) is None and path.is_dir():
        raise InputError("is a folder; name a file in it", path=path)
    with whole_file(path) as target:
        code.write(path, cloud, chosen, target)


def write_parts(path: StrPath, parts: Iterable[PointCloud], outline: Outline) -> None:
    """Writes a cloud that comes in parts with the same fields and offset, whole or not at all.

    For clouds that do not fit into memory; only formats whose `writes_parts` is true can. The outline tells what their
    headers need to know in advance: how many points there will be in all `parts`, and between which coordinates.

    >>> parts = [ct.PointCloud(positions=np.full((2, 3), place, np.float32)) for place in (0, 1)]
    >>> ct.io.write_parts("both.las", iter(parts), ct.io.Outline.of(parts))
    >>> len(ct.read("both.las"))
    4
    """
    path = located(path)
    found = format_to_write(path)
    if not found.writes_parts:
        raise InputError("this format cannot be written in parts; choose .las, .laz, .ply or .csv", path=path)
    with whole_file(path) as target:
        found.code.write_parts(path, _alike(path, parts), outline, WriteOptions(), target)


def _alike(path: Path, parts: Iterable[PointCloud]) -> Iterator[PointCloud]:
    """The parts, which must not differ in fields, for a header is written once."""
    wanted: dict[str, Any] | None = None
    for part in parts:
        found = {name: (values.dtype, values.shape[1:]) for name, values in part.fields.items()}
        wanted = found if wanted is None else wanted
        if found != wanted:
            odd = next(name for name in {**wanted, **found} if wanted.get(name) != found.get(name))
            raise InputError(
                f"the field {odd!r} changes its type on the way, so it cannot be written in parts; leave it "
                "out with --drop, or convert the input to .ply with 'cloudt convert' first",
                path=path,
            )
        yield part


@contextmanager
def _found(path: StrPath, least: int | None = None) -> Iterator[tuple[Path, Format]]:
    """A file to read, and its format. Of a URL, a copy, or the URL itself for formats that are read in ranges.

    Files of fewer bytes than `least` are copied in any case; see `at_hand`.
    """
    path = located(path)
    by_name = FORMATS.get(path.suffix.lower())
    with at_hand(path, in_ranges=by_name is not None and by_name.reads_ranges, least=least) as near:
        existing = _existing(near)
        if as_url(near) is None or existing[1].reads_ranges:
            yield existing
            return
    with at_hand(path) as near:  # it is called .las and is something else
        yield _existing(near)


def _existing(path: Path) -> tuple[Path, Format]:
    found = content_format(path) or format_of(path) if as_url(path) is not None else format_of(path)
    if as_url(path) is None and path.is_dir():
        raise InputError("is a folder; name a file in it", path=path)
    try:  # before any library is asked
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):  # opening a pipe waits for its other end, and a device has no end
            raise InputError("is a pipe or a device, not a file; save its content to a file first", path=path)
        path.open("rb").close()
    except FileNotFoundError:
        raise InputError("there is no such file", path=path) from None
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", path=path) from error
    if not status.st_size:
        raise InputError("is empty", path=path)
    return path, found


def _open(path: Path, found: Format, options: ReadOptions) -> Table:
    if options.columns is not None and not found.nameless_columns:
        raise InputError("names its columns itself, so columns does not apply", path=path)
    if options.min_opacity is not None and found.module != "ply":
        raise InputError("is no Gaussian splat, so min_opacity does not apply", path=path)
    table: Table = found.code.open_table(path, options)
    return table
