"""A file behind a URL that is read in ranges, each of the same version of it."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from cloud_transformers.errors import InputError
from cloud_transformers.remote.complaints import explained

if TYPE_CHECKING:
    from cloud_transformers.remote.url import Url

HEADER_BYTES = 1 << 16  # fetched at once where nobody says how much will be read
failures: dict[Url, InputError] = {}  # what went wrong while a library read; some hide it behind words of their own
_BLOCKS = 4  # of those that are read one after the other, kept at once; the next is fetched by another thread


def open_ranges(url: Url, buffering: int = -1) -> BinaryIO:
    """A file that fetches at least `buffering` bytes at a time: few for a header, many for all points."""
    system = url.files
    with explained(url):
        if url.scheme == "memory":
            return io.BytesIO(system.cat_file(url.address))
        if buffering <= 0:
            cache: dict[str, Any] = {"cache_type": "readahead", "block_size": HEADER_BYTES}
        else:
            options = {"maxblocks": _BLOCKS}
            cache = {"cache_type": "background", "block_size": buffering, "cache_options": options}
        if not url.system.lists:
            # A server that keeps to this answers 412 once the file is another; s3fs does the same by itself.
            found = system.info(url.address)
            version, since = found.get("ETag"), found.get("Last-Modified")
            if version and not version.startswith("W/"):
                cache["headers"] = {"If-Match": version}
            elif since:
                cache["headers"] = {"If-Unmodified-Since": since}
            cache["size"] = found.get("size")
        file = system.open(url.address, "rb", **cache)
    if file.size is None:
        file.close()
        raise io.UnsupportedOperation("no ranges")
    return cast(BinaryIO, io.BufferedReader(_Explained(url, file), HEADER_BYTES))


class _Explained(io.RawIOBase):
    """fsspec's file, whose complaints name the URL."""

    def __init__(self, url: Url, file: Any) -> None:
        self.url, self.file = url, file

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return int(self.file.tell())

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        return int(self.file.seek(max(offset, 0) if whence == io.SEEK_SET else offset, whence))

    def readinto(self, buffer: Any) -> int:
        try:
            with explained(self.url):
                part = self._read(len(buffer))
        except InputError as error:
            failures[self.url] = error
            raise
        if part is None:
            raise io.UnsupportedOperation("no ranges")
        buffer[: len(part)] = part
        return len(part)

    def _read(self, size: int) -> bytes | None:
        try:
            part: bytes = self.file.read(size)
        except ValueError:  # fsspec's word for a web server that sends all where a part was asked for
            return None
        return part

    def close(self) -> None:
        if not self.closed:
            self.file.close()
        super().close()
