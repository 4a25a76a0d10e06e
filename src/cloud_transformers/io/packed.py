"""Files inside other files: gzip around one file, and zip archives with one file in them that can be read.

What is inside is unpacked to a temporary file for as long as it is read: most readers go to and fro in a file.
"""

from __future__ import annotations

import gzip
import zipfile
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from cloud_transformers.errors import InputError
from cloud_transformers.io.extras import as_input_error
from cloud_transformers.io.limits import MAX_EXPAND, inside_of, most_bytes, too_large
from cloud_transformers.temporary import scratch

SUFFIXES = (".gz", ".zip")
# What a line of text takes in memory, however short it is: a point; or a face, and what is made to draw points on it.
_BYTES_PER_LINE, _BYTES_PER_FACE = 64, 200


def is_packed(path: Path) -> bool:
    return path.suffix.lower() in SUFFIXES


def inner_name(path: Path, known: Collection[str]) -> str:
    """The name of what is packed in a file; `known` are suffixes that can be read."""
    if path.suffix.lower() == ".gz":
        return path.stem
    with as_input_error(path, "unpacking it"), zipfile.ZipFile(path) as archive:
        names = [name for name in archive.namelist() if Path(name).suffix.lower() in known and not _is_system(name)]
    if len(names) != 1:
        listed = f" ({', '.join(names[:6])})" if names else ""
        raise InputError(f"holds {len(names)} files that can be read{listed}; unpack it", path=path)
    return names[0]


def _is_system(name: str) -> bool:
    """What macOS adds to archives for itself: a file like any other by its suffix."""
    return name.startswith("__MACOSX/") or Path(name).name.startswith("._")


@contextmanager
def unpacked(path: Path, known: Mapping[str, Any], max_expand: float = MAX_EXPAND) -> Iterator[Path]:
    """The file itself or, if it is packed, what is inside; errors about that name the file that was given.

    What is inside may take `max_expand` times the size of what it is packed in, on disk and in memory. `known` are the
    formats by their suffixes.
    """
    if not is_packed(path):
        yield path
        return
    name = inner_name(path, known)
    with scratch() as folder:
        inside = folder / f"inside{Path(name).suffix.lower()}"  # not a name of the archive's: it may be any text
        is_cloud = known[inside.suffix.lower()].holds_points
        per_line = _BYTES_PER_LINE if is_cloud else _BYTES_PER_FACE
        with as_input_error(path, "unpacking it"), _open(path, name) as packed, inside.open("wb") as file:
            left = most_bytes(path, max_expand)
            while part := packed.read(1 << 20):
                left -= len(part) + per_line * part.count(b"\n")
                if left < 0:  # what a header declares may be a lie: the bytes themselves are counted
                    raise too_large(path, max_expand, "takes too much when it is unpacked")
                file.write(part)
        try:
            with inside_of(path, inside):
                yield inside
        except InputError as error:
            if error.path != str(inside):
                raise
            raise InputError(error.text, path=path, place=error.place) from error


@contextmanager
def _open(path: Path, name: str) -> Iterator[Any]:
    if path.suffix.lower() == ".gz":
        with gzip.open(path) as file:
            yield file
    else:
        with zipfile.ZipFile(path) as archive, open_member(archive, name) as member:
            yield member


def open_member(archive: zipfile.ZipFile, name: str) -> IO[bytes]:
    """A member of an archive to read from, piece by piece; Python would unpack others than deflated ones at once."""
    info = archive.getinfo(name)
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) or info.flag_bits & 1:
        raise ValueError(f"{name} is encrypted or not compressed in the usual way (deflate)")
    return archive.open(info)
