"""One LAS or LAZ file that many processes write: each a piece of its points, which are then put together.

A piece is a file of packed points, or of compressed chunks, without a header. To put pieces together is to copy their
bytes: points have one length, and a chunk can be unpacked without those before. What the header says of all points,
their bounds and counts, comes along with the pieces. The bytes are those that `writing.write_parts` writes.
"""

from __future__ import annotations

import io
import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.cloud import PointCloud
from cloud_transformers.errors import InputError
from cloud_transformers.io.extras import as_input_error, need
from cloud_transformers.io.las.writing import dimensions, extremes, header_for, note_bounds, record_of
from cloud_transformers.io.options import WriteOptions
from cloud_transformers.io.outline import Outline

CHUNK = 50_000  # points of a compressed chunk: all pieces but the last one hold whole ones
_TABLE_PLACE = 8  # bytes before the first chunk that tell where the table of chunks is
_STEP = 16 << 20
_NEWEST = "1.4"  # later headers tell more of all points than is brought along


@dataclass(frozen=True, eq=False)
class Piece:
    path: Path
    num_points: int
    by_return: NDArray[np.uint64]  # [15] points of the first return, of the second, ...
    extremes: bytes  # some of the points: the lowest and the highest in every dimension that a header has bounds of
    chunks: tuple[tuple[int, int], ...]  # points and bytes of each, if they are compressed
    layout: str  # of a packed point


def can_be_pieces(cloud: PointCloud) -> bool:
    """Whether a file can be written in pieces, of whose points there are some, with all their fields."""
    label = cloud.fields.get("label")
    # Larger labels would be extra bytes in some pieces only.
    fits = label is None or label.dtype == np.uint8
    known = cloud.metadata.get("las", {})
    # Values that stand for nothing are no bounds, but may be the extremes.
    has_gaps = any(each.get("no_data") is not None for each in known.get("extra", {}).values())
    return fits and not has_gaps and known.get("version", _NEWEST) <= _NEWEST


def write_piece(path: Path, parts: Iterable[PointCloud], outline: Outline, target: Path) -> Piece:
    """Writes consecutive points of a file `path` to `target`; the outline is that of all points of the file."""
    laspy = need("laspy", path)
    header: Any = None
    kept: list[Any] = []
    by_return, num_points = np.zeros(15, np.uint64), 0
    with target.open("w+b") as file:
        compressor: Any = None
        for cloud in parts:
            fields = dimensions(cloud, path)
            if header is None:
                header = header_for(laspy, cloud, fields, outline, WriteOptions(), path)
                compressor = _compressor(path, header, file)
            if not len(cloud):
                continue
            record = record_of(laspy, cloud, fields, header, path)
            with as_input_error(path, "writing the points"):
                if compressor is None:
                    file.write(record.memoryview())
                else:
                    compressor.compress_many(np.frombuffer(record.array, np.uint8))
            kept.append(record.array[extremes(record)])
            counts = np.bincount(np.asarray(record.return_number), minlength=16)[1:16]
            by_return += counts.astype(np.uint64)
            num_points += len(cloud)
        chunks = () if compressor is None else _finished(path, compressor, header, file)
    some = b"".join(each.tobytes() for each in kept)
    return Piece(target, num_points, by_return, some, chunks, str(header.point_format.dtype()))


def join(path: Path, like: PointCloud, outline: Outline, pieces: Sequence[Piece], target: Path) -> None:
    """Puts pieces together to the file `target`, which will be `path`; `like` are the first points of it.

    The pieces are removed on the way.
    """
    laspy = need("laspy", path)
    compressed = path.suffix.lower() == ".laz"
    wanted = header_for(laspy, like, dimensions(like, path), outline, WriteOptions(), path)
    with target.open("w+b") as file, as_input_error(path, "putting the points together"):
        header = laspy.open(file, mode="w", header=wanted, do_compress=compressed, closefd=False).header
        file.seek(header.offset_to_point_data)
        file.truncate()
        chunks: list[tuple[int, int]] = []
        if compressed:
            file.write(bytes(_TABLE_PLACE))
        for piece in pieces:
            if piece.layout != str(header.point_format.dtype()):
                raise InputError("a field changes its type on the way; leave it out with --drop", path=path)
            _copy(piece, file)
            piece.path.unlink()  # so that no disk has to hold the points twice
            chunks += piece.chunks
            note_bounds(header, _record(laspy, piece.extremes, header))
        if compressed:
            _write_table(need("lazrs", path), chunks, header, file)
        header.point_count = sum(piece.num_points for piece in pieces)
        header.number_of_points_by_return = np.sum([piece.by_return for piece in pieces], axis=0)
        if wanted.evlrs:
            header.number_of_evlrs, header.start_of_first_evlr = len(wanted.evlrs), file.tell()
            wanted.evlrs.write_to(file, as_extended=True)
        file.seek(0)
        header.write_to(file, ensure_same_size=True)
        if like.metadata.get("las", {}).get("version") == "1.0":  # as in `writing`
            file.seek(25)
            file.write(b"\0")


def _record(laspy: Any, points: bytes, header: Any) -> Any:
    return laspy.PackedPointRecord.from_buffer(bytearray(points), header.point_format)


def _vlr(lazrs: Any, header: Any) -> Any:
    return lazrs.LazVlr.new_for_compression(header.point_format.id, header.point_format.num_extra_bytes)


def _compressor(path: Path, header: Any, file: BinaryIO) -> Any:
    if path.suffix.lower() != ".laz":
        return None
    lazrs = need("lazrs", path)
    return lazrs.ParLasZipCompressor(file, _vlr(lazrs, header))


def _finished(path: Path, compressor: Any, header: Any, file: BinaryIO) -> tuple[tuple[int, int], ...]:
    lazrs = need("lazrs", path)
    with as_input_error(path, "writing the points"):
        compressor.done()
        file.flush()
        file.seek(0)
        return tuple(lazrs.read_chunk_table(file, _vlr(lazrs, header)))


def _write_table(lazrs: Any, chunks: list[tuple[int, int]], header: Any, file: BinaryIO) -> None:
    place = file.tell()
    lazrs.write_chunk_table(file, chunks, _vlr(lazrs, header))
    end = file.seek(0, io.SEEK_END)
    file.seek(header.offset_to_point_data)
    file.write(place.to_bytes(_TABLE_PLACE, "little"))
    file.seek(end)


def _copy(piece: Piece, file: BinaryIO) -> None:
    with piece.path.open("rb") as source:
        if not piece.chunks:
            shutil.copyfileobj(source, file, _STEP)
            return
        source.seek(_TABLE_PLACE)
        for size in _steps(sum(size for _, size in piece.chunks)):
            file.write(source.read(size))


def _steps(total: int) -> Iterator[int]:
    for start in range(0, total, _STEP):
        yield min(_STEP, total - start)
