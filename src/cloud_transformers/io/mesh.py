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
from cloud_transformers.io.limits import MAX_EXPAND, MOST_COLUMNS, check_expanded
from cloud_transformers.io.mesh_checks import CHECKS

_BYTES_PER_WORD, _PER_BINARY_BYTE = 100, 7  # what trimesh takes for a file of short words, and of binary faces


def has_faces(path: Path) -> bool:
    """Always: a file of these formats that has none is rare, and found out when it is read."""
    return True


def bytes_at_once(path: Path) -> int:
    return 5 * path.stat().st_size


def read_faces(path: Path, max_expand: float = MAX_EXPAND) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Vertices [V, 3] and triangles [F, 3], in the scene's coordinates."""
    kind = path.suffix.lower().lstrip(".")
    trimesh = need("trimesh", path)
    data = checked_bytes(path, kind, max_expand)
    with as_input_error(path, f"parsing the {kind} mesh"):
        loaded = trimesh.load(io.BytesIO(data), file_type=kind, process=False, skip_materials=True)
        vertices, faces = _joined(loaded)
    if not len(vertices):
        raise InputError("has no vertices", path=path)
    if len(faces) and (faces.min() < 0 or faces.max() >= len(vertices)):
        raise InputError("a face names a vertex that is not there", path=path)
    if finite_rows(vertices) is not None:
        bad = np.flatnonzero(~np.isfinite(vertices).all(axis=1))
        raise InputError(f"{len(bad)} vertices are NaN or infinite, the first is vertex {int(bad[0])}", path=path)
    return vertices, faces


def checked_bytes(path: Path, kind: str, max_expand: float) -> bytes:
    """What trimesh is given of a file, after a look at its counts: all but what parts it.

    trimesh makes a slow mesh of its own for every material of an .obj and every solid of an .stl, thousands in some.
    """
    if kind in CHECKS:
        CHECKS[kind](path, max_expand)
    data = path.read_bytes()
    _check_memory(path, kind, data, max_expand)
    if kind == "obj":
        return re.sub(rb"^[ \t]*usemtl\b[^\n]*", b"", data, flags=re.MULTILINE)
    if kind == "stl" and _is_text(data):
        data = re.sub(rb"\bendsolid\b[^\n]*\n\s*solid\b[^\n]*", b"", data, flags=re.IGNORECASE)
        if len(re.findall(rb"endsolid", data, flags=re.IGNORECASE)) > MOST_COLUMNS:
            raise InputError("has thousands of solids in one line; save it again as binary STL", path=path)
    return data


def _check_memory(path: Path, kind: str, data: bytes, max_expand: float) -> None:
    """Short words become large numbers; glTF is counted by what it declares."""
    if kind == "stl" and not _is_text(data):
        check_expanded(path, _PER_BINARY_BYTE * len(data), max_expand)
    elif kind in ("obj", "off", "stl"):
        words = sum(data.count(blank) for blank in (b" ", b"\n", b"\t"))
        check_expanded(path, _BYTES_PER_WORD * words, max_expand)


def _is_text(data: bytes) -> bool:
    return data[:256].lstrip()[:5].lower() == b"solid"


def _joined(loaded: Any) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """The geometry of a mesh, a cloud or a scene of several, in the scene's coordinates."""
    parts = loaded.dump() if hasattr(loaded, "geometry") else [loaded]
    vertices, faces, before = [np.empty((0, 3))], [np.empty((0, 3), np.int64)], 0
    for part in parts:
        vertices.append(np.asarray(part.vertices, np.float64).reshape(-1, 3))
        faces.append(np.asarray(getattr(part, "faces", faces[0]), np.int64).reshape(-1, 3) + before)
        before += len(vertices[-1])
    return np.concatenate(vertices), np.concatenate(faces)
