"""Clouds in other libraries: pandas, Open3D, and a notebook's page."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.cloud.naming import column_names, grouped
from cloud_transformers.errors import InputError

if TYPE_CHECKING:
    from cloud_transformers.cloud.point_cloud import PointCloud

_OPEN3D_NAMES = {"color": "colors", "normal": "normals"}
_OPEN3D_TYPES = ("float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "bool")


def to_pandas(cloud: PointCloud) -> Any:
    try:
        import pandas
    except ImportError:
        raise InputError("to_pandas needs the package pandas; install it with pip install pandas") from None

    columns = {axis: cloud.coordinates[:, index] for index, axis in enumerate("xyz")}
    for field, values in cloud.fields.items():
        for index, name in enumerate(column_names(field, values)):
            columns[name] = values if values.ndim == 1 else values[:, index]
    return pandas.DataFrame(columns)


def arrays_of_frame(frame: Any) -> tuple[NDArray[Any], dict[str, NDArray[Any]]]:
    columns = {str(name): np.asarray(frame[name]) for name in frame.columns}
    for name, values in columns.items():
        if values.dtype.kind not in "biuf":
            raise InputError(f"the column {name!r} holds {values.dtype}, not numbers; drop it first")
    return grouped(columns, "the DataFrame")


def to_open3d(cloud: PointCloud) -> Any:
    try:
        import open3d
    except ImportError:
        raise InputError("to_open3d needs the package open3d; install it with pip install open3d") from None

    result = open3d.t.geometry.PointCloud()
    tensor = open3d.core.Tensor
    result.point.positions = tensor(np.ascontiguousarray(cloud.coordinates))
    for name, values in cloud.fields.items():
        if name == "color":
            values = cloud.cast(color=np.float32).fields["color"][:, :3]
        if str(values.dtype) in _OPEN3D_TYPES:
            rows = values if values.ndim == 2 else values[:, None]
            result.point[_OPEN3D_NAMES.get(name, name)] = tensor(np.ascontiguousarray(rows))
    return result


def arrays_of_open3d(cloud: Any) -> tuple[NDArray[Any], dict[str, NDArray[Any]]]:
    if hasattr(cloud, "points"):  # the older class, which has three attributes
        parts = {"color": cloud.colors, "normal": cloud.normals}
        arrays = {name: np.array(values, np.float32) for name, values in parts.items() if len(values)}
        return np.array(cloud.points), arrays
    names = {theirs: ours for ours, theirs in _OPEN3D_NAMES.items()}
    attributes = {name: cloud.point[name].cpu().numpy() for name in cloud.point}
    fields = {
        names.get(name, name): values[:, 0] if values.ndim == 2 and values.shape[1] == 1 else values
        for name, values in attributes.items()
        if name != "positions"
    }
    return attributes["positions"], fields


def html_table(cloud: PointCloud) -> str:
    """What a notebook shows: how many points, where, and each field with its type and range."""
    low, high = cloud.bounds
    rows = [
        (axis, str(cloud.coordinates.dtype), f"{first:.10g}", f"{last:.10g}")
        for axis, first, last in zip("xyz", low, high, strict=True)
    ]
    for name, values in cloud.fields.items():
        kind = f"{values.dtype}{list(values.shape[1:]) or ''}"
        rows.append((name, kind, *((f"{values.min():g}", f"{values.max():g}") if values.size else ("", ""))))
    cells = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    crs = f", {escape(cloud.crs[:80])}" if cloud.crs else ""
    return (
        f"<p>PointCloud, {len(cloud):,} points{crs}</p>"
        f"<table><tr><th>field</th><th>type</th><th>lowest</th><th>highest</th></tr>{cells}</table>"
    )
