"""A scene's file, read again and again in parts of one size; formats that cannot come in parts must fit into memory.

The size of the parts is fixed. A file's offset is chosen by the first part, and coordinates are rounded relative to
it, so another size for another memory budget would be another scene, if only in the last bit.
"""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from cloud_transformers import io
from cloud_transformers.cloud import PointCloud
from cloud_transformers.errors import InputError
from cloud_transformers.predict.scene.settings import Budget

PART = 1 << 19


class Source:
    """`options` are those of `io.read`."""

    def __init__(self, path: Path, options: Mapping[str, Any], budget: Budget) -> None:
        self.path, self.options = path, dict(options)
        io.format_of(path)
        self.is_mesh = io.FORMATS[path.suffix.lower()] == "mesh" or options.get("sample") is not None
        self.whole: PointCloud | None = None
        at_once = _bytes_at_once(path, self.is_mesh)
        if at_once > budget.free:
            raise InputError(
                f"{path}: a {path.suffix} file cannot be read in parts, and this one takes about "
                f"{at_once / 2**30:.1f} GB at once; give more --memory, or convert it to .las or .ply first"
            )

    def parts(self) -> Iterator[PointCloud]:
        """At least one, all with one offset; empty ones are possible."""
        if self.is_mesh or self.options.get("vertices"):
            self.whole = self.read() if self.whole is None else self.whole
            for start in range(0, max(len(self.whole), 1), PART):
                yield self.whole.select(slice(start, start + PART))
            return
        chosen = {name: self.options[name] for name in _IN_CHUNKS if name in self.options}
        yield from io.read_chunks(self.path, PART, **chosen)

    def read(self) -> PointCloud:
        return self.whole if self.whole is not None else io.read(self.path, **self.options)

    def content(self) -> str:
        """A hash of the file's bytes."""
        digest = hashlib.blake2b(digest_size=16)
        with self.path.open("rb") as file:
            while block := file.read(1 << 22):
                digest.update(block)
        return digest.hexdigest()


_IN_CHUNKS = ("columns", "positions", "drop", "non_finite")


def _bytes_at_once(path: Path, is_mesh: bool) -> int:
    """What a file takes that is in memory as a whole while it is read, about."""
    if not path.is_file():
        return 0
    if path.suffix.lower() == ".npz" and zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            return sum(entry.file_size for entry in archive.infolist())
    if path.suffix.lower() == ".pcd":
        with path.open("rb") as file:
            compressed = b"DATA binary_compressed" in file.read(1 << 14)
        return 3 * path.stat().st_size if compressed else 0
    return 5 * path.stat().st_size if is_mesh else 0
