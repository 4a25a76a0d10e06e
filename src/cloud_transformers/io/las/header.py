"""What a LAS header knows beyond its points, as plain data: taken out on reading, put back on writing."""

from __future__ import annotations

import re
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
    }
    crs = _crs(records + extended)
    return {"las": las, "crs": crs} if crs else {"las": las}


def _text(value: str | bytes) -> str:
    return value if isinstance(value, str) else value.decode("latin1")


def _plain(records: Any) -> list[dict[str, Any]]:
    plain = []
    for record in records:
        if (record.user_id, record.record_id) not in _REBUILT:
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


def short_crs(crs: str) -> str:
    """A coordinate system in a few words: its name, with the EPSG code when the text has one."""
    name = re.match(r'\s*\w+\s*\[\s*"([^"]*)"', crs)
    code = re.search(r'(?:AUTHORITY\s*\[\s*"EPSG"\s*,\s*"?|ID\s*\[\s*"EPSG"\s*,\s*)(\d+)"?\s*\]\s*\]\s*$', crs)
    if name is None:
        return crs.strip()[:80]
    return f"{name[1]} (EPSG:{code[1]})" if code else name[1]
