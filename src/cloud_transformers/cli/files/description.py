"""What there is to say about a file that holds a cloud or a mesh, as plain data: the JSON of `cloudt info`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.cloud import PointCloud
from cloud_transformers.io.las.summary import Summary

_MOST_CLASSES = 256
_UNIT = re.compile(r'(?:LENGTHUNIT|ANGLEUNIT|UNIT)\s*\[\s*"([^"]+)"')


def cloud_facts(path: Path, cloud: PointCloud) -> dict[str, Any]:
    """Of a cloud; coordinates are world coordinates, and points that are not finite count in `problems` only."""
    low, high = cloud.bounds
    facts: dict[str, Any] = {
        "file": str(path),
        "bytes": path.stat().st_size,
        "points": len(cloud),
        "low": _numbers(low),
        "high": _numbers(high),
        "size": _numbers(high - low),
        "offset": cloud.offset.tolist(),
        "crs": cloud.crs,
        "unit": unit_of(cloud.crs),
        "density": _density(len(cloud), high - low),
        "fields": {name: _field(values) for name, values in cloud.fields.items()},
        "problems": problems_of(cloud),
    }
    if (label := cloud.fields.get("label")) is not None and label.ndim == 1 and label.dtype.kind in "iu":
        values, counts = np.unique(label, return_counts=True)
        if len(values) <= _MOST_CLASSES:
            facts["classes"] = {str(value): int(count) for value, count in zip(values, counts, strict=True)}
    return facts


def header_facts(path: Path, summary: Summary) -> dict[str, Any]:
    """Of a cloud whose header alone was read."""
    size = summary.high - summary.low
    return {
        "file": str(path),
        "bytes": path.stat().st_size,
        "points": summary.num_points,
        "low": _numbers(summary.low),
        "high": _numbers(summary.high),
        "size": _numbers(size),
        "crs": summary.empty.crs,
        "unit": unit_of(summary.empty.crs),
        "density": _density(summary.num_points, size),
        "fields": {name: _field(values) for name, values in summary.empty.fields.items()},
        "header_only": True,
    }


def mesh_facts(path: Path, vertices: NDArray[np.float64], faces: NDArray[np.int64]) -> dict[str, Any]:
    """Of a mesh of triangles."""
    corners = vertices[faces]  # [F, 3, 3]
    cross = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    return {
        "file": str(path),
        "bytes": path.stat().st_size,
        "vertices": len(vertices),
        "faces": len(faces),
        "area": float(np.linalg.norm(cross, axis=1).sum() / 2),
        "low": _numbers(low),
        "high": _numbers(high),
        "size": _numbers(high - low),
    }


def unit_of(crs: str | None) -> str | None:
    """The unit of the coordinates, and that of heights if it is another, where the text of their system names them.

    The last unit of a system is its own; those before it are of what it is made from.
    """
    parts = re.split(r"VERT_?(?:CS|CRS)\s*\[", crs or "", flags=re.IGNORECASE)
    names = [units[-1] for part in parts if (units := _UNIT.findall(part))]
    if len(set(names)) > 1:
        return f"{names[0]}, heights {names[-1]}"
    return names[0] if names else None


def problems_of(cloud: PointCloud) -> list[str]:
    """What is odd about a cloud, each in a sentence."""
    problems = []
    finite = np.isfinite(cloud.positions).all(axis=1)
    if missing := int((~finite).sum()):
        problems.append(f"{missing:,} of {len(cloud):,} points {'is' if missing == 1 else 'are'} not finite")
    present = cloud.positions[finite]
    if len(present):
        if not present.any(axis=1).all():
            problems.append(f"{int((~present.any(axis=1)).sum()):,} points lie exactly at the origin of the positions")
        if flat := [axis for axis, size in zip("xyz", np.ptp(present, axis=0), strict=True) if size == 0]:
            problems.append(f"all points have the same {', '.join(flat)}")
    return problems


def _field(values: NDArray[Any]) -> dict[str, Any]:
    facts: dict[str, Any] = {"type": str(values.dtype), "channels": 1 if values.ndim == 1 else values.shape[1]}
    finite = values[np.isfinite(values)]
    if finite.size:
        facts |= {"lowest": finite.min().item(), "highest": finite.max().item()}
    return facts


def _density(num_points: int, size: NDArray[np.float64]) -> float | None:
    """Points per square unit of the ground that the bounding box covers."""
    area = float(size[0] * size[1])
    return num_points / area if area > 0 else None


def _numbers(values: NDArray[np.float64]) -> list[float] | None:
    return values.tolist() if np.isfinite(values).all() else None
