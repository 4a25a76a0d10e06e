"""The compressed part of a LAZ file, looked over before it is decoded.

The decoder allocates what three kinds of numbers tell it: points per chunk, bytes per chunk, and bytes per layer of a
chunk (point formats 6 and above store each attribute in a layer of its own). Where it cannot
allocate them, the process aborts and no exception is raised, so each is compared with the bytes that are there. Layers
are looked at chunk by chunk, just before the chunk is decoded: a large file, or one behind a URL, is not walked twice.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import BinaryIO

from cloud_transformers.errors import InputError
from cloud_transformers.io.extras import as_input_error, need

_POINTS_PER_BYTE = 20_000  # the decoder's arithmetic cannot pack identical points more tightly
_LARGEST_PARALLEL_CHUNK = 64_000_000  # bytes of decoded points that the parallel decoder holds for each thread
# Point format -> item types of its LASzip record; behind them stand the extra bytes, if any, of type 0 or 14.
_ITEMS = {
    0: (6,), 1: (6, 7), 2: (6, 8), 3: (6, 7, 8), 4: (6, 7, 9), 5: (6, 7, 8, 9),
    6: (10,), 7: (10, 11), 8: (10, 12), 9: (10, 13), 10: (10, 12, 13),
}  # fmt: skip
_ITEM_SIZES = {6: 20, 7: 8, 8: 6, 9: 29, 10: 30, 11: 6, 12: 8, 13: 29}
# Item type -> number of layers; extra bytes have one each.
_LAYERS = {10: 9, 11: 1, 12: 2, 13: 1}
_EXTRA_BYTES = {2: 0, 3: 14}  # by compressor: point by point, or in layers


@dataclass
class LazChunks:
    """The chunks of a file, whose places and lengths are known to lie in it."""

    path: Path
    chunks: list[tuple[int, int]]  # points and bytes of each
    start: int  # of the first one
    items: list[tuple[int, int]]
    point_size: int
    has_layers: bool
    parallel: bool  # whether the parallel decoder's memory is bounded too

    def __post_init__(self) -> None:
        self._next, self._points = 0, 0

    def places(self) -> dict[int, tuple[int, int]]:
        """Where each chunk begins, with its points and bytes; before any was looked at."""
        starts = [self.start, *(self.start + end for end in accumulate(size for _, size in self.chunks))]
        return dict(zip(starts, self.chunks, strict=False))

    def check_one(self, file: BinaryIO, start: int, end: int) -> None:
        """Looks at the chunk between two bytes."""
        if self.has_layers:
            _check_layers(file, self.path, start, end, self.items, self.point_size)

    def pass_by(self, num_points: int) -> None:
        """Chunks that hold none but the first `num_points` points will not be decoded, so they are not looked at."""
        while self._next < len(self.chunks) and self._points + self.chunks[self._next][0] <= num_points:
            points, size = self.chunks[self._next]
            self.start, self._points, self._next = self.start + size, self._points + points, self._next + 1

    def check_layers(self, file: BinaryIO, num_points: int) -> None:
        """Looks at those chunks that hold the first `num_points` points and were not looked at before.

        And at the next one, if the last of them ends there: a decoder at the end of a chunk may open the next.
        """
        if not self.has_layers:
            return
        at = file.tell()
        while self._next < len(self.chunks) and self._points <= num_points:
            points, size = self.chunks[self._next]
            _check_layers(file, self.path, self.start, self.start + size, self.items, self.point_size)
            self.start, self._points, self._next = self.start + size, self._points + points, self._next + 1
        file.seek(at)


def check_laz(
    file: BinaryIO, path: Path, start: int, num_points: int, point_format: int, point_size: int, record: bytes
) -> LazChunks:
    """Checks where the chunks that begin at byte `start` lie; their layers are left to `LazChunks`."""
    if len(record) < 34:
        raise InputError(f"its LASzip record has {len(record)} bytes, at least 34 belong there", path=path)
    compressor, chunk_size, num_items = (
        int.from_bytes(record[at : at + size], "little") for at, size in ((0, 2), (12, 4), (32, 2))
    )
    if compressor not in (2, 3) or chunk_size == 0 or not 1 <= num_items <= 16 or len(record) < 34 + 6 * num_items:
        raise InputError(
            f"its LASzip record (compressor {compressor}, chunks of {chunk_size}) is not understood", path=path
        )
    items = [struct.unpack_from("<HH", record, 34 + 6 * index) for index in range(num_items)]
    expected = [(kind, _ITEM_SIZES[kind]) for kind in _ITEMS[point_format]]
    if extra := point_size - sum(size for _, size in expected):
        expected.append((_EXTRA_BYTES[compressor], extra))
    if items != expected or (compressor == 3) != (point_format >= 6):
        raise InputError(
            f"its LASzip record describes other points than the header, which has point format {point_format} "
            f"with {point_size} bytes",
            path=path,
        )

    table = _check_table_place(file, path, start, point_size)
    lazrs = need("lazrs", path)
    file.seek(start)
    with as_input_error(path, "reading the table of chunks"):
        chunks: list[tuple[int, int]] = lazrs.read_chunk_table(file, lazrs.LazVlr(record))
    end = start + 8 + sum(size for _, size in chunks)
    if end > table or num_points > _POINTS_PER_BYTE * (table - start):
        raise InputError(
            f"the chunks take {end - start} bytes for {num_points} points, but only {table - start} are there",
            path=path,
            place=f"byte {table}",
        )
    if sum(points for points, _ in chunks) < num_points:
        raise InputError(f"the header declares {num_points} points, but its chunks hold fewer", path=path)
    largest = max((points for points, _ in chunks), default=0)
    parallel = max(largest, chunk_size if len(chunks) else 0) * point_size <= _LARGEST_PARALLEL_CHUNK
    return LazChunks(path, chunks, start + 8, items, point_size, has_layers=compressor == 3, parallel=parallel)


def _check_table_place(file: BinaryIO, path: Path, start: int, point_size: int) -> int:
    size = path.stat().st_size
    file.seek(start)
    table = int.from_bytes(file.read(8), "little", signed=True)
    if table == -1:  # written as a stream: the table's place stands at the end of the file
        file.seek(max(size - 8, 0))
        table = int.from_bytes(file.read(8), "little", signed=True)
    if not start + 8 <= table <= size - 8:
        raise InputError(
            f"the table of chunks should be at byte {table}, outside the file",
            path=path,
            place=f"byte {start}",
        )
    file.seek(table)
    version, num_chunks = struct.unpack("<II", file.read(8))
    most = (table - start - 8) // point_size  # a chunk begins with one whole point
    if version != 0 or num_chunks > most:
        raise InputError(
            f"{num_chunks} chunks do not fit into {table - start - 8} bytes",
            path=path,
            place=f"byte {table}",
        )
    return table


def _check_layers(
    file: BinaryIO, path: Path, first: int, end: int, items: list[tuple[int, int]], point_size: int
) -> None:
    num_layers = sum(_LAYERS.get(kind, size) for kind, size in items)
    if first == end:
        return
    file.seek(first + point_size + 4)  # behind the first point and the number of points
    head = file.read(4 * num_layers)
    needed = point_size + 4 + 4 * num_layers
    if len(head) == 4 * num_layers:
        needed += sum(struct.unpack(f"<{num_layers}I", head))
    if needed > end - first or len(head) < 4 * num_layers:
        raise InputError(
            f"a chunk declares layers of {needed} bytes, but has {end - first}",
            path=path,
            place=f"byte {first}",
        )
