"""PLY files: ascii, little and big endian; any scalar properties; faces make it a mesh.

Written here rather than taken from plyfile: a table of fixed-size rows is numpy's own business, its ascii path is
numpy's too (plyfile needs seconds for 200,000 points), and counts are checked against the file's length before
anything is allocated.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.cloud import PointCloud
from cloud_transformers.errors import InputError
from cloud_transformers.io.columns import flatten_fields, group_columns
from cloud_transformers.io.facts import fact_lines, facts_in, is_fact
from cloud_transformers.io.limits import MAX_EXPAND, check_expanded
from cloud_transformers.io.options import ReadOptions, WriteOptions
from cloud_transformers.io.outline import Outline
from cloud_transformers.io.ply.header import ENCODINGS, TYPE_NAMES, Element, Header, check_size, read_header
from cloud_transformers.io.ply.lists import Ragged, read_list_rows
from cloud_transformers.io.ply.splats import opaque, refuse_compressed, with_splat_color
from cloud_transformers.io.rows import RowReader, write_rows
from cloud_transformers.io.table import Block, Fields, Table
from cloud_transformers.progress import points_bar

_FACES = ("vertex_indices", "vertex_index")
_BYTES_PER_TRIANGLE = 150  # while polygons are cut: one with corners of a byte each has as many as bytes


def open_table(path: Path, options: ReadOptions) -> Table:
    """The vertices as points; refused when there are faces, unless the options ask for the vertices."""
    with path.open("rb") as file:
        header = read_header(file, path)
        if num_faces(header) and not options.vertices:
            raise InputError(
                f"is a mesh of {num_faces(header)} faces; draw points on it with sample=N (--sample N), "
                "or take its corners with vertices=True (--vertices)",
                path=path,
            )
        vertex = header.element("vertex")
        if vertex is None:
            raise InputError("its header has no element vertex, so there are no points in it", path=path)
        check_size(header, path)
        refuse_compressed(header, path)
    others = {element.name: element.count for element in header.elements if element is not vertex}
    remarks = [comment.removeprefix("comment").lstrip() for comment in header.comments]
    comments = [each for each, remark in zip(header.comments, remarks, strict=True) if not is_fact(remark)]
    metadata = {
        "ply": {"encoding": header.encoding, "comments": comments, "other_elements": others},
        **facts_in(remarks),
    }

    def blocks(size: int) -> Iterator[Block]:
        with path.open("rb") as file:
            file.seek(header.num_bytes)
            for columns in _element_blocks(file, path, header, vertex, size, options.drop):
                block = group_columns(columns, path, () if is_filtered else options.drop)
                block = Block(block.world, with_splat_color(block.fields))
                yield block if options.min_opacity is None else opaque(block, options.min_opacity, path)

    is_filtered = options.min_opacity is not None
    num_points = None if is_filtered else vertex.count
    return Table(path=path, num_points=num_points, blocks=blocks, columns=vertex.properties, metadata=metadata)


def has_faces(path: Path) -> bool:
    """Whether the header declares any."""
    with path.open("rb") as file:
        return num_faces(read_header(file, path)) > 0


def bytes_at_once(path: Path) -> int:
    """A mesh's corners and faces."""
    return 5 * path.stat().st_size if has_faces(path) else 0


def num_faces(header: Header) -> int:
    """How many faces the header declares; an element without a list of corners is none."""
    face = header.element("face")
    return face.count if face is not None and _corner_list(face) else 0


def _corner_list(face: Element) -> str | None:
    return next((name for name in _FACES if isinstance(face.properties.get(name), tuple)), None)


