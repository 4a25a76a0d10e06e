"""A scene's file, read again and again in parts of one size; formats that cannot come in parts must fit into memory.

The size of the parts is fixed. A file's offset is chosen by the first part, and coordinates are rounded relative to
it, so another size for another memory budget would be another scene, if only in the last bit.
"""

from __future__ import annotations

import hashlib
from collections.abc import Generator, Mapping
from pathlib import Path
from typing import Any

from cloud_transformers import io
from cloud_transformers.cloud import PointCloud
from cloud_transformers.errors import InputError
from cloud_transformers.predict.scene.ahead import ahead
from cloud_transformers.predict.scene.budget import Budget

PART = 1 << 19
MESH_POINTS = 1_000_000


class SceneFile:
    """`options` are those of `io.read_chunks`; on a mesh, `mesh_points` are drawn by area.

    Points with a NaN or infinite coordinate are left out, unless the options say otherwise.
    """

    def __init__(
        self, path: Path, options: Mapping[str, Any], budget: Budget, *, mesh_points: int = MESH_POINTS, seed: int = 0
    ) -> None:
        self.path, self.options = path, {"non_finite": "drop", **options}
        self.mesh_points, self.seed = mesh_points, seed
        self.is_mesh = io.is_mesh(path)
        self.whole: PointCloud | None = None
        at_once = io.format_of(path).bytes_at_once(path)
        if at_once > budget.free:
            raise InputError(
                f"{path}: such a file cannot be read in parts, and this one takes about {at_once / 2**30:.1f} GB at "
                "once; give more --memory, or convert it to .las or .ply first"
            )

    def parts(self) -> Generator[PointCloud, None, None]:
        """At least one, all with one offset; empty ones are possible. The next is read while one is used."""
        if not self.is_mesh:
            yield from ahead(io.read_chunks(self.path, PART, **self.options))
            return
        whole = self.read()
        for start in range(0, max(len(whole), 1), PART):
            yield whole.select(slice(start, start + PART))

    def read(self) -> PointCloud:
        if not self.is_mesh:
            return io.read(self.path, **self.options)
        if self.whole is None:
            self.whole = io.read_shape(self.path, self.mesh_points, seed=self.seed)
        return self.whole


def content_of(path: Path) -> str:
    """A hash of a file's bytes."""
    digest = hashlib.blake2b(digest_size=16)
    with path.open("rb") as file:
        while block := file.read(1 << 22):
            digest.update(block)
    return digest.hexdigest()
