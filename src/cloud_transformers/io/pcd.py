"""PCD files of the Point Cloud Library: ascii, binary and binary_compressed.

The header and the table are read here with numpy, so that sizes are checked before anything is allocated, large
files come in chunks and every complaint names its line or byte; liblzf does the decompression. A packed colour
(`rgb`, `rgba`: four bytes in one float or integer) becomes a `color` field of uint8; `_` marks padding.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from cloud_transformers.cloud import PointCloud
from cloud_transformers.errors import InputError
from cloud_transformers.io.columns import flatten_fields, group_columns, header_words
from cloud_transformers.io.extras import need
from cloud_transformers.io.facts import fact_lines, facts_in
from cloud_transformers.io.limits import MOST_COLUMNS, check_expanded
from cloud_transformers.io.options import ReadOptions, WriteOptions
from cloud_transformers.io.rows import RowReader, write_rows
from cloud_transformers.io.table import Block, Fields, Table
from cloud_transformers.progress import points_bar

_ENCODINGS = ("binary", "ascii", "binary_compressed")
_SIZES = {"I": (1, 2, 4, 8), "U": (1, 2, 4, 8), "F": (4, 8)}
_KEYS = ("VERSION", "FIELDS", "SIZE", "TYPE", "COUNT", "WIDTH", "HEIGHT", "VIEWPOINT", "POINTS", "DATA")
_NORMAL = ("normal_x", "normal_y", "normal_z")
_LONGEST_HEADER = 1 << 18
_LZF_RATIO = 88  # three bytes stand for at most 264


@dataclass(frozen=True)
class Header:
    names: list[str]  # padding, which may occur often, as "_ 3": no name of a field has a blank
    kinds: list[np.dtype[Any]]
    counts: list[int]
    num_points: int
    encoding: str
    num_lines: int
    num_bytes: int
    metadata: dict[str, Any]

    @property
    def padding(self) -> list[str]:
        return [name for name in self.names if name.startswith("_ ")]

    @property
    def row(self) -> np.dtype[Any]:
        parts = zip(self.names, self.kinds, self.counts, strict=True)
        return np.dtype([(name, kind, (count,)) if count > 1 else (name, kind) for name, kind, count in parts])


def open_table(path: Path, options: ReadOptions) -> Table:
    with path.open("rb") as file:
        header = _read_header(file, path)
    available = path.stat().st_size - header.num_bytes
    num_values = sum(header.counts)
    needed = header.num_points * {"ascii": 2 * num_values, "binary": header.row.itemsize}.get(header.encoding, 0)
    if needed > available + 1:
        raise InputError(
            f"the header declares {header.num_points} points, at least {needed} bytes, but {available} follow "
            "it; the file is cut short or its header is wrong",
            path=path,
        )
    if header.encoding == "binary_compressed":
        check_expanded(path, header.num_points * header.row.itemsize, options.max_expand, header.num_points)
    bodies = {"ascii": _ascii_body, "binary": _binary_body, "binary_compressed": _compressed_body}

    def blocks(size: int) -> Iterator[Block]:
        with path.open("rb") as file:
            file.seek(header.num_bytes)
            empty = {name: np.empty((0, *header.row[name].shape), header.row[name].base) for name in header.names}
            for columns in bodies[header.encoding](file, path, header, size) if header.num_points else [empty]:
                kept = {name: columns[name] for name in header.names if name not in (*header.padding, *options.drop)}
                yield group_columns(_unpack_color(kept), path)

    return Table(
        path=path,
        num_points=header.num_points,
        blocks=blocks,
        columns=[name for name in header.names if name not in header.padding],
        metadata=header.metadata,
    )


def bytes_at_once(path: Path) -> int:
    """What is compressed is decompressed in one piece."""
    with path.open("rb") as file:
        compressed = _read_header(file, path).encoding == "binary_compressed"
    return 3 * path.stat().st_size if compressed else 0


def _read_header(file: BinaryIO, path: Path) -> Header:
    values: dict[str, list[str]] = {}
    remarks: list[str] = []
    number = 0
    while "DATA" not in values:
        raw = file.readline(_LONGEST_HEADER)
        number += 1
        if not raw.endswith(b"\n") or file.tell() > _LONGEST_HEADER:
            raise InputError(f"the header does not end with a line DATA (line {number})", path=path)
        words = header_words(raw)
        if not words or words[0].startswith("#"):
            remarks.append(" ".join(words).lstrip("# "))
            continue
        if words[0] not in _KEYS:
            raise InputError(
                f"line {number} of the header is not understood: {' '.join(words)[:80]!r}",
                path=path,
                place=f"line {number}",
            )
        values[words[0]] = words[1:]
    names = values.get("FIELDS", [])
    if not 0 < len(names) <= MOST_COLUMNS:
        raise InputError(f"the header has {len(names)} FIELDS; at least x, y and z belong there", path=path)
    types, sizes = values.get("TYPE", []), _whole(values, "SIZE", path)
    counts = _whole(values, "COUNT", path) or [1] * len(names)
    if not len(names) == len(types) == len(sizes) == len(counts):
        raise InputError(
            f"the header has {len(names)} FIELDS, {len(sizes)} SIZE, {len(types)} TYPE, "
            f"{len(counts)} COUNT; they must be as many",
            path=path,
        )
    for name, kind, size, count in zip(names, types, sizes, counts, strict=True):
        if size not in _SIZES.get(kind, ()) or not 1 <= count <= 1 << 16:
            raise InputError(
                f"field {name} has TYPE {kind[:8]}, SIZE {size} and COUNT {count}, which is not a type of PCD",
                path=path,
            )
    unique = [f"_ {index}" if name == "_" else name for index, name in enumerate(names)]
    if len(set(unique)) != len(unique):
        raise InputError(f"the header names a field twice: {' '.join(names)[:80]}", path=path)
    width, height = _one(values, "WIDTH", path), _one(values, "HEIGHT", path)
    points = _one(values, "POINTS", path)
    num_points = points if points is not None else (width or 0) * (1 if height is None else height)
    encoding = " ".join(values["DATA"]).lower()
    if encoding not in _ENCODINGS:
        raise InputError(
            f"line {number}: DATA must be ascii, binary or binary_compressed, not {encoding[:40]!r}",
            path=path,
            place=f"line {number}",
        )
    known = {
        "encoding": encoding,
        "width": num_points if width is None else width,
        "height": 1 if height is None else height,
        "viewpoint": " ".join(values.get("VIEWPOINT", ["0 0 0 1 0 0 0"])),
    }
    letters = {"I": "i", "U": "u", "F": "f"}
    dtypes = [np.dtype(f"<{letters[kind]}{size}") for kind, size in zip(types, sizes, strict=True)]
    metadata = {"pcd": known, **facts_in(remarks)}
    return Header(unique, dtypes, counts, num_points, encoding, number, file.tell(), metadata)


def _whole(values: dict[str, list[str]], key: str, path: Path) -> list[int]:
    words = values.get(key, [])
    if not all(word.isascii() and word.isdigit() and len(word) < 20 for word in words):
        raise InputError(f"{key} in the header must be whole numbers, not {' '.join(words)[:60]!r}", path=path)
    return [int(word) for word in words]


def _one(values: dict[str, list[str]], key: str, path: Path) -> int | None:
    numbers = _whole(values, key, path)
    if key in values and len(numbers) != 1:
        raise InputError(f"{key} in the header must be one whole number", path=path)
    return numbers[0] if numbers else None


def _ascii_body(file: BinaryIO, path: Path, header: Header, size: int) -> Iterator[Fields]:
    reader = RowReader(file, path, header.row, line=header.num_lines + 1)
    for rows in reader.blocks(header.num_points, size):
        yield {name: rows[name] for name in header.names}


def _binary_body(file: BinaryIO, path: Path, header: Header, size: int) -> Iterator[Fields]:
    done = 0
    while done < header.num_points:
        rows = np.fromfile(file, header.row, min(size, header.num_points - done))
        if not len(rows):
            raise InputError(f"ends at byte {file.tell()}, after {done} of {header.num_points} points", path=path)
        done += len(rows)
        yield {name: rows[name] for name in header.names}


def _compressed_body(file: BinaryIO, path: Path, header: Header, size: int) -> Iterator[Fields]:
    lzf = need("lzf", path)
    start = header.num_bytes
    sizes = file.read(8)
    if len(sizes) < 8:
        raise InputError(f"ends at byte {start + len(sizes)}, before the sizes of the compressed data", path=path)
    compressed, expanded = (int.from_bytes(sizes[at : at + 4], "little") for at in (0, 4))
    available = path.stat().st_size - start - 8
    if compressed > available:
        raise InputError(
            f"declares {compressed} compressed bytes, but {available} follow",
            path=path,
            place=f"byte {start}",
        )
    wanted = header.num_points * header.row.itemsize
    if expanded != wanted or expanded > _LZF_RATIO * compressed:
        raise InputError(
            f"declares {expanded} bytes of data from {compressed} compressed ones, but the "
            f"header's {header.num_points} points take {wanted}",
            path=path,
            place=f"byte {start + 4}",
        )
    try:
        data = lzf.decompress(file.read(compressed), expanded)
    except ValueError:
        data = None
    if data is None or len(data) != expanded:
        raise InputError(f"the compressed data from byte {start + 8} on are damaged", path=path)
    columns: Fields = {}
    at = 0
    for name, kind, count in zip(header.names, header.kinds, header.counts, strict=True):
        values = np.frombuffer(data, kind, header.num_points * count, at)
        columns[name] = values if count == 1 else values.reshape(header.num_points, count)
        at += values.nbytes
    for first in range(0, header.num_points, size):
        yield {name: values[first : first + size] for name, values in columns.items()}


def _unpack_color(columns: Fields) -> Fields:
    """Replaces a packed colour by its parts. The bytes are blue, green, red, alpha, whatever the type says."""
    unpacked: Fields = {}
    for name, values in columns.items():
        packed = name in ("rgb", "rgba") and values.dtype.itemsize == 4 and values.ndim == 1
        if packed and "color" not in columns and not {"red", "green", "blue"} & columns.keys():
            octets = np.ascontiguousarray(values).view(np.uint8).reshape(-1, 4)
            unpacked["color"] = octets[:, [2, 1, 0, 3] if name == "rgba" else [2, 1, 0]]
        else:
            unpacked[name] = values
    return unpacked


def write(path: Path, cloud: PointCloud, options: WriteOptions, target: Path) -> None:
    """Colours of type uint8 are packed as PCL has them; other colours become columns of their own."""
    known = cloud.metadata.get("pcd", {})
    encoding = options.choose_encoding(_ENCODINGS, known.get("encoding"), path)
    columns = _pack_color(flatten_fields(cloud, path, normal=_NORMAL), cloud, path)
    for name, values in columns.items():
        if values.dtype.kind == "b" or values.dtype.itemsize not in _SIZES[values.dtype.kind.upper()]:
            raise InputError(
                f"PCD has no type for {name}, which is {values.dtype}; cast it, for example to uint8 "
                f"(--cast {name}=uint8), or drop it",
                path=path,
            )
    width, height = known.get("width", len(cloud)), known.get("height", 1)
    if width * height != len(cloud):
        width, height = len(cloud), 1  # points were added or left out, so the scan's raster is no more
    kinds = [values.dtype for values in columns.values()]
    lines = [
        "# .PCD v0.7 - Point Cloud Data file format",
        *(f"# {line}" for line in fact_lines(cloud.metadata)),
        "VERSION 0.7",
        "FIELDS " + " ".join(columns),
        "SIZE " + " ".join(str(kind.itemsize) for kind in kinds),
        "TYPE " + " ".join(kind.kind.upper() for kind in kinds),
        "COUNT " + " ".join("1" for _ in kinds),
        f"WIDTH {width}",
        f"HEIGHT {height}",
        f"VIEWPOINT {known.get('viewpoint', '0 0 0 1 0 0 0')}",
        f"POINTS {len(cloud)}",
        f"DATA {encoding}",
    ]
    with target.open("wb") as file:
        file.write(("\n".join(lines) + "\n").encode())
        if encoding == "ascii":
            with points_bar(path, "writing", len(cloud), options.progress) as bar:
                write_rows(file, list(columns.values()), bar, neat=3)
        elif encoding == "binary":
            _write_binary(file, columns, len(cloud))
        else:
            _write_compressed(file, columns, path)


def _pack_color(columns: Fields, cloud: PointCloud, path: Path) -> Fields:
    if reserved := columns.keys() & {"rgb", "rgba", "_"}:
        raise InputError(f"{reserved.pop()!r} means a colour or padding in PCD; rename or drop that field", path=path)
    color = cloud.fields.get("color")
    if color is None or color.dtype != np.uint8 or color.ndim != 2 or color.shape[1] not in (3, 4):
        return columns
    name = "rgb" if color.shape[1] == 3 else "rgba"
    octets = np.zeros((len(cloud), 4), np.uint8)
    octets[:, [2, 1, 0, 3][: color.shape[1]]] = color
    packed: Fields = {}
    for column, values in columns.items():
        if column == "red":
            packed[name] = octets.view("<u4").reshape(-1).astype(np.uint32, copy=False)
        elif column not in ("green", "blue", "alpha"):
            packed[column] = values
    return packed


def _write_binary(file: BinaryIO, columns: Fields, num_points: int) -> None:
    dtype = np.dtype([(name, values.dtype.newbyteorder("<")) for name, values in columns.items()])
    for start in range(0, num_points, 1 << 17):
        packed = np.empty(min(1 << 17, num_points - start), dtype)
        for name, values in columns.items():
            packed[name] = values[start : start + (1 << 17)]
        file.write(packed.tobytes())  # tofile does not notice a full disk


def _write_compressed(file: BinaryIO, columns: Fields, path: Path) -> None:
    data = b"".join(values.astype(values.dtype.newbyteorder("<")).tobytes() for values in columns.values())
    longest = len(data) + len(data) // 16 + 64
    if longest >= 1 << 32:
        raise InputError("binary_compressed cannot hold more than 4 GB; write binary", path=path)
    compressed = need("lzf", path).compress(data, longest) if data else b""
    file.write(len(compressed).to_bytes(4, "little") + len(data).to_bytes(4, "little") + compressed)
