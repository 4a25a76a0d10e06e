"""A cloud described in a few aligned lines of text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.cli.files.description import problems_of, unit_of
from cloud_transformers.cloud import PointCloud
from cloud_transformers.io.facts import short_crs
from cloud_transformers.io.las.summary import Summary


def describe(path: Path, cloud: PointCloud) -> str:
    """The table that `cloudt info` prints."""
    memory = cloud.positions.nbytes + sum(values.nbytes for values in cloud.fields.values())
    rows = [("file", f"{path} ({_bytes(path.stat().st_size)})"), ("format", _format(path, cloud))]
    rows.append(("points", f"{len(cloud):,}"))
    present = cloud.positions[np.isfinite(cloud.positions).all(axis=1)]
    if len(present):
        low, high = present.min(axis=0), present.max(axis=0)
        digits = max(0, 6 - len(str(int(np.abs([low, high]).max()))))
        for name, first, last in zip("xyz", *cloud.bounds.tolist(), strict=True):
            shown = max(digits, _digits_of(last - first))
            rows.append((name, f"{first:.{shown}f} to {last:.{shown}f}  (size {last - first:.{shown}f})"))
        step = float(np.spacing(np.abs([low, high]).max()))
        kept = ", and the rest beside them" if cloud.residual is not None else ""
        rows.append(("resolution", f"{step / 2:.1g} of float32 positions{kept}"))
    rows.append(("offset", " ".join(f"{value:g}" if value == 0 else f"{value:.0f}" for value in cloud.offset)))
    if crs := cloud.metadata.get("crs"):
        rows.append(("CRS", short_crs(crs)))
    if unit := unit_of(cloud.crs):
        rows.append(("unit", unit))
    rows.append(("memory", _bytes(memory)))
    rows += [("problem", problem) for problem in problems_of(cloud)]
    lines = _aligned(rows)
    if cloud.fields:
        lines += ["", *_field_table(cloud)]
    if "features" in cloud.fields and "text" in cloud.metadata:
        lines += [
            "",
            "features are columns without a name; give them names with --columns, for example --columns xyzrgb",
        ]
    return "\n".join(lines)


def describe_header(path: Path, summary: Summary) -> str:
    """The same for a file of which the header alone was read."""
    rows = [("file", f"{path} ({_bytes(path.stat().st_size)})"), ("format", _format(path, summary.empty))]
    rows.append(("points", f"{summary.num_points:,}"))
    for name, low, high in zip("xyz", summary.low.tolist(), summary.high.tolist(), strict=True):
        rows.append((name, f"{low:.3f} to {high:.3f}  (size {high - low:.3f})"))
    if crs := summary.empty.metadata.get("crs"):
        rows.append(("CRS", short_crs(crs)))
    if unit := unit_of(summary.empty.crs):
        rows.append(("unit", unit))
    note = "this is what the header says; --no-header reads the points too, for ranges and problems"
    return "\n".join([*_aligned(rows), "", *_field_table(summary.empty), "", note])


def describe_mesh(facts: dict[str, Any]) -> str:
    """The same for a mesh."""
    rows = [("file", f"{facts['file']} ({_bytes(facts['bytes'])})")]
    rows += [(name, f"{facts[name]:,}") for name in ("vertices", "faces")]
    rows += [(axis, f"{low:g} to {high:g}") for axis, low, high in zip("xyz", facts["low"], facts["high"], strict=True)]
    rows.append(("area", f"{facts['area']:g}"))
    note = "draw points on it with --sample N, or take its corners with --vertices"
    return "\n".join([*_aligned(rows), "", note])


def _aligned(rows: list[tuple[str, str]]) -> list[str]:
    width = max(len(name) for name, _ in rows)
    return [f"{name:<{width}}  {value}" for name, value in rows]


def _field_table(cloud: PointCloud) -> list[str]:
    table = [("field", "type", "channels", "lowest", "highest")]
    for name, values in cloud.fields.items():
        channels = "1" if values.ndim == 1 else str(values.shape[1])
        table.append((name, str(values.dtype), channels, *_range(values)))
    widths = [max(len(row[column]) for row in table) for column in range(5)]
    return ["  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip() for row in table]


def _range(values: NDArray[Any]) -> tuple[str, str]:
    if not values.size:
        return "-", "-"
    low, high = values.min(), values.max()  # NaN if there is one
    if values.dtype.kind == "f":
        return f"{low:.6g}", f"{high:.6g}"
    return str(low), str(high)


def _format(path: Path, cloud: PointCloud) -> str:
    name = path.suffix.lower().lstrip(".")
    if "las" in cloud.metadata:
        las = cloud.metadata["las"]
        scales = " ".join(f"{scale:g}" for scale in las["scales"])
        return f"{name} {las['version']}, point format {las['point_format']}, scale {scales}"
    encoding = cloud.metadata.get(name, {}).get("encoding")
    return f"{name}, {encoding}" if encoding else name


def _digits_of(extent: float) -> int:
    """Digits after the point that show a ten-thousandth of an extent, as in degrees; at most 9."""
    return int(np.clip(np.ceil(4 - np.log10(extent)), 0, 9)) if 0 < extent < 1 else 0


def _bytes(count: int) -> str:
    size = float(count)
    for unit in ("bytes", "kB", "MB"):
        if size < 1000:
            return f"{size:.3g} {unit}" if unit != "bytes" else f"{count} bytes"
        size /= 1000
    return f"{size:.3g} GB"
