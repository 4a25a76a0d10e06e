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
from cloud_transformers.io.las.laz_checks import LazChunks, check_laz

_SMALLEST_POINT = {0: 20, 1: 28, 2: 26, 3: 34, 4: 57, 5: 63, 6: 30, 7: 36, 8: 38, 9: 59, 10: 67}
_HEADER_SIZES = {0: 227, 1: 227, 2: 227, 3: 235, 4: 375, 5: 393}
_LASZIP_RECORD = (b"laszip encoded", 22204)


@dataclass(frozen=True)
class LasFacts:
    num_points: int
    num_bytes: int  # of all points, unpacked
    compressed: bool
    chunks: LazChunks | None = None  # of points that are compressed, if there are any


def check_las(path: Path, *, look_at_points: bool = True) -> LasFacts:
    """The number of points, once every size in the header was found to fit into the file.

    Without `look_at_points`, compressed points are not looked at: for who wants the header alone.
    """
    size = path.stat().st_size
    with path.open("rb") as file:
        head = file.read(375)
        if head[:4] != b"LASF" or len(head) < 227:
            raise InputError("does not begin with a LAS header (LASF and at least 227 bytes)", path=path)
        minor = head[25]
        header_size, start, num_records, point_format, point_size, num_points = struct.unpack_from("<HIIBHI", head, 94)
        if head[24] != 1 or minor not in _HEADER_SIZES:
            raise InputError(f"LAS version {head[24]}.{minor} is not one of 1.0 to 1.5", path=path, place="byte 24")
        if header_size < _HEADER_SIZES[minor] or header_size > start or start > size:
            raise InputError(
                f"a header of {header_size} bytes and points from byte {start} on do not fit into {size} bytes",
                path=path,
                place="byte 94",
            )
        compressed, kind = bool(point_format & 0xC0), point_format & 0x3F
        if kind not in _SMALLEST_POINT or point_size < _SMALLEST_POINT[kind]:
            raise InputError(f"point format {kind} with {point_size} bytes is not known", path=path, place="byte 104")
        laszip = _check_records(file, path, header_size, start, num_records, extended=False)
        if minor >= 4:
            first, num_extended, num_points = struct.unpack_from("<QIQ", head, 235)
            if num_extended:
                _check_records(file, path, first, size, num_extended, extended=True)
        if not compressed:
            if num_points * point_size > size - start:
                raise InputError(
                    f"the header declares {num_points} points of {point_size} bytes, but {size - start} bytes "
                    "follow; the file is cut short or its header is wrong",
                    path=path,
                )
        elif num_points and look_at_points:
            if laszip is None:
                raise InputError("says that its points are compressed, but has no LASzip record", path=path)
            chunks = check_laz(file, path, start, num_points, kind, point_size, laszip)
            return LasFacts(num_points, num_points * point_size, compressed, chunks)
    return LasFacts(num_points, num_points * point_size, compressed)


def _check_records(file: BinaryIO, path: Path, at: int, end: int, count: int, *, extended: bool) -> bytes | None:
    """Walks the variable-length records; gives the LASzip record among them."""
    head_size, laszip = (60 if extended else 54), None
    for index in range(count):
        file.seek(min(at, end))
        head = file.read(head_size)
        if at + head_size > end or len(head) < head_size:
            raise InputError(
                f"record {index} of {count} lies outside its part of the file", path=path, place=f"byte {at}"
            )
        length = int.from_bytes(head[20:28] if extended else head[20:22], "little")
        if at + head_size + length > end:
            raise InputError(
                f"record {index} declares {length} bytes, beyond its part of the file",
                path=path,
                place=f"byte {at + 20}",
            )
        if (head[2:18].split(b"\0")[0], int.from_bytes(head[18:20], "little")) == _LASZIP_RECORD:
            laszip = laszip or file.read(length)
        at += head_size + length
    return laszip
