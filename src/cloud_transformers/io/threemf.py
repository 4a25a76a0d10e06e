"""3MF, the format of 3D printers: a zip archive with meshes as XML, put together by components and build items.

What the build names is read, in metres, whatever unit the file has; supports are left out. The XML is parsed by expat
as it is unpacked: a document type, which is where entities come from, is refused, and no other file is opened.
"""

from __future__ import annotations

import posixpath
import zipfile
from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.parsers import expat

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.errors import InputError
from cloud_transformers.io.extras import as_input_error
from cloud_transformers.io.limits import MAX_EXPAND, most_bytes

_METRES = {
    "micron": 1e-6, "millimeter": 1e-3, "centimeter": 1e-2, "inch": 0.0254, "foot": 0.3048, "meter": 1.0,
}  # fmt: skip
_CORE = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02 "
_OTHER_PART = "http://schemas.microsoft.com/3dmanufacturing/production/2015/06 path"
_MODEL = "http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"
_DEEPEST = 64  # components of components
_MOST_PLACED = 100_000  # meshes, each as often as it is repeated

Matrix = NDArray[np.float64]  # [4, 3], for rows [x, y, z, 1]


@dataclass(frozen=True)
class _Reference:
    """A component or a build item: an object of a part of the archive, and where it goes."""

    part: str
    name: str
    matrix: Matrix


@dataclass
class _Object:
    is_support: bool
    vertices: array[float] = field(default_factory=lambda: array("d"))
    triangles: array[int] = field(default_factory=lambda: array("q"))
    components: list[_Reference] = field(default_factory=list)


class _Part:
    """One XML part of the archive: its objects, and what it builds."""

    def __init__(self, name: str) -> None:
        self.name, self.metres = name, _METRES["millimeter"]
        self.objects: dict[str, _Object] = {}
        self.items: list[_Reference] = []
        self._open = _Object(is_support=False)
        self._begin = {
            "model": self._model,
            "object": self._object,
            "vertex": lambda values: self._open.vertices.extend(float(values[axis]) for axis in "xyz"),
            "triangle": lambda values: self._open.triangles.extend(int(values[key]) for key in ("v1", "v2", "v3")),
            "component": lambda values: self._open.components.append(self._reference(values)),
            "item": lambda values: self.items.append(self._reference(values)),
        }

    def parse(self, file: Any, left: int) -> int:
        """What is left of the bytes that may be unpacked after this part was."""
        parser = expat.ParserCreate(namespace_separator=" ")
        parser.StartElementHandler = self._element
        parser.StartDoctypeDeclHandler = _refuse
        while True:
            text = file.read(1 << 20)
            left -= len(text)
            if left < 0:  # what a header declares may be a lie: the bytes themselves are counted
                raise ValueError(f"it does not stop unpacking beyond {MAX_EXPAND:g} times its size")
            parser.Parse(text, not text)
            if not text:
                return left

    def _element(self, name: str, values: Mapping[str, str]) -> None:
        begin = self._begin.get(name.removeprefix(_CORE)) if name.startswith(_CORE) else None
        if begin is not None:
            begin(values)

    def _model(self, values: Mapping[str, str]) -> None:
        self.metres = _METRES[values.get("unit", "millimeter")]

    def _object(self, values: Mapping[str, str]) -> None:
        self._open = _Object(is_support=values.get("type", "model") in ("support", "solidsupport"))
        self.objects[values["id"]] = self._open

    def _reference(self, values: Mapping[str, str]) -> _Reference:
        matrix = np.eye(4)[:, :3]
        if "transform" in values:
            matrix = np.array(values["transform"].split(), np.float64).reshape(4, 3)
        return _Reference(values.get(_OTHER_PART, self.name).lstrip("/"), values["objectid"], matrix)


def has_faces(path: Path) -> bool:
    """Always: a 3MF without a mesh is found out when it is read."""
    return True


def bytes_at_once(path: Path) -> int:
    return 20 * path.stat().st_size


def read_faces(path: Path) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Vertices [V, 3] in metres and triangles [F, 3] of all that is built."""
    with as_input_error(path, "reading the 3MF"), path.open("rb") as file, zipfile.ZipFile(file) as archive:
        root, parts = _parts(archive, most_bytes(path, MAX_EXPAND))
        placed = _placed(parts, parts[root].items, most_bytes(path, MAX_EXPAND))
        vertices, faces, before = [np.empty((0, 3))], [np.empty((0, 3), np.int64)], 0
        for each, matrix in placed:
            corners = np.array(each.vertices).reshape(-1, 3)
            triangles = np.array(each.triangles, np.int64).reshape(-1, 3)
            if len(triangles) and not 0 <= triangles.min() <= triangles.max() < len(corners):
                raise InputError("a face names a vertex that is not there", path=path)
            vertices.append((corners @ matrix[:3] + matrix[3]) * parts[root].metres)
            faces.append(triangles + before)
            before += len(corners)
    joined = np.concatenate(vertices)
    if not len(joined):
        raise InputError("builds no mesh (lattices, slices and implicit shapes are not read)", path=path)
    if not np.isfinite(joined).all():
        raise InputError("a vertex is NaN or infinite", path=path)
    return joined, np.concatenate(faces)


def _parts(archive: zipfile.ZipFile, left: int) -> tuple[str, dict[str, _Part]]:
    """The name of the part that builds, and all parts that it needs."""
    root = _root(archive, left)
    parts: dict[str, _Part] = {}
    wanted = [root]
    while wanted:
        name = wanted.pop()
        if name in parts:
            continue
        parts[name] = part = _Part(name)
        with archive.open(name) as file:
            left = part.parse(file, left)
        wanted += [each.part for owner in part.objects.values() for each in owner.components]
        wanted += [each.part for each in part.items]
    return root, parts


def _root(archive: zipfile.ZipFile, left: int) -> str:
    """The part that the archive's relations call the model."""
    found: list[str] = []

    def relation(name: str, values: Mapping[str, str]) -> None:
        if values.get("Type") == _MODEL:
            found.append(posixpath.normpath(values["Target"]).lstrip("/"))

    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler = relation
    parser.StartDoctypeDeclHandler = _refuse
    with archive.open("_rels/.rels") as file:
        text = file.read(min(left, 1 << 20))
    parser.Parse(text, True)
    if not found:
        raise ValueError("it names no model")
    return found[0]


def _placed(parts: Mapping[str, _Part], items: list[_Reference], most: int) -> list[tuple[_Object, Matrix]]:
    """Every mesh as often as it is built, with its place; what they take together is counted before it is taken."""
    found: list[tuple[_Object, Matrix]] = []
    waiting = [(item, np.eye(4), 0) for item in items]
    while waiting:
        reference, outer, depth = waiting.pop()
        matrix = np.column_stack([reference.matrix, [0, 0, 0, 1]]) @ outer
        each = parts[reference.part].objects[reference.name]
        if each.is_support:
            continue
        most -= 8 * (len(each.vertices) + len(each.triangles))
        if depth > _DEEPEST or len(found) + len(waiting) > _MOST_PLACED or most < 0:
            raise ValueError("its components are repeated too often, or lie too deep in each other")
        if each.vertices:
            found.append((each, matrix[:, :3]))
        waiting += [(component, matrix, depth + 1) for component in each.components]
    return found


def _refuse(*declared: Any) -> None:
    raise ValueError("it declares a document type, which 3MF does not allow")
