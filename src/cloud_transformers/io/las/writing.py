"""Writing LAS and LAZ. Fields that are dimensions of the point format fill them; all others become extra bytes.

The version, point format, scales and offsets are those the cloud was read with. Without them: LAS 1.4, the format
that has what the fields need, an offset at the centre, and as scale the one that came along from another file, else a
power of ten that is finer than float32 resolves.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.cloud import PointCloud
from cloud_transformers.cloud.naming import Plan, group_channels
from cloud_transformers.errors import InputError
from cloud_transformers.io.extras import as_input_error, need
from cloud_transformers.io.facts import usable_scale
from cloud_transformers.io.las.header import crs_record
from cloud_transformers.io.options import WriteOptions, plain_name
from cloud_transformers.io.outline import Outline
from cloud_transformers.io.table import Fields

_LARGEST = 2_000_000_000  # whole numbers of a chosen scale, a little below those that 32 bits hold
_MOST = 2**31 - 1


def write(path: Path, cloud: PointCloud, options: WriteOptions, target: Path) -> None:
    """Colours must be uint8 (written times 257, so that white stays white) or uint16."""
    write_parts(path, [cloud], Outline.of([cloud]), options, target)


def write_parts(path: Path, parts: Iterable[PointCloud], outline: Outline, options: WriteOptions, target: Path) -> None:
    """The parts of one cloud, one after the other, with the header that suits the first."""
    laspy = need("laspy", path)
    with target.open("wb") as plain:
        file = _TellingFile(plain)
        try:
            _write_parts(laspy, path, parts, outline, options, file)
        except InputError:
            if file.error is not None:  # the disk is full, say: nothing is wrong with the cloud
                raise file.error from None
            raise


class _TellingFile:
    """A file that remembers why a write failed: the library that compresses only says that one did."""

    def __init__(self, file: BinaryIO) -> None:
        self.file = file
        self.error: OSError | None = None

    def write(self, data: Any) -> int:
        try:
            return self.file.write(data)
        except OSError as error:
            self.error = error
            raise

    def __getattr__(self, name: str) -> Any:
        return getattr(self.file, name)


def _write_parts(
    laspy: Any, path: Path, parts: Iterable[PointCloud], outline: Outline, options: WriteOptions, file: _TellingFile
) -> None:
    writer: Any = None
    first_version = ""
    for cloud in parts:
        fields = dimensions(cloud, path)
        if writer is None:
            first_version = cloud.metadata.get("las", {}).get("version", "")
            header = header_for(laspy, cloud, fields, outline, options, path)
            with as_input_error(path, "writing the header"):
                compress = path.suffix.lower() == ".laz"
                writer = laspy.open(file, mode="w", header=header, do_compress=compress, closefd=False)
        record = record_of(laspy, cloud, fields, writer.header, path)
        with as_input_error(path, "writing the points"):
            writer.write_points(record)
            _note_extra_bounds(writer.header, record)
    with as_input_error(path, "writing the points"):
        if header.evlrs:
            writer.write_evlrs(header.evlrs)
        writer.close()
    if first_version == "1.0":
        # laspy begins with 1.1, whose header and points are the same but for this byte.
        file.seek(25)
        file.write(b"\0")


def header_for(
    laspy: Any, cloud: PointCloud, fields: Fields, outline: Outline, options: WriteOptions, path: Path
) -> Any:
    """That of a file whose first points are those of the cloud."""
    known = cloud.metadata.get("las", {})
    header = _new_header(laspy, known, fields, cloud.metadata.get("crs"))
    header.scales, header.offsets = _choose_scale(cloud, outline, options, path)
    standard = set(header.point_format.standard_dimension_names)
    extra = {name: values for name, values in fields.items() if name not in standard}
    _add_extra_dimensions(laspy, header, extra, known.get("extra", {}), path)
    return header


def record_of(laspy: Any, cloud: PointCloud, fields: Fields, header: Any, path: Path) -> Any:
    """The points of a cloud as laspy packs them."""
    with as_input_error(path, "writing the points"):
        record = laspy.ScaleAwarePointRecord.zeros(len(cloud), header=header)
        for axis, name in enumerate("XYZ"):
            if not np.isfinite(cloud.positions[:, axis]).all():
                raise InputError(
                    "LAS has no place for a point that is NaN or infinite; leave such points out", path=path
                )
            local = cloud.positions[:, axis] + (cloud.offset[axis] - header.offsets[axis])
            if cloud.residual is not None:
                local += cloud.residual[:, axis]
            record[name] = np.rint(local / header.scales[axis]).astype(np.int32)
        for name, values in fields.items():
            _check_range(record, name, values, path)
            record[name] = values
    return record


def extremes(record: Any) -> NDArray[np.int64]:
    """Rows of the lowest and highest points, in every dimension that a header has bounds of."""
    known = {"X", "Y", "Z", "gps_time"} & set(record.array.dtype.names)
    rows: set[int] = set()
    for name in (*known, *record.point_format.extra_dimension_names):
        values = np.asarray(record.array[name]).reshape(len(record), -1)
        rows |= {*values.argmin(axis=0).tolist(), *values.argmax(axis=0).tolist()}
    return np.array(sorted(rows), np.int64)


def note_bounds(header: Any, record: Any) -> None:
    """Have a header know of points, by some of them that are the extremes; it counts them too."""
    if len(record):
        header.grow(record)
        _note_extra_bounds(header, record)


def _note_extra_bounds(header: Any, record: Any) -> None:
    """Of extra dimensions laspy looks at the first point alone, so it is shown the extremes one by one."""
    extra = header.vlrs.get("ExtraBytesVlr")
    for row in extremes(record).tolist() if extra and len(record) else []:
        extra[0].grow(record[row : row + 1])


def dimensions(cloud: PointCloud, path: Path) -> Fields:
    """The cloud's fields under the names of LAS: one number per point and name."""
    extra = cloud.metadata.get("las", {}).get("extra", {})
    arrays = {name for name, kept in extra.items() if np.dtype(kept["type"]).shape}
    fields: Fields = {}
    channels: Plan = {}
    for name, values in cloud.fields.items():
        columns = {name: values}
        if name in ("X", "Y", "Z", "x", "y", "z") or values.dtype.kind not in "iuf" or values.dtype == np.float16:
            raise InputError(f"LAS cannot hold a field {name!r} of {values.dtype}; cast, rename or drop it", path=path)
        if name == "color" and values.ndim == 2 and values.shape[1] == 3:
            if values.dtype not in (np.uint8, np.uint16):
                raise InputError(
                    f"LAS holds colours of 16 bits, not {values.dtype}; cast them (--cast color=uint16)", path=path
                )
            wide = values.astype(np.uint16) * (257 if values.dtype == np.uint8 else 1)
            columns = {channel: wide[:, index] for index, channel in enumerate(("red", "green", "blue"))}
        elif values.ndim == 2 and name not in arrays:
            if values.shape[1] == 0:
                raise InputError(f"field {name!r} has no channels; drop it", path=path)
            columns = {f"{name}[{index}]": values[:, index] for index in range(values.shape[1])}
            channels[name] = list(columns)
        if clash := columns.keys() & fields.keys():
            raise InputError(
                f"two fields would be called {clash.pop()!r} in LAS; rename or drop one of them", path=path
            )
        fields |= columns
    if odd := group_channels({name: values.dtype for name, values in fields.items()}).keys() ^ channels.keys():
        raise InputError(
            f"field {odd.pop()!r} would be read back as another field; rename or drop it",
            path=path,
        )
    label = fields.get("label")
    if label is None or label.dtype.kind == "f" or "classification" in fields:
        return fields
    if not label.size or (label.min() >= 0 and label.max() <= 255):
        # The class is what other programs look for; a label of another type is kept beside it, as it is.
        fields["classification"] = label.astype(np.uint8)
        if label.dtype == np.uint8:
            del fields["label"]
    return fields


