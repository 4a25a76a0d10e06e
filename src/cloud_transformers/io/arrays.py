"""What .npy, .npz and .h5 share: finding the positions among named arrays, and checking a header before its data."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.cloud.naming import native
from cloud_transformers.errors import InputError
from cloud_transformers.io.columns import group_columns
from cloud_transformers.io.extras import as_input_error
from cloud_transformers.io.options import ReadOptions
from cloud_transformers.io.table import Block, Fields

POSITIONS = ("positions", "points", "xyz", "pos", "coord", "coords", "vertices")


def open_npy(file: IO[bytes], path: object, size: int, what: str) -> tuple[np.dtype[Any], tuple[int, ...], bool]:
    """Dtype, shape and order (True for Fortran's) of an .npy stream of `size` bytes, which must be enough for them."""
    with as_input_error(path, f"reading the header of {what}"):
        version = np.lib.format.read_magic(file)
        if version == (1, 0):
            shape, fortran, dtype = np.lib.format.read_array_header_1_0(file)
        elif version in ((2, 0), (3, 0)):  # 3.0 differs only in the encoding of names
            shape, fortran, dtype = np.lib.format.read_array_header_2_0(file)
        else:
            raise InputError(f"{what} has version {version} of the format, which is not known", path=path)
    if dtype.hasobject:
        raise InputError(f"{what} holds Python objects, which are never unpickled here; save plain numbers", path=path)
    needed = math.prod(shape) * dtype.itemsize
    if any(length < 0 for length in shape) or needed > size - file.tell():
        raise InputError(
            f"{what} declares an array of {dtype} {list(shape)}, {needed} bytes, but {size - file.tell()} follow",
            path=path,
        )
    return dtype, shape, fortran


def features_block(rows: NDArray[Any], columns: Sequence[str] | None, source: object, drop: Collection[str]) -> Block:
    """An array [n, C]: with named columns, or the coordinates and then whatever else as a field `features`."""
    if columns is not None:
        return group_columns({name: rows[:, i] for i, name in enumerate(columns) if name != "_"}, source, drop)
    block = group_columns({axis: rows[:, index] for index, axis in enumerate("xyz")}, source)
    if rows.shape[1] > 3:
        block.fields["features"] = native(rows[:, 3:])
    return block


def find_positions(shapes: Mapping[str, tuple[int, ...]], options: ReadOptions, path: object) -> str | None:
    """Which of the named arrays holds the positions; None if there are x, y and z instead."""
    if options.positions is not None:
        if options.positions not in shapes:
            raise InputError(f"has no array {options.positions!r}, only {_listed(shapes)}", path=path)
        return options.positions
    for name in POSITIONS:
        if name in shapes:
            return name
    if {"x", "y", "z"} <= {name.lower() for name in shapes}:
        return None
    wide = [name for name, shape in shapes.items() if len(shape) == 2 and shape[1] >= 3]
    if len(shapes) == 1 and wide:
        return wide[0]
    raise InputError(
        f"none of its arrays ({_listed(shapes)}) is called positions; say which one holds the points with "
        "positions=NAME (--positions NAME)",
        path=path,
    )


def check_lengths(shapes: Mapping[str, tuple[int, ...]], key: str | None, options: ReadOptions, path: object) -> int:
    """The number of points, after making sure that every array has that many rows."""
    first = key if key is not None else next(name for name in shapes if name.lower() == "x")
    if key is not None and (len(shapes[key]) != 2 or shapes[key][1] < 3):
        hint = "; it looks like a collection of clouds, such as a benchmark's" if len(shapes[key]) == 3 else ""
        raise InputError(f"{key} must be an array [N, 3 or more], not {list(shapes[key])}{hint}", path=path)
    if not shapes[first]:
        raise InputError(f"{first} is a single number, not one per point", path=path)
    num_points = shapes[first][0]
    for name, shape in shapes.items():
        if len(shape) not in (1, 2) or shape[0] != num_points:
            raise InputError(
                f"array {name} is {list(shape)}, not one value or row for each of {num_points} points; "
                f"leave it out with drop=[{name!r}] (--drop {name})",
                path=path,
            )
    return num_points


def arrays_block(arrays: Mapping[str, NDArray[Any]], key: str | None, options: ReadOptions, path: object) -> Block:
    """Named arrays of equal length as coordinates and fields."""
    if key is None:
        return group_columns(arrays, path, options.drop)
    block = features_block(arrays[key], options.columns, path, options.drop)
    fields: Fields = {
        name: native(values) for name, values in arrays.items() if name != key and name not in options.drop
    }
    if clash := block.fields.keys() & fields.keys():
        raise InputError(f"has two fields called {sorted(clash)[0]!r}; drop one of them", path=path)
    return Block(block.world, block.fields | fields)


def _listed(names: Collection[str]) -> str:
    return ", ".join(list(names)[:12]) + (" ..." if len(names) > 12 else "") if names else "none"
