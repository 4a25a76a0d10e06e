"""NumPy's .npz archives: one array per field, `positions` and, if there is one, `offset`.

Each member's declared size is checked against the archive's directory, and that against what the compression could
at most yield, before an array is allocated.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.cloud import PointCloud
from cloud_transformers.errors import InputError
from cloud_transformers.io.arrays import arrays_block, check_lengths, find_positions, open_npy
from cloud_transformers.io.extras import as_input_error
from cloud_transformers.io.facts import FACTS, fact_lines, facts_in
from cloud_transformers.io.limits import MOST_COLUMNS, check_expanded
from cloud_transformers.io.options import ReadOptions, WriteOptions, plain_dtype, plain_name
from cloud_transformers.io.table import Block, Table

_PIECE = 1 << 20  # bytes unpacked at once
_DEFLATE_RATIO = 1032  # no deflated byte yields more


def open_table(path: Path, options: ReadOptions) -> Table:
    with as_input_error(path, "reading the zip archive"), zipfile.ZipFile(path) as archive:
        names = [info.filename.removesuffix(".npy") for info in archive.infolist()]
        wanted = [info for info in archive.infolist() if info.filename.removesuffix(".npy") not in options.drop]
        total = 2 * sum(info.file_size for info in wanted)  # a field exists twice while the cloud is made
        _check_members(wanted, path)
        check_expanded(path, total, options.max_expand)
        arrays = {info.filename.removesuffix(".npy"): _read_member(archive, info, path) for info in wanted}
    arrays = {key: values for name, array in arrays.items() for key, values in _columns(name, array).items()}
    facts = _take_facts(arrays)
    offset = _take_offset(arrays, path)
    single = {name: array.item() for name, array in arrays.items() if array.ndim == 0 and plain_dtype(array.dtype)}
    arrays = {name: array for name, array in arrays.items() if name not in single}
    for name, array in arrays.items():
        if not plain_dtype(array.dtype):
            raise InputError(
                f"array {name} is {array.dtype}, not numbers; leave it out with drop=[{name!r}]",
                path=path,
            )
    shapes = {name: array.shape for name, array in arrays.items()}
    key = find_positions(shapes, options, path)
    num_points = check_lengths(shapes, key, options, path)
    check_expanded(path, total, options.max_expand, num_points)
    if options.columns is not None and (key is None or len(options.columns) != shapes[key][1]):
        raise InputError(f"{len(options.columns)} columns are named, which do not fit the array {key}", path=path)

    def blocks(size: int) -> Iterator[Block]:
        for start in range(0, max(num_points, 1), size):
            part = {name: array[start : start + size] for name, array in arrays.items()}
            yield arrays_block(part, key, options, path)

    metadata = {"npz": single, **facts} if single else facts
    return Table(path=path, num_points=num_points, blocks=blocks, columns=names, metadata=metadata, offset=offset)


def bytes_at_once(path: Path) -> int:
    """All arrays are in memory while the archive is read."""
    if not zipfile.is_zipfile(path):
        return 0
    with zipfile.ZipFile(path) as archive:
        return sum(entry.file_size for entry in archive.infolist())


def _check_members(members: list[zipfile.ZipInfo], path: Path) -> None:
    """They must be few, and fit into the file together, too."""
    if len(members) > MOST_COLUMNS:
        raise InputError(f"has {len(members)} arrays; a cloud is a few", path=path)
    if sum(info.compress_size for info in members) > path.stat().st_size:
        raise InputError("its members overlap, so the archive is damaged", path=path)


def _read_member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, path: Path) -> NDArray[Any]:
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) or info.flag_bits & 1:
        raise InputError(
            f"member {info.filename} is encrypted or compressed in a way numpy does not write",
            path=path,
        )
    if info.file_size > _DEFLATE_RATIO * info.compress_size or info.compress_size > path.stat().st_size:
        raise InputError(
            f"member {info.filename} declares sizes that the archive cannot hold",
            path=path,
        )
    with archive.open(info) as member:
        dtype, shape, fortran = open_npy(member, path, info.file_size, info.filename)
        count = int(np.prod(shape, dtype=np.int64))
        data = np.empty(count * dtype.itemsize, np.uint8)  # filled in place: `read()` would hold all of it twice
        filled = 0
        while filled < len(data):
            piece = member.read(min(_PIECE, len(data) - filled))
            if not piece:
                raise InputError(f"member {info.filename} ends too early", path=path)
            data[filled : filled + len(piece)] = np.frombuffer(piece, np.uint8)
            filled += len(piece)
        while member.read(_PIECE):  # to its end, where the checksum is compared
            pass
    array = data.view(dtype)
    return array.reshape(shape, order="F" if fortran else "C")


def _take_offset(arrays: dict[str, NDArray[Any]], path: Path) -> NDArray[np.float64] | None:
    offset = arrays.get("offset")
    if "positions" not in arrays or offset is None or offset.shape != (3,) or offset.dtype != np.float64:
        return None
    if arrays["positions"].dtype != np.float32:
        return None
    del arrays["offset"]
    if not np.isfinite(offset).all():
        raise InputError(f"its offset {offset.tolist()} is not finite", path=path)
    return offset.copy()


def _columns(name: str, array: NDArray[Any]) -> dict[str, NDArray[Any]]:
    """A structured array as the arrays that it is made of."""
    if array.dtype.names is None:
        return {name: array}
    return {column: array[column] for column in array.dtype.names}


def _take_facts(arrays: dict[str, NDArray[Any]]) -> dict[str, Any]:
    """What `write` put beside the fields: text without a dimension, and three numbers."""
    lines = []
    for name in FACTS:
        array = arrays.get(f"metadata.{name}")
        if array is not None and (array.dtype.kind, array.shape) in (("U", ()), ("f", (3,))):
            del arrays[f"metadata.{name}"]
            values = array.reshape(-1).tolist()
            lines.append(f"{name} {' '.join(map(str, values))}")
    return facts_in(lines)


def write(path: Path, cloud: PointCloud, options: WriteOptions, target: Path) -> None:
    """Every bit of positions, offset and fields. `compress` makes it smaller and slower."""
    arrays: dict[str, NDArray[Any]] = {"positions": cloud.positions, "offset": cloud.offset}
    if cloud.residual is not None:
        arrays = {"positions": cloud.world}
    for name, value in facts_in(fact_lines(cloud.metadata)).items():
        arrays[f"metadata.{name}"] = np.array(value)
    # Members are called NAME.npy, and np.load takes either name: one that is another array's member would find that.
    members = {f"{name}.npy" for name in (*arrays, *cloud.fields)}
    for name, values in cloud.fields.items():
        if name in arrays or name in members or not plain_name(name) or not plain_dtype(values.dtype):
            raise InputError(
                f"field {name!r} of {values.dtype} cannot be an array of the archive; rename or drop it",
                path=path,
            )
        arrays[name] = np.ascontiguousarray(values)
    with zipfile.ZipFile(target, "w") as archive:  # np.savez would refuse a field called "file", and stamps the time
        for name, array in arrays.items():
            info = zipfile.ZipInfo(f"{name}.npy")
            info.compress_type = zipfile.ZIP_DEFLATED if options.compress else zipfile.ZIP_STORED
            with archive.open(info, "w", force_zip64=True) as member:
                np.lib.format.write_array(member, array, allow_pickle=False)
