"""E57, the exchange format of terrestrial scanners, through pye57: all scans of a file, placed by their poses.

The field `scan` says which scan a point is from. A scan is read in one piece: the library has no other way.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from cloud_transformers.errors import InputError
from cloud_transformers.io.extras import as_input_error, need
from cloud_transformers.io.limits import check_expanded
from cloud_transformers.io.options import ReadOptions
from cloud_transformers.io.table import Block, Fields, Table

_BYTES_PER_POINT = 24  # of the coordinates alone
_COLORS = ("colorRed", "colorGreen", "colorBlue")


def open_table(path: Path, options: ReadOptions) -> Table:
    pye57 = need("pye57", path)
    with as_input_error(path, "reading the E57 file"):
        file = pye57.E57(str(path))
        try:
            counts = [int(file.get_header(index).point_count) for index in range(file.scan_count)]
        finally:
            file.close()
    if not counts:
        raise InputError("holds no scan", path=path)
    check_expanded(path, sum(counts) * _BYTES_PER_POINT, options.max_expand, sum(counts))

    def blocks(size: int) -> Iterator[Block]:
        with as_input_error(path, "reading the E57 file"):
            file = pye57.E57(str(path))
            try:
                scans = [_scan(file, index) for index in range(len(counts))]
            finally:
                file.close()
        shared = set.intersection(*(set(scan.fields) for scan in scans)) - options.drop
        if some := sorted(set.union(*(set(scan.fields) for scan in scans)) - shared - options.drop):
            raise InputError(
                f"not all scans have the field {some[0]}; leave it out with drop=[{some[0]!r}] (--drop {some[0]})",
                path=path,
            )
        for scan in scans:
            for start in range(0, max(len(scan.world), 1), size):
                rows = slice(start, start + size)
                yield Block(scan.world[rows], {name: scan.fields[name][rows] for name in scan.fields if name in shared})

    return Table(path=path, num_points=None, blocks=blocks, columns=["scan", "intensity", "color"])


def bytes_at_once(path: Path) -> int:
    return 10 * path.stat().st_size


def _scan(file: Any, index: int) -> Block:
    data = file.read_scan(index, intensity=True, colors=True, transform=True, ignore_missing_fields=True)
    world = np.stack([np.asarray(data[f"cartesian{axis}"], np.float64) for axis in "XYZ"], axis=1)
    fields: Fields = {"scan": np.full(len(world), index, np.uint16)}
    if "intensity" in data:
        fields["intensity"] = np.asarray(data["intensity"], np.float32)
    if all(name in data for name in _COLORS):
        color = np.stack([np.asarray(data[name], np.float64) for name in _COLORS], axis=1)
        most = color.max(initial=0)
        fields["color"] = color.clip(0, 65535).astype(np.uint8 if most <= 255 else np.uint16)
    return Block(world, fields)
