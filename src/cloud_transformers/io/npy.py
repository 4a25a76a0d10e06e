"""NumPy's .npy files: a plain array [N, 3 or more], or a structured array with named columns.

The file is mapped into memory, not read: a header that claims more than the file holds is refused by the system.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.cloud import PointCloud
from cloud_transformers.errors import InputError
from cloud_transformers.io.arrays import features_block, open_npy
from cloud_transformers.io.columns import flatten_fields, group_columns
from cloud_transformers.io.options import ReadOptions, WriteOptions, plain_dtype
from cloud_transformers.io.table import Block, Table


def open_table(path: Path, options: ReadOptions) -> Table:
    with path.open("rb") as file:
        dtype, shape, _ = open_npy(file, path, path.stat().st_size, str(path))
    if dtype.names is None:
        if len(shape) != 2 or shape[1] < 3 or dtype.kind not in "iuf":
            raise InputError(
                f"holds an array of {dtype} {list(shape)}; a cloud is an array of numbers [N, 3 or more]", path=path
            )
    elif len(shape) != 1 or options.columns is not None:
        raise InputError(f"holds a structured array {list(shape)}; it must be [N] and needs no columns", path=path)
    num_columns = shape[1] if len(shape) == 2 else 0
    if options.columns is not None and len(options.columns) != num_columns:
        raise InputError(f"has {num_columns} columns, but {len(options.columns)} are named", path=path)

    def blocks(size: int) -> Iterator[Block]:
        array = _mapped(path) if shape[0] else np.empty(shape, dtype)
        for start in range(0, max(shape[0], 1), size):
            yield _as_block(array[start : start + size], path, options)

    return Table(path=path, num_points=shape[0], blocks=blocks, columns=dtype.names or ())


def _mapped(path: Path) -> NDArray[Any]:
    return np.load(path, mmap_mode="r", allow_pickle=False)


def _as_block(rows: NDArray[Any], path: Path, options: ReadOptions) -> Block:
    if rows.dtype.names is None:
        return features_block(np.asarray(rows), options.columns, path, options.drop)
    columns: dict[str, NDArray[Any]] = {}
    for name in rows.dtype.names:
        values = np.asarray(rows[name])
        if values.ndim > 2 or not plain_dtype(values.dtype):
            raise InputError(
                f"column {name!r} is {values.dtype} {list(values.shape[1:])}; drop it elsewhere first",
                path=path,
            )
        columns[name] = values
    return group_columns(columns, path, options.drop)


def write(path: Path, cloud: PointCloud, options: WriteOptions, target: Path) -> None:
    """A plain float array [N, 3] for bare positions, else a structured array that has every field under its name."""
    world = cloud.coordinates
    with target.open("wb") as file:
        if not cloud.fields:
            _save(file, np.ascontiguousarray(world))
            return
        flatten_fields(cloud, path, forbidden="")  # refuses names that would be read back as something else
        kinds: list[Any] = [(axis, world.dtype) for axis in "xyz"]
        for name, values in cloud.fields.items():
            if name in ("x", "y", "z"):
                raise InputError(
                    f"field {name!r} cannot stand beside the coordinates; rename or drop it",
                    path=path,
                )
            kinds.append((name, values.dtype, values.shape[1:]))
        rows = np.empty(len(cloud), np.dtype(kinds))
        for index, axis in enumerate("xyz"):
            rows[axis] = world[:, index]
        for name, values in cloud.fields.items():
            rows[name] = values
        _save(file, rows)


def _save(file: BinaryIO, array: NDArray[Any]) -> None:
    """Into something that numpy does not take for a file: it would write past Python, and not notice a full disk."""
    # Version 3.0 of the format is in UTF-8; the older ones, which more programs read, are not.
    is_ascii = all(name.isascii() for name in array.dtype.names or ())
    np.lib.format.write_array(
        SimpleNamespace(write=file.write), array, version=None if is_ascii else (3, 0), allow_pickle=False
    )