def _new_header(laspy: Any, known: dict[str, Any], fields: Fields, crs: str | None) -> Any:
    point_format = known.get("point_format")
    if point_format is None or not _suits(laspy, point_format, fields):
        has_color = "red" in fields
        point_format = 8 if "nir" in fields and has_color else 7 if has_color else 6
        if point_format < known.get("point_format", 0) <= 8:
            point_format = known["point_format"]
    # A file may be of a version that its point format does not belong to, or 1.0: the nearest that has it is written.
    oldest, newest = ("1.4", "1.5") if point_format >= 6 else (("1.1", "1.2", "1.3")[point_format // 2], "1.4")
    version = min(max(oldest, known.get("version", "1.4")), newest)
    header = laspy.LasHeader(version=version, point_format=point_format)
    for record in known.get("records", []):
        header.vlrs.append(_record(laspy, record))
    if known.get("extended_records") and version >= "1.4":
        header.evlrs = laspy.vlrs.vlrlist.VLRList([_record(laspy, record) for record in known["extended_records"]])
    header.generating_software = known.get("generating_software", "cloud-transformers")
    for name in ("system_identifier", "file_source_id", "creation_date", "uuid"):
        if known.get(name) is not None:
            setattr(header, name, known[name])
    if "global_encoding" in known:
        header.global_encoding.value = known["global_encoding"]
    elif crs and (record := crs_record(crs)) is not None:
        header.vlrs.append(_record(laspy, {"user_id": "LASF_Projection", "description": "", **record}))
        header.global_encoding.wkt = record["record_id"] == 2112
    return header


def _suits(laspy: Any, point_format: int, fields: Fields) -> bool:
    """Whether a point format has the standard dimensions among the fields: else, say, colours would become extras."""
    wanted = {name for name in ("red", "nir", "gps_time") if name in fields}
    return wanted <= set(laspy.PointFormat(point_format).dimension_names)


def _record(laspy: Any, record: dict[str, Any]) -> Any:
    return laspy.VLR(record["user_id"], record["record_id"], record["description"], record["data"])


def _choose_scale(
    cloud: PointCloud, outline: Outline, options: WriteOptions, path: Path
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    offset, known = cloud.offset, cloud.metadata.get("las", {})
    if not outline.num_points:
        return np.array(known.get("scales", [0.001] * 3)), np.array(known.get("offsets", [0.0] * 3))
    low, high = outline.low, outline.high

    def reach(offsets: NDArray[np.float64]) -> NDArray[np.float64]:
        shift = offset - offsets  # added first, as when the points are written: nothing small is lost in it
        return np.maximum(np.abs(low + shift), np.abs(high + shift))

    if options.scale is None and "scales" in known:
        scales, offsets = np.array(known["scales"]), np.array(known["offsets"])
        if (reach(offsets) / np.abs(scales) < _MOST).all():
            return scales, offsets
    offsets = np.rint(low / 2 + high / 2 + offset) + 0.0
    carried = usable_scale(cloud.metadata.get("scale"))
    if options.scale is None and carried is not None and (reach(offsets) / carried < _MOST).all():
        return carried, offsets
    finest = np.array([_power_of_ten(math.ceil, value / _LARGEST) for value in reach(offsets)])  # [3]
    if options.scale is not None:
        if not (options.scale > 0 and math.isfinite(options.scale)) or (reach(offsets) / options.scale > _MOST).any():
            text = f"the scale {options.scale:g} is too fine for these coordinates; {finest.max():g} is the finest"
            raise InputError(text, path=path)
        return np.full(3, options.scale), offsets
    if cloud.residual is not None:
        return finest, offsets
    # Digits beyond those of float32 would be noise, which does not compress.
    resolved = np.spacing(np.maximum(np.abs(low), np.abs(high)).astype(np.float32)) / 2
    return np.maximum(finest, [_power_of_ten(math.floor, value) for value in resolved]), offsets


def _power_of_ten(rounding: Callable[[float], int], value: float) -> float:
    return 10.0 ** rounding(math.log10(value)) if value > 1e-40 else 0.001


def _add_extra_dimensions(laspy: Any, header: Any, extra: Fields, known: dict[str, Any], path: Path) -> None:
    for name in extra:
        if not plain_name(name) or len(name.encode()) > 32:
            raise InputError(
                f"a name in LAS has at most 32 bytes, all printable, so {name!r} does not fit; "
                "rename or drop the field",
                path=path,
            )
    with as_input_error(path, "declaring the extra dimensions"):
        header.add_extra_dims(
            [laspy.ExtraBytesParams(name=name, **_storage(values, known.get(name))) for name, values in extra.items()]
        )


def _storage(values: NDArray[Any], known: dict[str, Any] | None) -> dict[str, Any]:
    """How a field is kept in extra bytes: as it was read, as long as that still holds its type."""
    kind = np.dtype((values.dtype, values.shape[1:]))
    if known is not None and (known["scales"] is not None or np.dtype(known["type"]) == kind):
        return known
    return {"type": kind}


def _check_range(record: Any, name: str, values: NDArray[Any], path: Path) -> None:
    """Refuses values that a dimension of the point format would cut off, and types that it would change."""
    info = record.point_format.dimension_by_name(name)
    if info.is_scaled:
        return
    kind = np.dtype(info.dtype).base if info.dtype is not None else np.dtype(np.uint8)
    if values.dtype.kind == "f" and kind.kind != "f":
        raise InputError(
            f"{name} is {values.dtype}, but LAS keeps it as {kind}; cast it (--cast {name}={kind}) or leave it out "
            f"(--drop {name})",
            path=path,
        )
    if kind.kind == "f" or not values.size:
        return
    low, high = np.iinfo(kind).min, np.iinfo(kind).max
    if kind.kind == "u":
        high = 2 ** (info.num_bits // info.num_elements) - 1  # some dimensions have only a few bits
    if values.min() < low or values.max() > high:
        raise InputError(
            f"{name} runs from {values.min()} to {values.max()}, but point format {record.point_format.id} "
            f"of LAS holds {low} to {high}; drop it, or name it otherwise to keep it as extra bytes",
            path=path,
        )
