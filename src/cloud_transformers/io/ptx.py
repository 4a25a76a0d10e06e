"""PTX, the text format of Leica's scanners: one raster of points after the other, each with the pose of its scanner.

Rays that hit nothing are stored as 0 0 0 and left out. The field `scan` says which scan a point is from.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.errors import InputError
from cloud_transformers.io.columns import group_columns
from cloud_transformers.io.limits import MOST_COLUMNS
from cloud_transformers.io.options import ReadOptions
from cloud_transformers.io.rows import RowReader, is_number
from cloud_transformers.io.table import Block, Table

_HEADER_LINES = 10  # two sizes, four lines of the scanner's place and axes, and a matrix of four
_COLUMNS = {4: ("x", "y", "z", "intensity"), 7: ("x", "y", "z", "intensity", "red", "green", "blue")}
_LONGEST_LINE = 1 << 12


def open_table(path: Path, options: ReadOptions) -> Table:
    with path.open("rb") as file:
        _read_header(file, path, 1)

    def blocks(size: int) -> Iterator[Block]:
        with path.open("rb") as file:
            line, scan = 1, 0
            while file.peek(1):
                if scan == MOST_COLUMNS:
                    raise InputError(f"has more than {MOST_COLUMNS} scans", path=path, place=f"line {line}")
                count, pose = _read_header(file, path, line)
                names = _columns(file, path, line + _HEADER_LINES)
                row = np.dtype([(name, "u1" if name in ("red", "green", "blue") else "f8") for name in names])
                reader = RowReader(file, path, row, line=line + _HEADER_LINES, at_once=False)
                for rows in reader.blocks(count, size):
                    hit = (rows["x"] != 0) | (rows["y"] != 0) | (rows["z"] != 0)
                    yield _placed(rows[hit], names, pose, scan, path, options)
                line, scan = line + _HEADER_LINES + count, scan + 1

    return Table(path=path, num_points=None, blocks=blocks, columns=[*_COLUMNS[7], "scan"])


def _placed(
    rows: NDArray[np.void],
    names: tuple[str, ...],
    pose: NDArray[np.float64],
    scan: int,
    path: Path,
    options: ReadOptions,
) -> Block:
    block = group_columns({name: rows[name] for name in names}, path, options.drop)
    fields = {"scan": np.full(len(rows), scan, np.uint16), **block.fields}
    if "intensity" in fields:
        fields["intensity"] = fields["intensity"].astype(np.float32)
    return Block(block.world @ pose[:3, :3] + pose[3, :3], fields)  # vectors are rows in this format


def _read_header(file: BinaryIO, path: Path, line: int) -> tuple[int, NDArray[np.float64]]:
    lines = [file.readline(_LONGEST_LINE).split() for _ in range(_HEADER_LINES)]
    widths = [len(words) for words in lines]
    if widths != [1, 1, 3, 3, 3, 3, 4, 4, 4, 4] or not all(is_number(w.decode("latin1")) for ws in lines for w in ws):
        raise InputError(
            "no header of a scan: two sizes, a place, three axes, a matrix", path=path, place=f"line {line}"
        )
    sizes = [words[0] for words in lines[:2]]
    if not all(word.isdigit() and len(word) < 10 for word in sizes):
        raise InputError("the sizes of the scan's raster must be whole numbers", path=path, place=f"line {line}")
    pose = np.array([[float(word) for word in words] for words in lines[6:]])
    return int(sizes[0]) * int(sizes[1]), pose


def _columns(file: BinaryIO, path: Path, line: int) -> tuple[str, ...]:
    start = file.tell()
    width = len(file.readline(_LONGEST_LINE).split())
    file.seek(start)
    if width not in _COLUMNS:
        raise InputError(
            f"{width} values where 4 or 7 belong (x y z intensity, red green blue)", path=path, place=f"line {line}"
        )
    return _COLUMNS[width]
