"""Meshes but PLY: .obj, .off, .stl, .glb, .gltf.

trimesh parses them. It is given the bytes of one file and no way to open others, so materials and textures are left
alone and a mesh file cannot make it read from elsewhere.
"""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.cloud.coordinates import finite_rows
from cloud_transformers.errors import InputError
from cloud_transformers.io.extras import as_input_error, need
from cloud_transformers.io.mesh_checks import CHECKS


def has_faces(path: Path) -> bool:
    """Always: a file of these formats that has none is rare, and found out when it is read."""
    return True


def bytes_at_once(path: Path) -> int:
    return 5 * path.stat().st_size


def read_faces(path: Path) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Vertices [V, 3] and triangles [F, 3], in the scene's coordinates."""
    kind = path.suffix.lower().lstrip(".")
    trimesh = need("trimesh", path)
    CHECKS[kind](path)
    with as_input_error(path, f"parsing the {kind} mesh"):
        loaded = trimesh.load(
            io.BytesIO(_without_materials(path, kind)), file_type=kind, process=False, skip_materials=True
        )
        vertices, faces = _joined(loaded)
    if not len(vertices):
        raise InputError("has no vertices", path=path)
    if len(faces) and (faces.min() < 0 or faces.max() >= len(vertices)):
        raise InputError("a face names a vertex that is not there", path=path)
    if finite_rows(vertices) is not None:
        bad = np.flatnonzero(~np.isfinite(vertices).all(axis=1))
        raise InputError(f"{len(bad)} vertices are NaN or infinite, the first is vertex {int(bad[0])}", path=path)
    return vertices, faces


def _without_materials(path: Path, kind: str) -> bytes:
    """The bytes of a file; trimesh makes a mesh of its own for every material of an .obj, thousands in some files."""
    data = path.read_bytes()
    return re.sub(rb"^[ \t]*usemtl\b[^\n]*", b"", data, flags=re.MULTILINE) if kind == "obj" else data


def _joined(loaded: Any) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """The geometry of a mesh, a cloud or a scene of several, in the scene's coordinates."""
    parts = loaded.dump() if hasattr(loaded, "geometry") else [loaded]
    vertices, faces, before = [np.empty((0, 3))], [np.empty((0, 3), np.int64)], 0
    for part in parts:
        vertices.append(np.asarray(part.vertices, np.float64).reshape(-1, 3))
        faces.append(np.asarray(getattr(part, "faces", faces[0]), np.int64).reshape(-1, 3) + before)
        before += len(vertices[-1])
    return np.concatenate(vertices), np.concatenate(faces)
