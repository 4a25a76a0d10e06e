"""HDF5 files: datasets of equal first length at the root, one per field, `positions` and an `offset` attribute."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.cloud import PointCloud
from cloud_transformers.errors import InputError
from cloud_transformers.io.arrays import arrays_block, check_lengths, find_positions
from cloud_transformers.io.extras import as_input_error, need
from cloud_transformers.io.facts import FACTS, fact_lines, facts_in
from cloud_transformers.io.hdf5_checks import check_names, own_member
from cloud_transformers.io.limits import MOST_COLUMNS, check_expanded
from cloud_transformers.io.new_hdf5 import new_hdf5
from cloud_transformers.io.options import ReadOptions, WriteOptions, plain_dtype, plain_name
from cloud_transformers.io.table import Block, Table

_COMPRESSION_RATIO = 1100  # deflate yields at most 1032 bytes for one, and HDF5 shuffles them before


def open_table(path: Path, options: ReadOptions) -> Table:
    h5py = need("h5py", path)
    with as_input_error(path, "reading the HDF5 file"), h5py.File(path, "r") as file:
        check_names(file, path)
        if len(file) > MOST_COLUMNS:
            raise InputError(f"has {len(file)} entries; a cloud is a few datasets", path=path)
        shapes, size, expanded, names = {}, path.stat().st_size, 0, list(file)
        for name in names:
            if name in options.drop:
                continue
            dataset = own_member(file, name, path, options.max_expand)
            if not isinstance(dataset, h5py.Dataset):
                raise InputError(
                    f"{name} is a group; only datasets at the root are read, so leave it out with drop", path=path
                )
            _check_dataset(dataset, name, size, path)
            shapes[name] = tuple(dataset.shape)
            expanded += dataset.nbytes
        key = find_positions(shapes, options, path)
        num_points = check_lengths(shapes, key, options, path)
        check_expanded(path, expanded, options.max_expand, num_points)
        offset = _offset(file, key, path)
        metadata = {} if key is None else _facts(file[key].attrs)
    if options.columns is not None and (key is None or len(options.columns) != shapes[key][1]):
        raise InputError(f"{len(options.columns)} columns are named, which do not fit the dataset {key}", path=path)

    def blocks(size: int) -> Iterator[Block]:
        with as_input_error(path, "reading the HDF5 file"), h5py.File(path, "r") as file:
            for start in range(0, max(num_points, 1), size):
                part = {name: file[name][start : start + size] for name in shapes}
                yield arrays_block(part, key, options, path)

    return Table(path=path, num_points=num_points, blocks=blocks, columns=names, offset=offset, metadata=metadata)


def _check_dataset(dataset: Any, name: str, file_size: int, path: Path) -> None:
    if dataset.shape is None or dataset.dtype.hasobject or not plain_dtype(dataset.dtype):
        raise InputError(
            f"dataset {name} is not an array of numbers; leave it out with drop=[{name!r}]",
            path=path,
        )
    stored, needed = dataset.id.get_storage_size(), math.prod(dataset.shape) * dataset.dtype.itemsize
    limit = stored * _COMPRESSION_RATIO if dataset.chunks else stored
    if stored > file_size or needed > limit:
        raise InputError(
            f"dataset {name} declares {needed} bytes, but {stored} are stored for it; the file is damaged "
            "or was never filled",
            path=path,
        )


def _offset(file: Any, key: str | None, path: Path) -> NDArray[np.float64] | None:
    if key is None or "offset" not in file[key].attrs or file[key].dtype != np.float32:
        return None
    offset = np.asarray(file[key].attrs["offset"])
    if offset.shape != (3,) or offset.dtype != np.float64 or not np.isfinite(offset).all():
        raise InputError(f"the attribute offset of {key} must be three finite doubles", path=path)
    return offset


def _facts(attributes: Any) -> dict[str, Any]:
    """What `write` put beside the offset."""
    lines = []
    for name in FACTS:
        value = attributes.get(name)
        if isinstance(value, str):
            lines.append(f"{name} {value}")
        elif isinstance(value, np.ndarray):
            lines.append(f"{name} {' '.join(map(str, value.reshape(-1).tolist()))}")
    return facts_in(lines)


def write(path: Path, cloud: PointCloud, options: WriteOptions, target: Path) -> None:
    """Every bit of positions, offset and fields. `compress` makes it smaller and slower."""
    need("h5py", path)
    with new_hdf5(target) as file:
        kind = {"compression": "gzip", "shuffle": True} if options.compress and len(cloud) else {}
        if cloud.residual is None:
            positions = file.create_dataset("positions", data=cloud.positions, **kind)
            positions.attrs["offset"] = cloud.offset
        else:
            positions = file.create_dataset("positions", data=cloud.world, **kind)
        positions.attrs.update(facts_in(fact_lines(cloud.metadata)))
        for name, values in cloud.fields.items():
            if not plain_name(name) or name == "." or "/" in name or name in file or not plain_dtype(values.dtype):
                raise InputError(
                    f"field {name!r} of {values.dtype} cannot be a dataset; rename or drop it",
                    path=path,
                )
            file.create_dataset(name, data=values, **kind)