def read_faces(path: Path, max_expand: float = MAX_EXPAND) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Vertices [V, 3] and triangles [F, 3] of a mesh; a polygon becomes a fan around its first corner."""
    vertices = np.concatenate([block.world for block in open_table(path, ReadOptions(vertices=True)).blocks(1 << 17)])
    with path.open("rb") as file:
        header = read_header(file, path)
        face = header.element("face")
        name = _corner_list(face) if face is not None else None
        if face is None or name is None:
            raise InputError("has no faces to draw points on", path=path)
        lists = read_list_rows(file, path, _skip_to(file, path, header, face), header, face)[name]
    assert isinstance(lists, Ragged)  # the corner list is a list
    check_expanded(path, _BYTES_PER_TRIANGLE * lists.num_triangles, max_expand)
    return vertices.astype(np.float64), lists.fan()


def _skip_to(file: BinaryIO, path: Path, header: Header, wanted: Element) -> int:
    """Moves behind all elements before `wanted`; gives the number of the line reached, for ascii files."""
    file.seek(header.num_bytes)
    line = header.num_lines + 1
    for element in header.elements:
        if element is wanted:
            break
        if header.encoding == "ascii":
            for _ in range(element.count):
                if not file.readline():
                    raise InputError(f"ends at line {line}, within element {element.name}", path=path)
                line += 1
        elif element.has_lists:
            read_list_rows(file, path, line, header, element)
        else:
            file.seek(element.count * element.row_dtype("<").itemsize, 1)
    return line


def _element_blocks(
    file: BinaryIO, path: Path, header: Header, element: Element, size: int, drop: Collection[str]
) -> Iterator[dict[str, NDArray[Any]]]:
    line = _skip_to(file, path, header, element)
    if element.has_lists:
        columns = read_list_rows(file, path, line, header, element)
        yield {name: _as_array(values, name, path) for name, values in columns.items() if name not in drop}
        return
    dtype = element.row_dtype(ENCODINGS[header.encoding] or "=")
    if element.count == 0:
        yield {name: np.empty(0, dtype[name]) for name in element.properties}
        return
    if header.encoding == "ascii":
        for rows in RowReader(file, path, dtype, line=line).blocks(element.count, size):
            yield {name: rows[name] for name in element.properties}
        return
    done = 0
    while done < element.count:
        packed = np.fromfile(file, dtype, min(size, element.count - done))
        if not len(packed):
            raise InputError(f"ends at byte {file.tell()}, after {done} of {element.count} points", path=path)
        done += len(packed)
        yield {name: packed[name] for name in element.properties}


def _as_array(values: NDArray[Any] | Ragged, name: str, path: Path) -> NDArray[Any]:
    if not isinstance(values, Ragged):
        return values
    if (table := values.table()) is None:
        raise InputError(
            f"the list property {name} has a different length from point to point, so it cannot be a field; "
            f"leave it out with drop=[{name!r}] (--drop {name})",
            path=path,
        )
    return table


def write(path: Path, cloud: PointCloud, options: WriteOptions, target: Path) -> None:
    """Writes `target`, naming `path` in complaints. Comments of a file read as PLY are written again."""
    write_parts(path, [cloud], Outline.of([cloud]), options, target)


def write_parts(path: Path, parts: Iterable[PointCloud], outline: Outline, options: WriteOptions, target: Path) -> None:
    """The parts of one cloud, one after the other, with the header that suits the first."""
    dtype: np.dtype[Any] | None = None
    with target.open("wb") as file, points_bar(path, "writing", outline.num_points, options.progress) as bar:
        for cloud in parts:
            columns = flatten_fields(cloud, path)
            if dtype is None:
                known = cloud.metadata.get("ply", {})
                encoding = options.choose_encoding(ENCODINGS, known.get("encoding"), path)
                comments = [*known.get("comments", []), *(f"comment {line}" for line in fact_lines(cloud.metadata))]
                file.write(_header(columns, encoding, comments, outline.num_points, path))
                order = ENCODINGS[encoding]
                dtype = np.dtype([(name, (order or "=") + values.dtype.str[1:]) for name, values in columns.items()])
            if encoding == "ascii":
                write_rows(file, list(columns.values()), bar, neat=3)
            else:
                _write_binary(file, columns, dtype, bar)


def _header(columns: Fields, encoding: str, comments: Sequence[str], num_points: int, path: Path) -> bytes:
    for name, values in columns.items():
        if values.dtype.str[1:] not in TYPE_NAMES:
            raise InputError(
                f"PLY has no type for {name}, which is {values.dtype}; cast it, for example to int32 "
                f"(--cast {name}=int32), or drop it",
                path=path,
            )
    lines = ["ply", f"format {encoding} 1.0", *comments, f"element vertex {num_points}"]
    lines += [f"property {TYPE_NAMES[values.dtype.str[1:]]} {name}" for name, values in columns.items()]
    return ("\n".join([*lines, "end_header"]) + "\n").encode()


def _write_binary(file: BinaryIO, columns: Fields, dtype: np.dtype[Any], bar: Any) -> None:
    num_points = len(columns["x"])
    for start in range(0, num_points, 1 << 17):
        rows = slice(start, min(start + (1 << 17), num_points))
        packed = np.empty(rows.stop - start, dtype)
        for name, values in columns.items():
            packed[name] = values[rows]
        file.write(packed.tobytes())  # tofile does not notice a full disk
        bar.update(len(packed))
