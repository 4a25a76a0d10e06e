"""Views of meshes from files: any folder of scans or CAD models becomes data for completion.

As in `views`, but an object is a file, and the depth camera has the faults of a real one.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from cloud_transformers.errors import InputError
from cloud_transformers.io.formats import format_of, mesh_suffixes
from cloud_transformers.render.mesh import Array, Mesh
from cloud_transformers.render.raster import cast
from cloud_transformers.space.frames import up_rotation
from cloud_transformers.world import objects
from cloud_transformers.world.seeds import chance, generator
from cloud_transformers.world.views import camera_on_sphere, normalized

MIN_PIXELS = 100  # of an object in a view
HELD_OUT = {0: "val", 1: "test"}  # of twenty parts, into which the names fall by their checksum


@dataclass(frozen=True, kw_only=True)
class MeshFolder:
    """A folder with a mesh in each file."""

    path: Path
    up: str | None  # the axis that points up in its files; none: as the format says, else z

    @staticmethod
    def parse(text: str) -> MeshFolder:
        """FOLDER, or FOLDER:UP, where UP is x, y, z, -x, -y or -z."""
        found = re.fullmatch(r"(.+):(-?[xyz])", text)
        folder, up = (found[1], found[2]) if found else (text, None)
        if not Path(folder).is_dir():
            raise InputError(f"{folder}: is no folder; name one with a mesh in each file, or FOLDER:y if y points up")
        return MeshFolder(path=Path(folder), up=up)

    @staticmethod
    def by_name(texts: Sequence[str]) -> dict[str, MeshFolder]:
        """Folders, as `parse` takes them, by their own names, which become those of categories."""
        folders = {folder.path.resolve().name: folder for folder in map(MeshFolder.parse, texts)}
        if len(folders) < len(texts):
            raise InputError(
                "two folders of meshes have the same name, which becomes that of their category; rename one"
            )
        return folders

    def identifier(self, path: Path) -> str:
        """What one of its files is called, and split by."""
        return "-".join(path.relative_to(self.path).with_suffix("").parts)

    def files(self) -> list[Path]:
        """All mesh files below the folder, sorted."""
        suffixes = mesh_suffixes()
        found = sorted(path for path in self.path.rglob("*") if path.suffix.lower() in suffixes and path.is_file())
        if not found:
            raise InputError(f"{self.path}: holds no mesh; looked for {', '.join(suffixes)}")
        return found

    def up_of(self, path: Path) -> str:
        """The axis that points up in one of its files."""
        return self.up or format_of(path).up or "z"

    def read(self, path: Path) -> Mesh:
        """Grey, z up, centred on its box, whose diagonal becomes 1."""
        vertices, faces = format_of(path).code.read_faces(path)
        if not len(faces):
            raise InputError("has points but no faces, so nothing can be seen of it; leave it out", path=path)
        turn = up_rotation(self.up_of(path), "z")
        return normalized(Mesh(vertices @ turn.T, faces, np.full((len(faces), 3), 0.5)))


def split_of(name: str) -> str:
    """ "train", "val" or "test", by a name alone: a file stays where it is when others come or go."""
    return HELD_OUT.get(zlib.crc32(name.encode()) % 20, "train")


def complete(mesh: Mesh, seed: int, number: int, num_points: int = 16384) -> Array:
    """The whole surface: float32 [num_points, 3], y up."""
    points, _ = mesh.sample(num_points, generator("mesh complete", seed, number))
    return objects.y_up(points).astype(np.float32)


def partial(mesh: Mesh, seed: int, number: int, view: int, max_points: int = 2048) -> Array:
    """What a depth camera sees of the mesh: float32 [n, 3], n at most `max_points`, y up.

    Its depths are rounded and noisy, more so farther away, in three of four views; in half of these some pixels at
    edges lie between what is before and what is behind, and patches are missing. InputError if nothing can be seen.
    """
    rng = generator("mesh view", seed, number, view)
    for _ in range(20):
        camera = camera_on_sphere(rng, -15, 60, rng.uniform(1.2, 2.4), 50.0, 208)
        hits = cast(mesh, camera)
        if (hits.face >= 0).sum() >= MIN_PIXELS:
            break  # flat things show nothing of themselves from the side
    else:
        raise InputError(f"next to nothing can be seen of it from 20 sides ({len(mesh.faces)} faces); leave it out")
    seen, depth = hits.face >= 0, np.where(hits.face >= 0, hits.depth, 0.0)
    if chance(rng, 0.75):
        depth = depth + rng.normal(0, 10 ** rng.uniform(-4, -2.3), depth.shape) * (depth / 1.5) ** 2
        step = 10 ** rng.uniform(-3.5, -2.2)
        depth = np.round(depth / step) * step
        if chance(rng, 0.5):
            depth = _flying(depth, seen, rng)
            seen = seen & _kept(seen.shape, rng)
    points = camera.points(depth)[seen]
    chosen = rng.permutation(len(points))[:max_points]
    return objects.y_up(points[chosen]).astype(np.float32)


def _flying(depth: Array, seen: Array, rng: np.random.Generator) -> Array:
    """Some pixels take a depth between their own and their right neighbour's, as where a ray meets an edge."""
    beside = np.roll(depth, -1, axis=1)
    mixed = (rng.random(depth.shape) < 0.2) & seen & np.roll(seen, -1, axis=1)
    share = rng.random(depth.shape)
    return np.where(mixed, share * depth + (1 - share) * beside, depth)


def _kept(shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    """False in up to four round holes, as dark or shiny patches leave them."""
    row, column = np.indices(shape)
    kept = np.ones(shape, bool)
    for _ in range(rng.integers(5)):
        middle, radius = rng.uniform(0, shape[0], 2), rng.uniform(2, 9)
        kept &= np.hypot(row - middle[0], column - middle[1]) > radius
    return kept
