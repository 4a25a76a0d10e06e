"""Local copies of what lies behind URLs: fetched when they are first needed, and removed when nobody needs them.

Most readers go to and fro in a file, and libraries open it themselves. A copy is made once per `holding`, is bounded by
what the server declares and the disk has room for, and is gone at the end of the block, after errors and Ctrl-C too;
what a killed process has left is removed by the next one (`temporary.py`).
"""

from __future__ import annotations

import shutil
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

from cloud_transformers.errors import InputError
from cloud_transformers.progress import bytes_bar
from cloud_transformers.remote.complaints import explained
from cloud_transformers.remote.ranges import failures
from cloud_transformers.remote.url import Url, as_url, located, status_of
from cloud_transformers.temporary import temporary_folder

MOST_UNDECLARED = 2 << 30  # bytes of a file whose server does not say how long it is
WORTH_RANGES = 8 << 20  # bytes; what is smaller is had sooner in one piece
_SPARE = 256 << 20  # bytes of a disk that are left free
_STEP = 8 << 20


class _Copy:
    def __init__(self) -> None:
        self.users = 0
        self.folder: Path | None = None
        self.path: Path | None = None
        self.lock = threading.Lock()


_copies: dict[Url, _Copy] = {}
_lock = threading.Lock()
_scratch: list[Path] = []


@contextmanager
def scratch_in(folder: Path) -> Iterator[None]:
    """While entered, copies and what will be sent lie below this folder and not in the system's temporary one."""
    _scratch.append(folder)
    try:
        yield
    finally:
        _scratch.remove(folder)


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """A folder for what is on its way from or to a URL; it is gone at the end."""
    folder = _new_folder()
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _new_folder() -> Path:
    return temporary_folder((_scratch[-1] if _scratch else Path(tempfile.gettempdir())) / "cloudt")


@contextmanager
def holding(path: Any) -> Iterator[None]:
    """While entered, a copy of this URL is kept for whoever needs it next. A path is what it is."""
    url = as_url(path)
    if url is None:
        yield
        return
    with _lock:
        copy = _copies.setdefault(url, _Copy())
        copy.users += 1
    try:
        yield
    finally:
        with _lock:
            copy.users -= 1
            if not copy.users:
                del _copies[url]
        if not copy.users and copy.folder is not None:
            shutil.rmtree(copy.folder, ignore_errors=True)


def held_copy(path: Any) -> Path | None:
    """The copy of a URL that somebody holds, if it was fetched already."""
    url = as_url(path)
    copy = None if url is None else _copies.get(url)
    return None if copy is None else copy.path


@contextmanager
def at_hand(path: Any, *, in_ranges: bool = False, least: int | None = None) -> Iterator[Path]:
    """A path that any reader can open. Of a URL, that is a copy; complaints about it name the URL.

    With `in_ranges` the reader takes parts of a file by `open` and `stat` alone: it gets the `Url` itself where the
    server gives parts, says which version they are of, and the file has at least so many bytes
    (by default, what makes ranges worth their questions).
    """
    url = as_url(located(path))
    if url is None:
        yield Path(path)
        return
    with holding(url):
        copy = _copies[url]
        if in_ranges and copy.path is None and url.reads_ranges(WORTH_RANGES if least is None else least):
            failures.pop(url, None)
            try:
                yield cast(Path, url)
            except InputError as error:
                raise failures.pop(url, error) from None
            return
        with copy.lock:
            if copy.path is None:
                copy.folder = copy.folder or _new_folder()
                copy.path = _fetched(url, copy.folder)
        with _renamed(copy.path, url):
            yield copy.path


@contextmanager
def _renamed(near: Path, url: Url) -> Iterator[None]:
    """Complaints about a copy are about what it is a copy of."""
    try:
        yield
    except InputError as error:
        if str(near) not in str(error):
            raise
        text = error.text.replace(str(near), str(url))
        path = None if error.path is None else error.path.replace(str(near), str(url))
        raise InputError(text, path=path, place=error.place) from error


def _fetched(url: Url, folder: Path) -> Path:
    try:
        found = url.details()
    except FileNotFoundError:
        raise InputError("there is no such file", path=url) from None
    if found.get("type") == "directory":
        raise InputError("is a folder; name a file in it", path=url)
    declared = found.get("size")
    room = shutil.disk_usage(folder).free - _SPARE
    if declared is not None and declared > room:
        raise InputError(
            f"takes {declared / 1e9:.1f} GB, and the disk of {folder.parent} has room for {max(room, 0) / 1e9:.1f} GB; "
            "name a folder on another disk in TMPDIR",
            path=url,
        )
    most = min(room, MOST_UNDECLARED) if declared is None else declared
    target, done = folder / url.local_name, 0
    with bytes_bar(f"fetching {url.name}", declared) as bar, target.open("wb") as file, _stream(url) as parts:
        while part := _next(url, parts):
            done += len(part)
            if done > most:
                raise InputError(f"its server sends more than {most:,} bytes; it was not read", path=url)
            file.write(part)
            bar.update(len(part))
    if declared is not None and done < declared:
        raise InputError(f"its server stopped after {done:,} of {declared:,} bytes; try again", path=url)
    if not url.system.lists and status_of(url.details()) != status_of(found):  # s3fs has compared every part
        raise InputError("was changed or replaced while it was being read; run it again", path=url)
    return target


@contextmanager
def _stream(url: Url) -> Iterator[Any]:
    """A file that is read once from its beginning, in one request of a web server."""
    if url.system.lists:
        with url.open("rb", buffering=_STEP) as file:
            yield file
        return
    with explained(url):
        stream = url.files.open(url.address, "rb", block_size=0)
    try:
        yield stream
    finally:
        stream.close()


def _next(url: Url, parts: Any) -> bytes:
    with explained(url):
        part: bytes = parts.read(_STEP)
    return part
