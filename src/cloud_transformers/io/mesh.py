"""Meshes: .obj, .off, .stl, .glb (and .ply with faces), sampled by area on request.

trimesh parses all but PLY. It is given the bytes of one file and no way to open others, so materials and textures
are left alone and a mesh file cannot make it read from elsewhere.
"""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.cloud import PointCloud
from cloud_transformers.errors import InputError
from cloud_transformers.io import ply
from cloud_transformers.io.coordinates import choose_offset, finite_rows, split
from cloud_transformers.io.extras import as_input_error, need
from cloud_transformers.io.mesh_checks import CHECKS
from cloud_transformers.io.options import ReadOptions, WriteOptions


def read(path: Path, options: ReadOptions) -> PointCloud:
    """Points drawn on the faces, or the vertices; which of the two must be said when there are faces."""
    vertices, faces = _load(path)
    if options.sample is not None:
        return sample(vertices, faces, options.sample, options.seed, path)
    if len(faces) and not options.vertices:
        raise InputError(
            f"{path}: is a mesh of {len(faces)} faces; draw points on it with sample=N (--sample N), "
            "or take its corners with vertices=True (--vertices)"
        )
    return _corners(vertices, path)


def read_shape(path: Path, options: ReadOptions) -> PointCloud:
    """Points drawn on the faces, whose number goes into the metadata; of a file without faces, its vertices."""
    vertices, faces = _load(path)
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
        raise InputError(f"{path}: has no faces to draw points on; read it without sample")
    if faces.min() < 0 or faces.max() >= len(vertices):
        raise InputError(f"{path}: a face names vertex {faces.max()} or {faces.min()}, but there are {len(vertices)}")
    corners = vertices[faces]  # [F, 3, 3]
    if finite_rows(corners.reshape(len(faces), 9)) is not None:
        raise InputError(f"{path}: a face has a corner that is NaN or infinite, so its area is not known")
    with np.errstate(over="ignore", invalid="ignore"):
        cross = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        area = np.linalg.norm(cross, axis=1)
        total = area.sum()
    if not (np.isfinite(total) and total > 0):
        raise InputError(f"{path}: its faces have the total area {total / 2:g}, so no points can be drawn by area")

    generator = np.random.default_rng(seed)
    chosen = np.searchsorted(np.cumsum(area) / total, generator.random(num_points), side="right")
    chosen = np.minimum(chosen, np.flatnonzero(area)[-1])  # the sum's last rounding
    u, v = generator.random((2, num_points, 1))
    beyond = u + v > 1  # the other half of the parallelogram, mirrored back
    u, v = np.where(beyond, 1 - u, u), np.where(beyond, 1 - v, v)
    triangle = corners[chosen]
    world = triangle[:, 0] + u * (triangle[:, 1] - triangle[:, 0]) + v * (triangle[:, 2] - triangle[:, 0])
    normal = (cross[chosen] / area[chosen, None]).astype(np.float32)
    offset = choose_offset(vertices)
    return PointCloud(positions=split(world, offset, path), fields={"normal": normal}, offset=offset)


def _load(path: Path) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    kind = path.suffix.lower().lstrip(".")
    if kind == "ply":
        return ply.read_faces(path)
    trimesh = need("trimesh", path)
    CHECKS[kind](path)
    with as_input_error(path, f"parsing the {kind} mesh"):
        loaded = trimesh.load(io.BytesIO(path.read_bytes()), file_type=kind, process=False, skip_materials=True)
        vertices, faces = _joined(loaded)
    if not len(vertices):
        raise InputError(f"{path}: has no vertices")
    if len(faces) and (faces.min() < 0 or faces.max() >= len(vertices)):
        raise InputError(f"{path}: a face names a vertex that is not there")
    if finite_rows(vertices) is not None:
        bad = np.flatnonzero(~np.isfinite(vertices).all(axis=1))
        raise InputError(f"{path}: {len(bad)} vertices are NaN or infinite, the first is vertex {int(bad[0])}")
    return vertices, faces


def _joined(loaded: Any) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """The geometry of a mesh, a cloud or a scene of several, in the scene's coordinates."""
    parts = loaded.dump() if hasattr(loaded, "geometry") else [loaded]
    vertices, faces, before = [np.empty((0, 3))], [np.empty((0, 3), np.int64)], 0
    for part in parts:
        vertices.append(np.asarray(part.vertices, np.float64).reshape(-1, 3))
        faces.append(np.asarray(getattr(part, "faces", faces[0]), np.int64).reshape(-1, 3) + before)
        before += len(vertices[-1])
    return np.concatenate(vertices), np.concatenate(faces)


def write(path: Path, cloud: PointCloud, options: WriteOptions, target: Path) -> None:
    raise InputError(f"{path}: {path.suffix} is a format for meshes; write points as .ply, .pcd, .las, .npz or text")
