"""Points from meshes of any format: drawn on their faces, uniform by area, or their corners."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.cloud import PointCloud
from cloud_transformers.cloud.coordinates import choose_offset, finite_rows, split
from cloud_transformers.errors import InputError
from cloud_transformers.io.formats import Format
from cloud_transformers.io.options import ReadOptions

_AT_ONCE = 1 << 16  # faces


def read(path: Path, found: Format, options: ReadOptions) -> PointCloud:
    """Points drawn on the faces, or the vertices; which of the two must be said when there are faces."""
    vertices, faces = found.code.read_faces(path, options.max_expand)
    if options.sample is not None:
        return sample(vertices, faces, options.sample, options.seed, path)
    if len(faces) and not options.vertices:
        raise InputError(
            f"is a mesh of {len(faces)} faces; draw points on it with sample=N (--sample N), "
            "or take its corners with vertices=True (--vertices)",
            path=path,
        )
    return _corners(vertices, path)


def read_shape(path: Path, found: Format, options: ReadOptions) -> PointCloud:
    """Points drawn on the faces, whose number goes into the metadata; of a file without faces, its vertices."""
    vertices, faces = found.code.read_faces(path, options.max_expand)
    if not len(faces):
        return _corners(vertices, path)
    assert options.sample is not None
    return replace(sample(vertices, faces, options.sample, options.seed, path), metadata={"faces": len(faces)})


def _corners(vertices: NDArray[np.float64], path: Path) -> PointCloud:
    offset = choose_offset(vertices)
    return PointCloud(positions=split(vertices, offset, path), offset=offset)


def sample(
    vertices: NDArray[np.float64], faces: NDArray[np.int64], num_points: int, seed: int, path: Path
) -> PointCloud:
    """Points uniform by area, with the normal of their face. The same seed gives the same points."""
    if not len(faces):
        raise InputError("has no faces to draw points on; read it without sample", path=path)
    if faces.min() < 0 or faces.max() >= len(vertices):
        raise InputError(
            f"a face names vertex {faces.max()} or {faces.min()}, but there are {len(vertices)}", path=path
        )
    area = np.empty(len(faces))
    for start in range(0, len(faces), _AT_ONCE):  # faces can be many in a small file, and what is made of them is large
        part = vertices[faces[start : start + _AT_ONCE]]
        if finite_rows(part.reshape(len(part), 9)) is not None:
            raise InputError("a face has a corner that is NaN or infinite, so its area is not known", path=path)
        with np.errstate(over="ignore", invalid="ignore"):
            area[start : start + _AT_ONCE] = np.linalg.norm(_across(part), axis=1)
    with np.errstate(over="ignore", invalid="ignore"):
        total = area.sum()
    if not (np.isfinite(total) and total > 0):
        raise InputError(f"its faces have the total area {total / 2:g}, so no points can be drawn by area", path=path)

    generator = np.random.default_rng(seed)
    chosen = np.searchsorted(np.cumsum(area) / total, generator.random(num_points), side="right")
    chosen = np.minimum(chosen, np.flatnonzero(area)[-1])  # the sum's last rounding
    u, v = generator.random((2, num_points, 1))
    beyond = u + v > 1  # the other half of the parallelogram, mirrored back
    u, v = np.where(beyond, 1 - u, u), np.where(beyond, 1 - v, v)
    triangle = vertices[faces[chosen]]
    world = triangle[:, 0] + u * (triangle[:, 1] - triangle[:, 0]) + v * (triangle[:, 2] - triangle[:, 0])
    normal = (_across(triangle) / area[chosen, None]).astype(np.float32)
    offset = choose_offset(vertices)
    return PointCloud(positions=split(world, offset, path), fields={"normal": normal}, offset=offset)


def _across(corners: NDArray[np.float64]) -> NDArray[np.float64]:
    """Of triangles [F, 3, 3], the vectors across, as long as twice their areas."""
    with np.errstate(over="ignore", invalid="ignore"):
        return np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
