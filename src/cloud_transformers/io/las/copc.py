"""COPC: a LAZ file whose chunks are the nodes of an octree, so that a part of the ground is had without the rest.

A node holds points of its cube, some distance from one another; those between them are in its eight children, at half
the distance. What the octree says is compared with the file's table of chunks, which was checked before: a node that is
no chunk is refused.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.errors import InputError
from cloud_transformers.io.extras import as_input_error, need
from cloud_transformers.io.las.blocks import as_block
from cloud_transformers.io.las.checks import check_las
from cloud_transformers.io.las.header import header_metadata
from cloud_transformers.io.las.laz_checks import LazChunks
from cloud_transformers.io.limits import check_expanded
from cloud_transformers.io.options import ReadOptions
from cloud_transformers.io.table import Block, Table

_INFO_AT = 375 + 54  # COPC's own record is the first one of a header of version 1.4
_INFO = struct.Struct("<5d2Q")  # centre, half of the side, distance of the root's points, place and bytes of its page
_ENTRY = struct.Struct("<4iQ2i")  # level, x, y, z; place, bytes and points
_FARTHEST = 1e15  # metres; where numbers are larger, all points are looked at
_DEEPEST = 30  # level; a cube of the next would be a billionth of the scene
_HALF_A_STEP = 0.45


@dataclass(frozen=True)
class Octree:
    low: NDArray[np.float64]  # [3] where the root's cube begins
    side: float  # of that cube
    spacing: float  # between the root's points
    page: tuple[int, int]  # place and bytes of the root's description


@dataclass(frozen=True)
class Node:
    at: int
    num_bytes: int
    num_points: int


def octree_of(path: Path) -> Octree | None:
    """That of a COPC file; None if it is another one."""
    with path.open("rb") as file:
        head = file.read(_INFO_AT + 160)
    if head[:4] != b"LASF" or len(head) < _INFO_AT + 160 or head[377:393].rstrip(b"\0") != b"copc":
        return None
    x, y, z, half, spacing, at, size = _INFO.unpack_from(head, _INFO_AT)
    if not all(abs(number) < _FARTHEST for number in (x, y, z, half, spacing)) or half <= 0 or spacing <= 0:
        return None
    return Octree(np.array([x, y, z]) - half, 2 * half, spacing, (at, size))


def open_box(
    path: Path,
    octree: Octree,
    low: NDArray[np.float64],  # [3] in world coordinates; infinite where there is no bound
    high: NDArray[np.float64],  # [3]
    spacing: float | None,  # metres, or whatever the file has: points may lie this far from one another
    options: ReadOptions,
) -> Table:
    """The points of a box, with the borders; of nodes that are not needed nothing is read."""
    laspy = need("laspy", path)
    facts = check_las(path)
    if facts.chunks is None:
        raise InputError("says that it is COPC, but holds no compressed points", path=path)
    with as_input_error(path, "reading the LAS header"), path.open("rb") as file, laspy.open(file) as reader:
        metadata = header_metadata(reader.header)
        point_format = reader.header.point_format
        record = bytes(reader.header.vlrs.get("LasZipVlr")[0].record_data)
        scales, offsets = np.array(reader.header.scales), np.array(reader.header.offsets)
    deepest = _DEEPEST
    if spacing is not None:
        deepest = max(0, math.ceil(math.log2(octree.spacing) - math.log2(spacing)))
    with path.open("rb") as file:
        nodes = sorted(_nodes(path, file, octree, low, high, deepest, facts.chunks), key=lambda node: node.at)
    num_points = sum(node.num_points for node in nodes)
    check_expanded(path, num_points * point_format.size, options.max_expand, num_points)
    lazrs, chunks = need("lazrs", path), facts.chunks

    def unpacked(file: BinaryIO, node: Node) -> Any:
        chunks.check_one(file, node.at, node.at + node.num_bytes)
        file.seek(node.at)
        points = bytearray(node.num_points * point_format.size)
        with as_input_error(path, "reading the points"):
            table = [(node.num_points, node.num_bytes)]
            lazrs.decompress_points_with_chunk_table(file.read(node.num_bytes), record, points, table)
        packed = laspy.PackedPointRecord.from_buffer(points, point_format)
        return laspy.ScaleAwarePointRecord(packed.array, point_format, scales, offsets)

    def blocks(size: int) -> Iterator[Block]:
        yield as_block(laspy.ScaleAwarePointRecord.empty(point_format, scales, offsets), scales, offsets, options)
        with path.open("rb") as file:
            for node in nodes:
                block = as_block(unpacked(file, node), scales, offsets, options)
                inside = ((block.world >= low) & (block.world <= high)).all(axis=1)
                yield Block(block.world[inside], {name: values[inside] for name, values in block.fields.items()})

    return Table(
        path=path,
        num_points=None,
        blocks=blocks,
        columns=list(point_format.dimension_names),
        metadata=metadata,
        tolerance=_HALF_A_STEP * np.abs(scales),
    )


def _nodes(
    path: Path,
    file: BinaryIO,
    octree: Octree,
    low: NDArray[np.float64],
    high: NDArray[np.float64],
    deepest: int,
    chunks: LazChunks,
) -> Iterator[Node]:
    """Those that may have points in the box, page by page of the octree's description."""
    known, size = chunks.places(), path.stat().st_size
    waiting, described = [octree.page], 0
    while waiting:
        at, length = waiting.pop()
        described += max(length, _ENTRY.size)  # pages that share bytes would take for ever
        if length < 0 or length % _ENTRY.size or at + length > size or described > size:
            raise InputError(f"its octree has a page of {length} bytes that cannot be", path=path, place=f"byte {at}")
        file.seek(at)
        for level, *key, place, num_bytes, num_points in _ENTRY.iter_unpack(file.read(length)):
            if not 0 <= level <= _DEEPEST or not all(0 <= index < 1 << level for index in key):
                raise InputError(f"its octree has no place {key} on level {level}", path=path, place=f"byte {at}")
            side = octree.side / (1 << level)
            corner = octree.low + np.array(key) * side
            if level > deepest or (corner > high).any() or (corner + side < low).any():
                continue
            if num_points == -1:
                waiting.append((place, num_bytes))
            elif num_points:
                if known.get(place) != (num_points, num_bytes):
                    raise InputError("its octree names points that are no chunk of it", path=path, place=f"byte {at}")
                yield Node(place, num_bytes, num_points)
