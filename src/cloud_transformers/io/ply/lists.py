"""Elements of a PLY file whose rows differ in length: faces, above all.

Rows of one length, such as triangles, are one numpy view. Otherwise the rows are walked once, in Python, to find
where each begins; their items are then gathered by numpy. Takes the bytes of the element and some index arrays.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from struct import Struct
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.errors import InputError
from cloud_transformers.io.ply.header import ENCODINGS, Element, Header


@dataclass(frozen=True)
class Ragged:
    """A list for every row: how many items each has, and all items one after another."""

    counts: NDArray[np.int64]
    items: NDArray[Any]

    def table(self) -> NDArray[Any] | None:
        """The lists as an array [n, C], or None if they differ in length."""
        if len(self.counts) == 0 or (self.counts != self.counts[0]).any():
            return None
        return self.items.reshape(len(self.counts), int(self.counts[0]))

    @property
    def num_triangles(self) -> int:
        """Of `fan`."""
        return int(np.maximum(self.counts - 2, 0).sum())

    def fan(self) -> NDArray[np.int64]:
        """Triangles [F, 3]: each list is a polygon, cut into a fan around its first corner."""
        num_triangles = np.maximum(self.counts - 2, 0)
        first = np.cumsum(self.counts) - self.counts
        polygon = np.repeat(np.arange(len(self.counts)), num_triangles)
        step = np.arange(len(polygon)) - np.repeat(np.cumsum(num_triangles) - num_triangles, num_triangles)
        corners = np.stack([first[polygon], first[polygon] + step + 1, first[polygon] + step + 2], axis=1)
        return self.items.astype(np.int64)[corners] if len(corners) else np.empty((0, 3), np.int64)


Columns = dict[str, "NDArray[Any] | Ragged"]


def read_list_rows(file: BinaryIO, path: Path, line: int, header: Header, element: Element) -> Columns:
    """All properties of an element with lists, from the file's position on; leaves the file behind the element."""
    if header.encoding == "ascii":
        return _read_ascii(file, path, line, element)
    start = file.tell()
    data = file.read()
    order = ENCODINGS[header.encoding]
    columns, end = _read_equal_rows(data, order, element) or _walk_rows(data, order, element, path, start)
    file.seek(start + end)
    return columns


def _read_equal_rows(data: bytes, order: str, element: Element) -> tuple[Columns, int] | None:
    """The quick way: all rows are as long as the first. None if they are not, or the data ends early."""
    row, position = list[Any](), 0
    for name, kind in element.properties.items():
        if isinstance(kind, str):
            row.append((name, order + kind))
            position += np.dtype(kind).itemsize
            continue
        count_type = np.dtype(order + kind[0])
        if position + count_type.itemsize > len(data):
            return None
        count = int(np.frombuffer(data, count_type, 1, position)[0])
        if not 0 <= count <= len(data):
            return None
        row += [(f"count {name}", count_type), (name, order + kind[1], (count,))]
        position += count_type.itemsize + count * np.dtype(kind[1]).itemsize
    if position * element.count > len(data):
        return None
    rows = np.frombuffer(data, np.dtype(row), element.count)
    columns: Columns = {}
    for name, kind in element.properties.items():
        if isinstance(kind, str):
            columns[name] = rows[name]
            continue
        counts = rows[f"count {name}"].astype(np.int64)
        if element.count and (counts != rows[name].shape[1]).any():
            return None
        columns[name] = Ragged(counts, rows[name].reshape(-1))
    return columns, position * element.count


def _walk_rows(data: bytes, order: str, element: Element, path: Path, start: int) -> tuple[Columns, int]:
    starts: dict[str, list[int]] = {name: [] for name in element.properties}
    counts: dict[str, list[int]] = {name: [] for name in element.properties}
    steps: list[tuple[list[int], list[int], Struct | None, int, int]] = []
    for name, kind in element.properties.items():
        if isinstance(kind, str):
            steps.append((starts[name], counts[name], None, np.dtype(kind).itemsize, 0))
        else:
            counter = np.dtype(kind[0])
            unpacker, item_size = Struct(order + counter.char), np.dtype(kind[1]).itemsize
            steps.append((starts[name], counts[name], unpacker, counter.itemsize, item_size))
    position, end = 0, len(data)
    for row in range(element.count):
        for begins, lengths, reader, fixed, item_size in steps:
            begins.append(position)
            position += fixed
            if reader is not None and position <= end:
                (count,) = reader.unpack_from(data, position - fixed)
                if count < 0:
                    raise InputError(
                        f"a list has the length {count}",
                        path=path,
                        place=f"byte {start + position - fixed}",
                    )
                lengths.append(count)
                position += count * item_size
        if position > end:
            raise InputError(
                f"ends at byte {start + end}, within row {row} of {element.count} of element {element.name}", path=path
            )
    octets = np.frombuffer(data, np.uint8)
    columns: Columns = {}
    for name, kind in element.properties.items():
        begin = np.array(starts[name], np.int64)
        if isinstance(kind, str):
            size = np.dtype(kind).itemsize
            picked = octets[begin[:, None] + np.arange(size)]
            columns[name] = picked.reshape(-1).view(order + kind)
            continue
        size = np.dtype(kind[1]).itemsize
        length = np.array(counts[name], np.int64)
        ends = np.cumsum(length)
        item = np.arange(int(ends[-1]) if len(ends) else 0) - np.repeat(ends - length, length)
        where = np.repeat(begin + np.dtype(kind[0]).itemsize, length) + item * size
        columns[name] = Ragged(length, octets[where[:, None] + np.arange(size)].reshape(-1).view(order + kind[1]))
    return columns, position


def _read_ascii(file: BinaryIO, path: Path, line: int, element: Element) -> Columns:
    values: dict[str, list[float]] = {name: [] for name in element.properties}
    counts: dict[str, list[int]] = {name: [] for name in element.properties}
    done = 0
    while done < element.count:
        raw = file.readline(1 << 23)
        if not raw:
            raise InputError(
                f"ends at line {line}, after {done} of {element.count} of element {element.name}", path=path
            )
        words = raw.split()
        line += 1
        if not words:
            continue
        done += 1
        try:
            at = 0
            for name, kind in element.properties.items():
                if isinstance(kind, str):
                    values[name].append(float(words[at]))
                    at += 1
                    continue
                count = int(words[at])
                items = words[at + 1 : at + 1 + count]
                if len(items) != count:
                    raise IndexError
                counts[name].append(count)
                values[name].extend(map(float, items))
                at += 1 + count
            if at != len(words):
                raise IndexError
        except (ValueError, IndexError):
            raise InputError(
                f"line {line - 1} does not hold what element {element.name} declares: {raw[:60]!r}",
                path=path,
                place=f"line {line - 1}",
            ) from None
    columns: Columns = {}
    for name, kind in element.properties.items():
        dtype = np.dtype(kind if isinstance(kind, str) else kind[1])
        array = np.array(values[name])
        if dtype.kind in "iu" and not np.all((array >= np.iinfo(dtype).min) & (array <= np.iinfo(dtype).max)):
            raise InputError(f"property {name} holds numbers that its type cannot", path=path)
        with np.errstate(over="ignore"):
            converted = array.astype(dtype)
        columns[name] = converted if isinstance(kind, str) else Ragged(np.array(counts[name], np.int64), converted)
    return columns
