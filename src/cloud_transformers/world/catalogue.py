"""Furniture from files: rooms furnished with meshes of the user's, CAD models or scans of things.

A folder of meshes says in `names.toml` which file is what, by patterns of file names without suffix; the first that
fits counts, and a file that none fits is left out:

    [names]
    "*arm*chair*" = "armchair"
    "*chair*" = "chair"

`Catalogue` is then the stock that a room is furnished from, see `plan.Stock`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from cloud_transformers.decoding import parse_toml
from cloud_transformers.errors import InputError
from cloud_transformers.io.extras import as_input_error, need
from cloud_transformers.io.limits import MAX_EXPAND
from cloud_transformers.io.mesh import checked_bytes
from cloud_transformers.io.mesh_checks import CHECKS
from cloud_transformers.render.mesh import Mesh
from cloud_transformers.space.frames import up_rotation
from cloud_transformers.world import palette
from cloud_transformers.world.mesh_views import MeshFolder
from cloud_transformers.world.seeds import chance, pick

TABLE = "names.toml"
SHARE = 0.65  # of the furniture that the catalogue has is taken from it, the rest is built
LARGEST = 4.0  # metres; what is larger is no furniture, or not in metres

# What rooms ask for, and what a file may be called in the table.
NAMES = (
    "armchair", "bathtub", "bed", "bookcase", "cabinet", "chair", "coffee table", "desk", "display", "night stand",
    "office chair", "refrigerator", "sink", "small thing", "sofa", "table", "toilet", "tv stand", "wardrobe",
)  # fmt: skip


@dataclass(frozen=True)
class Catalogue:
    """The meshes of some folders, each given as FOLDER or as FOLDER:UP, UP being the axis that points up in its files.

    In the files' coordinates lengths are metres, and things face +z if y points up, and -y if z does.
    """

    folders: tuple[str, ...]
    share: float = SHARE
    files: dict[str, list[tuple[Path, str]]] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        found: dict[str, list[tuple[Path, str]]] = {}
        for text in self.folders:
            folder = MeshFolder.parse(text)
            for path, name in _named_files(folder.path):
                found.setdefault(name, []).append((path, folder.up_of(path)))
        object.__setattr__(self, "files", found)

    def __call__(
        self, name: str, builder: Callable[[np.random.Generator], Mesh], rng: np.random.Generator
    ) -> Mesh:  # fmt: skip
        """A piece from the files, somewhat stretched and often in other colours; or built, as without a catalogue."""
        files = self.files.get(name)
        if files is None or not chance(rng, self.share):
            return builder(rng)
        mesh = read_mesh(*pick(rng, files)).scaled(rng.uniform(0.9, 1.1, 3))
        return _repainted(mesh, rng) if chance(rng, 0.5) else mesh


def _named_files(folder: Path) -> list[tuple[Path, str]]:
    """The files that the folder's table has a name for, in the order of their paths."""
    patterns = _read_table(folder)
    found = []
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower().lstrip(".") in ("ply", *CHECKS) and path.is_file():
            name = next((name for pattern, name in patterns.items() if fnmatchcase(path.stem, pattern)), None)
            if name:
                found.append((path, name))
    if not found:
        raise InputError(f"holds no mesh that its {TABLE} has a name for", path=folder)
    return found


def _read_table(folder: Path) -> dict[str, str]:
    path = folder / TABLE
    if not path.is_file():
        raise InputError(
            f'no such file; write into it which mesh is what, such as [names] and \'"*chair*" = "chair"\'; '
            f"names are {', '.join(NAMES)}",
            path=path,
        )
    table: Any = parse_toml(path.read_bytes(), path).get("names")
    if not isinstance(table, dict) or not table:
        raise InputError("has no table [names]", path=path)
    for pattern, name in table.items():
        if name not in (*NAMES, ""):
            raise InputError(f"{pattern!r} is called {name!r}; names are {', '.join(NAMES)}", path=path)
    return table


@cache
def read_mesh(path: Path, up: str) -> Mesh:
    """As `read_colored`, and small enough to stand in a room."""
    mesh = read_colored(path, up)
    if not 0 < float(mesh.bounds()[1].max()) < LARGEST:
        raise InputError(f"is {mesh.bounds()[1].max():g} m large; furniture must be in metres", path=path)
    return mesh


def read_colored(path: Path, up: str) -> Mesh:
    """A mesh of a file with the colours of its faces or vertices, grey without them; z up, facing -y, on z = 0."""
    kind = path.suffix.lower().lstrip(".")
    trimesh = need("trimesh", path)
    data = checked_bytes(path, kind, MAX_EXPAND)
    with as_input_error(path, f"parsing the {kind} mesh"):
        # The bytes alone, and no materials: neither other files nor pictures inside, in any format, are opened.
        loaded = trimesh.load(BytesIO(data), file_type=kind, process=False, force="mesh", skip_materials=True)
        vertices, faces = np.asarray(loaded.vertices, np.float64), np.asarray(loaded.faces, np.int64)
        color = np.full((len(faces), 3), 0.6)
        if loaded.visual.kind in ("face", "vertex"):
            color = np.asarray(loaded.visual.face_colors, np.float64)[:, :3] / 255
    if not len(faces):
        raise InputError("has no faces", path=path)
    return Mesh(vertices @ up_rotation(up, "z").T, faces, color).grounded()


def _repainted(mesh: Mesh, rng: np.random.Generator) -> Mesh:
    """Light and dark stay where they were, in shades of another colour."""
    color = pick(rng, [palette.wood, palette.fabric, palette.plastic])(rng)
    brightness = mesh.color.mean(axis=1, keepdims=True)
    return replace(mesh, color=np.clip(color * (0.5 + brightness), 0, 1))
