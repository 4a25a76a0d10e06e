"""What a LAS header knows beyond its points, as plain data: taken out on reading, put back on writing."""

from __future__ import annotations

import struct
from typing import Any

# Records that laspy writes anew from the points themselves.
_REBUILT = {("laszip encoded", 22204), ("LASF_Spec", 4)}
_PROJECTED, _GEOGRAPHIC = 3072, 2048


def header_metadata(header: Any) -> dict[str, Any]:
    """`{"las": ..., "crs": text}` of a laspy header; `crs` is left out when the file has none."""
    records = _plain(header.vlrs)
    extended = _plain(header.evlrs or [])
    las = {
        "version": str(header.version),
        "point_format": header.point_format.id,
        "scales": [float(value) for value in header.scales],
        "offsets": [float(value) for value in header.offsets],
        "records": records,
        "extended_records": extended,
        "file_source_id": header.file_source_id,
        "global_encoding": header.global_encoding.value,
        "system_identifier": _text(header.system_identifier),
        "generating_software": _text(header.generating_software),
        "creation_date": header.creation_date,
        "uuid": header.uuid,
        "copc": any(record.user_id == "copc" for record in header.vlrs),
        "extra": {dimension.name: _extra(dimension) for dimension in header.point_format.extra_dimensions},
    }
    metadata = {"las": las, "scale": [abs(scale) for scale in las["scales"]]}
    crs = _crs(records + extended)
    return {**metadata, "crs": crs} if crs else metadata


def _extra(dimension: Any) -> dict[str, Any]:
    """How a dimension of extra bytes is stored, as laspy wants to hear it."""
    stored = {"type": dimension.type_str(), "description": dimension.description}
    return stored | {name: getattr(dimension, name) for name in ("offsets", "scales", "no_data")}


def crs_record(crs: str) -> dict[str, Any] | None:
    """The record that says in a LAS file what the text of a coordinate system says: WKT, or the keys of a code."""
    if "[" in crs:
        return {"record_id": 2112, "data": crs.encode() + b"\0"}
    name, _, code = crs.strip().partition(":")
    if name.upper() != "EPSG" or not code.isdigit() or not 0 < int(code) < 1 << 16:
        return None
    geographic = 4000 <= int(code) < 5000  # where EPSG keeps those in degrees
    keys = (1024, 0, 1, 2 if geographic else 1), (_GEOGRAPHIC if geographic else _PROJECTED, 0, 1, int(code))
    return {"record_id": 34735, "data": struct.pack("<12H", 1, 1, 0, len(keys), *keys[0], *keys[1])}


def _text(value: str | bytes) -> str:
    return value if isinstance(value, str) else value.decode("latin1")


def _plain(records: Any) -> list[dict[str, Any]]:
    plain = []
    for record in records:
        # A COPC file is a LAZ file whose points are in the order of an octree; its records hold for that file only.
        if (record.user_id, record.record_id) not in _REBUILT and record.user_id != "copc":
            plain.append(
                {
                    "user_id": record.user_id,
                    "record_id": record.record_id,
                    "description": _text(record.description),
                    "data": bytes(record.record_data_bytes()),
                }
            )
    return plain


def _crs(records: list[dict[str, Any]]) -> str | None:
    """The coordinate system: the WKT text, or the EPSG code among the GeoTIFF keys."""
    projection = {record["record_id"]: record["data"] for record in records if record["user_id"] == "LASF_Projection"}
    if 2112 in projection:
        return projection[2112].rstrip(b"\0").decode("utf-8", "replace") or None
    keys = projection.get(34735, b"")
    codes = {}
    for at in range(8, len(keys) - 7, 8):
        key, location, _, value = struct.unpack_from("<4H", keys, at)
        if location == 0:
            codes[key] = value
    code = codes.get(_PROJECTED) or codes.get(_GEOGRAPHIC)
    return f"EPSG:{code}" if code else None
