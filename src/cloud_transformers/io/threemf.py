"""3MF, the format of 3D printers: a zip archive with meshes as XML, put together by components and build items.

What the build names is read, in metres, whatever unit the file has; supports are left out. The XML is parsed by expat
as it is unpacked: a document type, which is where entities come from, is refused, and no other file is opened. A small
archive can hold millions of elements, so what each of them will take is counted before it is kept.
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
from cloud_transformers.io.limits import MAX_EXPAND, most_bytes, too_large
from cloud_transformers.io.packed import open_member

_METRES = {
    "micron": 1e-6, "millimeter": 1e-3, "centimeter": 1e-2, "inch": 0.0254, "foot": 0.3048, "meter": 1.0,
}  # fmt: skip
_CORE = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02 "
_OTHER_PART = "http://schemas.microsoft.com/3dmanufacturing/production/2015/06 path"
_MODEL = "http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"
_DEEPEST = 64  # components of components
_LONGEST = 4 << 20  # bytes of one tag or comment, which expat holds as a whole
# Bytes of memory: of an element while the file is parsed; then of a mesh and of all that is made of its parts to draw
# points on it, as often as it is placed.
_PER_ELEMENT = {"vertex": 60, "triangle": 100, "object": 800, "component": 1000, "item": 1000}
_PER_OTHER_ELEMENT = 150  # expat's own, for as long as it is open
_PER_PLACE, _PER_VERTEX, _PER_TRIANGLE = 3000, 48, 100

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


class _Bounds:
    """What a file may still take: bytes that come out of the archive, and bytes of memory for what is in them."""

    def __init__(self, path: Path, max_expand: float) -> None:
        self.path, self.max_expand = path, max_expand
        self.unpacked = self.memory = most_bytes(path, max_expand)

    def unpack(self, num_bytes: int) -> None:
        self.unpacked -= num_bytes  # what a header declares may be a lie: the bytes themselves are counted
        self._check()

    def take(self, num_bytes: int) -> None:
        self.memory -= num_bytes
        self._check()

    def _check(self) -> None:
        if min(self.unpacked, self.memory) < 0:
            raise too_large(self.path, self.max_expand, "takes too much when it is unpacked")


class _Part:
    """One XML part of the archive: its objects, and what it builds."""

    def __init__(self, name: str, bounds: _Bounds) -> None:
        self.name, self.metres, self.bounds = name, _METRES["millimeter"], bounds
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

    def parse(self, file: Any) -> None:
        parser = expat.ParserCreate(namespace_separator=" ")
        parser.StartElementHandler = self._element
        parser.StartDoctypeDeclHandler = _refuse
        given = 0
        while True:
            text = file.read(1 << 20)
            self.bounds.unpack(len(text))
            parser.Parse(text, not text)
            given += len(text)
            if given - parser.CurrentByteIndex > _LONGEST:
                raise ValueError(f"one of its tags is longer than {_LONGEST >> 20} MB")
            if not text:
                return

    def _element(self, name: str, values: Mapping[str, str]) -> None:
        known = name.removeprefix(_CORE) if name.startswith(_CORE) else ""
        self.bounds.take(_PER_ELEMENT.get(known, _PER_OTHER_ELEMENT))
        if known in self._begin:
            self._begin[known](values)

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


def read_faces(path: Path, max_expand: float = MAX_EXPAND) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Vertices [V, 3] in metres and triangles [F, 3] of all that is built."""
    bounds = _Bounds(path, max_expand)
    with as_input_error(path, "reading the 3MF"), path.open("rb") as file, zipfile.ZipFile(file) as archive:
        root, parts = _parts(archive, bounds)
        vertices, faces, before = [np.empty((0, 3))], [np.empty((0, 3), np.int64)], 0
        for each, matrix in _placed(parts, parts[root].items, bounds):
            corners = np.frombuffer(each.vertices).reshape(-1, 3)
            triangles = np.frombuffer(each.triangles, np.int64).reshape(-1, 3)
            if len(triangles) and not 0 <= triangles.min() <= triangles.max() < len(corners):
                raise InputError("a face names a vertex that is not there", path=path)
            placed = corners @ matrix[:3]
            placed += matrix[3]
            placed *= parts[root].metres
            vertices.append(placed)
            faces.append(triangles + before)
            before += len(corners)
    joined = np.concatenate(vertices)
    if not len(joined):
        raise InputError("builds no mesh (lattices, slices and implicit shapes are not read)", path=path)
    if not np.isfinite(joined).all():
        raise InputError("a vertex is NaN or infinite", path=path)
    return joined, np.concatenate(faces)


def _parts(archive: zipfile.ZipFile, bounds: _Bounds) -> tuple[str, dict[str, _Part]]:
    """The name of the part that builds, and all parts that it needs."""
    root = _root(archive)
    parts: dict[str, _Part] = {}
    wanted = [root]
    while wanted:
        name = wanted.pop()
        if name in parts:
            continue
        parts[name] = part = _Part(name, bounds)
        with open_member(archive, name) as file:
            part.parse(file)
        wanted += [each.part for owner in part.objects.values() for each in owner.components]
        wanted += [each.part for each in part.items]
    return root, parts


def _root(archive: zipfile.ZipFile) -> str:
    """The part that the archive's relations call the model."""
    found: list[str] = []

    def relation(name: str, values: Mapping[str, str]) -> None:
        if values.get("Type") == _MODEL:
            found.append(posixpath.normpath(values["Target"]).lstrip("/"))

    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler = relation
    parser.StartDoctypeDeclHandler = _refuse
    with open_member(archive, "_rels/.rels") as file:
        text = file.read(1 << 20)
    parser.Parse(text, True)
    if not found:
        raise ValueError("it names no model")
    return found[0]


def _placed(parts: Mapping[str, _Part], items: list[_Reference], bounds: _Bounds) -> list[tuple[_Object, Matrix]]:
    """Every mesh as often as it is built, with its place; what they take together is counted before it is taken."""
    found: list[tuple[_Object, Matrix]] = []
    waiting = [(item, np.eye(4), 0) for item in items]
    while waiting:
        reference, outer, depth = waiting.pop()
        if depth > _DEEPEST:
            raise ValueError("its components lie too deep in each other")
        each = parts[reference.part].objects[reference.name]
        # Also if it holds nothing: components of components without a mesh can be repeated for ever.
        bounds.take(_PER_PLACE + _PER_VERTEX * len(each.vertices) // 3 + _PER_TRIANGLE * len(each.triangles) // 3)
        if each.is_support:
            continue
        matrix = np.column_stack([reference.matrix, [0, 0, 0, 1]]) @ outer
        if each.vertices:
            found.append((each, matrix[:, :3]))
        waiting += [(component, matrix, depth + 1) for component in each.components]
    return found


def _refuse(*declared: Any) -> None:
    raise ValueError("it declares a document type, which 3MF does not allow")
