"""Sweeps of driving data sets, .bin: rows of float32 in little endian without any header.

KITTI has x y z intensity, nuScenes (.pcd.bin) a ring number behind them. Anything can be read as float32, so a file is
taken for one of them only if all of its first rows could be. Other rows can be named with `columns`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from cloud_transformers.errors import InputError
from cloud_transformers.io.columns import group_columns
from cloud_transformers.io.options import ReadOptions
from cloud_transformers.io.table import Block, Table

_KITTI = ("x", "y", "z", "intensity")
_NUSCENES = (*_KITTI, "ring")
_FLOAT = np.dtype("<f4")
_FARTHEST = 10_000.0  # metres; no such scanner sees that far
_NEAREST = 0.01  # and none is so short-sighted: whole numbers seen as float32 are tiny
_BRIGHTEST = {_KITTI: 1.0, _NUSCENES: 255.0}
_MOST_RINGS = 256


def open_table(path: Path, options: ReadOptions) -> Table:
    size = path.stat().st_size
    names = options.columns or _guess(path, size)
    width = _FLOAT.itemsize * len(names)
    if size % width:
        raise InputError(f"has {size} bytes, which are no whole rows of {len(names)} float32", path=path)

    def blocks(most: int) -> Iterator[Block]:
        with path.open("rb") as file:
            while len(rows := np.fromfile(file, _FLOAT, most * len(names)).reshape(-1, len(names))):
                columns = {name: rows[:, index] for index, name in enumerate(names) if name != "_"}
                yield group_columns(columns, path, options.drop)

    return Table(path=path, num_points=size // width, blocks=blocks, columns=[name for name in names if name != "_"])


def _guess(path: Path, size: int) -> tuple[str, ...]:
    """Which of the two layouts the first rows can be."""
    start = np.fromfile(path, _FLOAT, 4000)
    for names in (_NUSCENES, _KITTI):
        rows = start[: len(start) // len(names) * len(names)].reshape(-1, len(names))
        fits = size % (_FLOAT.itemsize * len(names)) == 0
        with np.errstate(invalid="ignore"):
            reach = np.abs(rows[:, :3]).max(initial=0)
            near = bool(_NEAREST < reach < _FARTHEST)  # false where a coordinate is NaN, too
            bright = bool(((rows[:, 3] >= 0) & (rows[:, 3] <= _BRIGHTEST[names])).all())
        if fits and near and bright and (names == _KITTI or _are_rings(rows[:, 4])):
            return names
    raise InputError(
        "is neither a sweep of KITTI (x y z, intensity from 0 to 1) nor of nuScenes (with a ring); name the float32 "
        "columns of its rows with columns=, as in --columns xyzrgb",
        path=path,
    )


def _are_rings(values: np.ndarray) -> bool:
    return bool(((values >= 0) & (values < _MOST_RINGS) & (values == np.floor(values))).all())
