"""A look at a LAS or LAZ header before laspy sees it: no count or length in it may point beyond the file.

laspy and the LAZ decoder trust these numbers: one bit in them can mean billions of records or an allocation that
ends the process.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from cloud_transformers.errors import InputError

_SMALLEST_POINT = {0: 20, 1: 28, 2: 26, 3: 34, 4: 57, 5: 63, 6: 30, 7: 36, 8: 38, 9: 59, 10: 67}
_HEADER_SIZES = {0: 227, 1: 227, 2: 227, 3: 235, 4: 375, 5: 393}
_LASZIP_RECORD = (b"laszip encoded", 22204)
_VARIABLE_CHUNKS = 0xFFFFFFFF


@dataclass(frozen=True)
class LasFacts:
    num_points: int
    compressed: bool


def check_las(path: Path) -> LasFacts:
    """The number of points, once every size in the header was found to fit into the file."""
    size = path.stat().st_size
    with path.open("rb") as file:
        head = file.read(375)
        if head[:4] != b"LASF" or len(head) < 227:
            raise InputError(f"{path}: does not begin with a LAS header (LASF and at least 227 bytes)")
        minor = head[25]
        header_size, start, num_records, point_format, point_size, num_points = struct.unpack_from("<HIIBHI", head, 94)
        if head[24] != 1 or minor not in _HEADER_SIZES:
            raise InputError(f"{path}: byte 24: LAS version {head[24]}.{minor} is not one of 1.0 to 1.5")
        if header_size < _HEADER_SIZES[minor] or header_size > start or start > size:
            raise InputError(
                f"{path}: byte 94: a header of {header_size} bytes and points from byte {start} on do not fit into "
                f"{size} bytes"
            )
        compressed, kind = bool(point_format & 0xC0), point_format & 0x3F
        if kind not in _SMALLEST_POINT or point_size < _SMALLEST_POINT[kind]:
            raise InputError(f"{path}: byte 104: point format {kind} with {point_size} bytes is not known")
        chunk_size = _check_records(file, path, header_size, start, num_records, extended=False)
        if minor >= 4:
            first, num_extended, num_points = struct.unpack_from("<QIQ", head, 235)
            if num_extended:
                _check_records(file, path, first, size, num_extended, extended=True)
        if not compressed:
            if num_points * point_size > size - start:
                raise InputError(
                    f"{path}: the header declares {num_points} points of {point_size} bytes, but {size - start} bytes "
                    "follow; the file is cut short or its header is wrong"
                )
        elif num_points:
            _check_chunks(file, path, start, size, num_points, chunk_size, point_size)
    return LasFacts(num_points, compressed)


def _check_records(file: BinaryIO, path: Path, at: int, end: int, count: int, *, extended: bool) -> int | None:
    """Walks the variable-length records; gives the chunk size that a LASzip record among them declares."""
    head_size, chunk_size = (60 if extended else 54), None
    for index in range(count):
        file.seek(min(at, end))
        head = file.read(head_size)
        if at + head_size > end or len(head) < head_size:
            raise InputError(f"{path}: byte {at}: record {index} of {count} lies outside its part of the file")
        length = int.from_bytes(head[20:28] if extended else head[20:22], "little")
        if at + head_size + length > end:
            raise InputError(
                f"{path}: byte {at + 20}: record {index} declares {length} bytes, beyond its part of the file"
            )
        if (head[2:18].rstrip(b"\0"), int.from_bytes(head[18:20], "little")) == _LASZIP_RECORD:
            body = file.read(length)
            if length < 34:
                raise InputError(f"{path}: byte {at}: the LASzip record has {length} bytes, at least 34 belong there")
            chunk_size = _check_laszip(body, path, at)
        at += head_size + length
    return chunk_size


def _check_laszip(body: bytes, path: Path, at: int) -> int:
    chunk_size, num_items = int.from_bytes(body[12:16], "little"), int.from_bytes(body[32:34], "little")
    if chunk_size == 0 or not 1 <= num_items <= 16 or len(body) < 34 + 6 * num_items:
        raise InputError(f"{path}: byte {at}: the LASzip record declares chunks of {chunk_size} and {num_items} items")
    return chunk_size


def _check_chunks(
    file: BinaryIO, path: Path, start: int, size: int, num_points: int, chunk_size: int | None, point_size: int
) -> None:
    """The table of chunks must lie in the file, and there must be room for a first point in each of them."""
    if chunk_size is None:
        raise InputError(f"{path}: says that its points are compressed, but has no LASzip record")
    file.seek(start)
    table = int.from_bytes(file.read(8), "little", signed=True)
    if table == -1:  # written as a stream: the table's place stands at the end of the file
        file.seek(max(size - 8, 0))
        table = int.from_bytes(file.read(8), "little", signed=True)
    if not start + 8 <= table <= size - 8:
        raise InputError(f"{path}: byte {start}: the table of chunks should be at byte {table}, outside the file")
    file.seek(table)
    version, num_chunks = struct.unpack("<II", file.read(8))
    most = (table - start - 8) // point_size  # a chunk begins with one whole point
    if version != 0 or num_chunks > most:
        raise InputError(f"{path}: byte {table}: {num_chunks} chunks do not fit into {table - start - 8} bytes")
    if chunk_size != _VARIABLE_CHUNKS and num_points > num_chunks * chunk_size:
        raise InputError(
            f"{path}: the header declares {num_points} points, but its {num_chunks} chunks hold at most "
            f"{num_chunks * chunk_size}"
        )
