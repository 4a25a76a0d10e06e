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
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from cloud_transformers import io
from cloud_transformers.cloud import PointCloud
from cloud_transformers.errors import InputError
from cloud_transformers.io.limits import MAX_EXPAND
from cloud_transformers.predict.scene.ahead import ahead
from cloud_transformers.predict.scene.budget import Budget
from cloud_transformers.remote import as_url, at_hand

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
        self.max_expand = self.options.get("max_expand", MAX_EXPAND)
        self.is_mesh = io.is_mesh(path, self.max_expand)
        self.whole: PointCloud | None = None
        self._state = _state_of(path)
        self.content = content_of(path)
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
            with self._unchanged():
                yield from ahead(io.read_chunks(self.path, PART, **self.options))
            return
        whole = self.read()
        for start in range(0, max(len(whole), 1), PART):
            yield whole.select(slice(start, start + PART))

    def read(self) -> PointCloud:
        with self._unchanged():
            if not self.is_mesh:
                return io.read(self.path, **self.options)
            if self.whole is None:
                self.whole = io.read_shape(self.path, self.mesh_points, seed=self.seed, max_expand=self.max_expand)
            return self.whole

    @contextmanager
    def _unchanged(self) -> Iterator[None]:
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


def content_of(path: Path) -> str:
    """A hash of a file's bytes, or of what a server calls this version of them."""
    digest = hashlib.blake2b(digest_size=16)
    url = as_url(path)
    if url is not None and (version := (status := url.stat()).st_ino):
        digest.update(f"{url} {version} {status.st_size}".encode())
        return digest.hexdigest()
    with at_hand(path) as near, near.open("rb") as file:
        while block := file.read(1 << 22):
            digest.update(block)
    return digest.hexdigest()
