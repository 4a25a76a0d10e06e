"""A scene's file, read again and again in parts of one size; formats that cannot come in parts must fit into memory.

Between two readings the file may have been replaced, and labels of the old points must not be written beside the new
ones. So the file is identified by a hash of all its bytes, taken once before the first reading. Whether it is still the
same is asked after every reading, and costs nothing: as long as the system reports the same file with the same size and
times, of its content and of its entry (which nobody can set back), it is. Only if they differ, as after `touch`, is the
hash taken again. Behind a URL, the server's name for the version (an ETag, else the time of change) stands for the
hash: all bytes would have to be fetched for it. Where a server has no such name, the copy that was fetched counts.

The size of the parts is fixed. A file's offset is chosen by the first part, and coordinates are rounded relative to
it, so another size for another memory budget would be another scene, if only in the last bit.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cloud_transformers import io
from cloud_transformers.cloud import PointCloud
from cloud_transformers.errors import InputError
from cloud_transformers.io.limits import MAX_EXPAND
from cloud_transformers.io.packed import is_packed
from cloud_transformers.predict.scene.ahead import ahead
from cloud_transformers.predict.scene.budget import Budget
from cloud_transformers.remote import as_url, at_hand

PART = 1 << 19
MESH_POINTS = 1_000_000
BLOCK = 256 << 20  # bytes that are hashed by themselves
WORTH_HELP = 4 << 30  # bytes of a file that one process would hash longer than others take to begin


class SceneFile:
    """`options` are those of `io.read_chunks`; on a mesh, `mesh_points` are drawn by area.

    Points with a NaN or infinite coordinate are left out, unless the options say otherwise.
    """

    def __init__(
        self,
        path: Path,
        options: Mapping[str, Any],
        budget: Budget,
        *,
        mesh_points: int = MESH_POINTS,
        seed: int = 0,
        each: Each = map,  # see `content_of`
    ) -> None:
        self.path, self.options = path, {"non_finite": "drop", **options}
        self.mesh_points, self.seed = mesh_points, seed
        self.max_expand = self.options.get("max_expand", MAX_EXPAND)
        self.is_mesh = io.is_mesh(path, self.max_expand)
        self.whole: PointCloud | None = None
        self._state = _state_of(path)
        self.content = content_of(path, each)
        at_once = 0
        if not io.format_of(path).reads_ranges:
            with at_hand(path) as near:
                at_once = io.format_of(near).bytes_at_once(near)
        if at_once > budget.free:
            raise InputError(
                f"{path}: such a file cannot be read in parts, and this one takes about {at_once / 2**30:.1f} GB at "
                "once; give more --memory, or convert it to .las or .ply first"
            )

    def parts(self) -> Generator[PointCloud, None, None]:
        """At least one, all with one offset; empty ones are possible. The next is read while one is used.

        InputError after the last one if the file was changed meanwhile.
        """
        if not self.is_mesh:
            with self.unchanged():
                yield from ahead(io.read_chunks(self.path, PART, **self.options))
            return
        whole = self.read()
        for start in range(0, max(len(whole), 1), PART):
            yield whole.select(slice(start, start + PART))

    @property
    def num_rows(self) -> int | None:
        """How many points there are, where any of them can be read without those before; else None."""
        if self.is_mesh or is_packed(self.path) or not io.format_of(self.path).reads_rows:
            return None
        if as_url(self.path) is not None and not io.reads_ranges(self.path):
            return None  # every range would fetch the whole
        return io.read_summary(self.path).num_points

    def first_part(self) -> PointCloud:
        with closing(self.parts()) as parts:
            return next(parts)

    def rows(self, rows: range, offset: NDArray[np.float64]) -> Generator[PointCloud, None, None]:
        """Some of the points, in parts with an offset [3]: that of all parts.

        Other machines see another time and number of the file, so whether it was changed is for the caller to ask.
        """
        yield from ahead(io.read_rows(self.path, rows, PART, offset, **self.options))

    def read(self) -> PointCloud:
        with self.unchanged():
            if not self.is_mesh:
                return io.read(self.path, **self.options)
            if self.whole is None:
                self.whole = io.read_shape(self.path, self.mesh_points, seed=self.seed, max_expand=self.max_expand)
            return self.whole

    @contextmanager
    def unchanged(self) -> Iterator[None]:
        """Complains if the file is another one by the end; then nothing else that is wrong with it matters."""
        try:
            yield
        except InputError:
            self.require_unchanged()
            raise
        self.require_unchanged()

    def require_unchanged(self) -> None:
        """InputError if the file is no longer the one that was opened."""
        try:
            state = _state_of(self.path)
            if state == self._state:
                return
            is_same = content_of(self.path) == self.content
        except OSError:
            is_same = False
        if not is_same:
            raise self.changed()
        self._state = state

    def changed(self) -> InputError:
        return InputError(
            "was changed, replaced or removed while it was being segmented; nothing was written: run it again",
            path=self.path,
        )


def _state_of(path: Path) -> tuple[int | str, ...]:
    """What the system says of a file that differs after every change of its content."""
    status = path.stat()
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


Each = Callable[[Callable[[Any], Any], Iterable[Any]], Iterable[Any]]


@dataclass(frozen=True)
class BlockHash:
    """The hash of a block of a file, that begins at this byte."""

    path: Path

    def __call__(self, start: int) -> bytes:
        digest, left = hashlib.blake2b(digest_size=16), BLOCK
        with self.path.open("rb") as file:
            file.seek(start)
            while left and (some := file.read(min(left, 1 << 22))):
                digest.update(some)
                left -= len(some)
        return digest.digest()


def content_of(path: Path, each: Each = map) -> str:
    """A hash of a file's bytes, or of what a server calls this version of them.

    `each` calls a function for every block, in their order as `map` does, elsewhere perhaps.
    """
    digest = hashlib.blake2b(digest_size=16)
    url = as_url(path)
    if url is not None and (version := (status := url.stat()).st_ino):
        digest.update(f"{url} {version} {status.st_size}".encode())
        return digest.hexdigest()
    with at_hand(path) as near:
        size = near.stat().st_size
        blocks = each if near == path and size > WORTH_HELP else map
        for block in blocks(BlockHash(near), range(0, size, BLOCK)):
            digest.update(block)
    return digest.hexdigest()
