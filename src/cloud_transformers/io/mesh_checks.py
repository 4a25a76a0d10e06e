"""What is looked at before a mesh is handed to trimesh, so that no count in it can make it allocate or loop."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cloud_transformers.errors import InputError
from cloud_transformers.io.limits import check_expanded

# Bytes that a part of a scene takes, as often as nodes repeat it: itself, its vertices, and its faces with all that is
# made to draw points on them.
_PER_PART, _PER_VERTEX, _PER_FACE = 8000, 100, 150
_DEEPEST = 256  # nodes below each other: what comes to a node is multiplied along the whole way
_TRIANGLES = 4
_PACKED = {"KHR_draco_mesh_compression": "Draco", "EXT_meshopt_compression": "meshopt"}


def _check_off(path: Path, max_expand: float) -> None:
    """The counts of the first line must be possible in a file of this length."""
    with path.open("rb") as file:
        start = re.sub(rb"#[^\n]*", b"", file.read(1 << 16))
    match = re.match(rb"\s*(?:ST)?C?N?OFF\s*(\d{1,18})\s+(\d{1,18})\b", start)
    if match is None:
        raise InputError("does not begin with OFF and the numbers of vertices and faces", path=path)
    vertices, faces = int(match[1]), int(match[2])
    if 6 * vertices + 2 * faces > path.stat().st_size + 2:
        raise InputError(f"declares {vertices} vertices and {faces} faces, more than fit in the file", path=path)


def _check_glb(path: Path, max_expand: float) -> None:
    """The scene must be a tree, and every accessor must stand on data in this file."""
    data = path.read_bytes()
    length = int.from_bytes(data[12:16], "little")
    if data[:4] != b"glTF" or data[16:20] != b"JSON" or 20 + length > len(data):
        raise InputError("does not begin with a glTF header and a JSON chunk of its declared length", path=path)
    _check_scene(path, data[20 : 20 + length], len(data), max_expand)


def _check_gltf(path: Path, max_expand: float) -> None:
    """The same for the JSON alone, whose geometry stands in it as text."""
    data = path.read_bytes()
    _check_scene(path, data, len(data), max_expand)


def _check_scene(path: Path, text: bytes, size: int, max_expand: float) -> None:
    try:
        scene = json.loads(text)
        if packed := sorted(_PACKED.keys() & set(scene.get("extensionsUsed", []))):
            name = _PACKED[packed[0]]
            raise InputError(f"is compressed with {name}, which is not read; export it without compression", path=path)
        if any(not buffer.get("uri", "data:").startswith("data:") for buffer in scene.get("buffers", [])):
            raise InputError(
                "keeps its geometry in another file, which is not followed; save it as one .glb", path=path
            )
        counts = [_accessor_count(accessor, size) for accessor in scene.get("accessors", [])]
        total = _count_bytes(scene, counts)
    except InputError:
        raise
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError):
        raise InputError("its JSON does not describe a scene of nodes and meshes", path=path) from None
    check_expanded(path, total, max_expand)


def _accessor_count(accessor: dict[str, Any], size: int) -> int:
    count = accessor["count"]
    if not isinstance(count, int) or not 0 <= count <= size or "bufferView" not in accessor or "sparse" in accessor:
        raise ValueError
    return count


def _count_bytes(scene: dict[str, Any], counts: list[int]) -> int:
    """What a scene takes in memory, its meshes as often as its nodes repeat them."""
    nodes = scene.get("nodes", [])
    parents = [0] * len(nodes)
    roots = [root for entry in scene.get("scenes", []) for root in entry.get("nodes", [])]
    for child in [child for node in nodes for child in node.get("children", [])] + roots:
        if not isinstance(child, int) or not 0 <= child < len(nodes):
            raise ValueError
        parents[child] += 1
    if max(parents, default=0) > 1:
        raise ValueError  # one parent each, a scene counted as one: no cycle can be reached from a scene
    if _depth(nodes, roots) > _DEEPEST:
        raise ValueError
    sizes = [sum(_part_bytes(part, counts) for part in mesh["primitives"]) for mesh in scene.get("meshes", [])]
    return sum(sizes) + sum(sizes[node["mesh"]] for node in nodes if "mesh" in node)


def _part_bytes(part: dict[str, Any], counts: list[int]) -> int:
    vertices = counts[part["attributes"]["POSITION"]]
    corners = counts[part["indices"]] if "indices" in part else vertices
    faces = corners // 3 if part.get("mode", _TRIANGLES) == _TRIANGLES else corners  # strips and fans share corners
    return _PER_PART + _PER_VERTEX * vertices + _PER_FACE * faces


def _depth(nodes: list[dict[str, Any]], roots: list[int]) -> int:
    """How many nodes stand in a row below each other."""
    depth, level = 0, roots
    while level and depth <= _DEEPEST:
        level = [child for node in level for child in nodes[node].get("children", [])]
        depth += 1
    return depth


def _no_check(path: Path, max_expand: float) -> None:
    """STL is checked by trimesh against the file's length; OBJ declares no counts."""


CHECKS: dict[str, Callable[[Path, float], None]] = {
    "off": _check_off,
    "glb": _check_glb,
    "gltf": _check_gltf,
    "stl": _no_check,
    "obj": _no_check,
}
