"""A URL with the methods of a `Path` that readers, writers and verbs ask of one.

It is no subclass of `Path`, whose methods would quietly look on the local disk; `located` passes one where a `Path` is
expected, so that thirty readers and a dozen verbs need no second way. What cannot be done with a URL is a sentence
(`__fspath__`), never a file called "s3:".
"""

from __future__ import annotations

import errno
import io
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from email.utils import parsedate_to_datetime
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO, NamedTuple, cast
from urllib.parse import urlsplit
from urllib.request import url2pathname

from cloud_transformers.errors import InputError
from cloud_transformers.remote.complaints import explained, is_missing
from cloud_transformers.remote.ranges import open_ranges
from cloud_transformers.remote.systems import SYSTEMS, System, file_system

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+)://")
_MAGIC = re.compile(r"[*?[]")


class Status(NamedTuple):
    """What `Path.stat` would say; two versions of an object differ in it."""

    st_size: int
    st_mtime_ns: int
    st_ino: str  # the version: what tells one file from another of the same name
    st_dev: str = ""
    st_ctime_ns: int = 0
    st_mode: int = 0o100444  # a regular file


@dataclass(frozen=True, order=True)
class Url:
    """A file or folder behind a URL. As text it shows neither user, password nor query, which may be a signature."""

    scheme: str
    place: str  # the bucket, or the host and port
    key: str  # without slashes at its ends
    is_folder: bool = False  # was written with a slash at its end
    user: str = ""  # "name:password@"
    query: str = ""  # "?signature=..."
    is_listed: bool = False  # a server has just told of it

    def __str__(self) -> str:
        return f"{self._place()}{self.key}{'/' * (self.is_folder and bool(self.key))}{'?...' if self.query else ''}"

    __repr__ = __str__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Url) and self.address == other.address

    def __hash__(self) -> int:
        return hash(self.address)

    def __fspath__(self) -> str:
        raise InputError("this works on local files only; copy it to a disk, or mount what it is on", path=self)

    def _place(self, user: str = "") -> str:
        return f"{self.scheme}://{user}{self.place}/" if self.place else f"{self.scheme}://"

    @property
    def address(self) -> str:
        """All of it, secrets included."""
        return f"{self._place(self.user)}{self.key}{self.query}"

    @property
    def system(self) -> System:
        return SYSTEMS[self.scheme]

    @property
    def files(self) -> Any:
        """fsspec's file system."""
        return file_system(self.scheme, self, encoded=self.address.isascii() and " " not in self.address)

    # Names, as those of a Path.
    @property
    def name(self) -> str:
        return self.key.rpartition("/")[2]

    @property
    def local_name(self) -> str:
        """A name for a copy that any disk takes, with the same suffix."""
        return re.sub(r"[^\w.-]", "_", self.name)[-100:].lstrip(".") or "file"

    @property
    def suffix(self) -> str:
        return PurePosixPath(self.name).suffix

    @property
    def stem(self) -> str:
        return PurePosixPath(self.name).stem

    @property
    def parent(self) -> Url:
        return replace(self, key=self.key.rpartition("/")[0], is_folder=True, query="", is_listed=False)

    @property
    def parents(self) -> list[Url]:
        parts = self.key.split("/")[:-1]
        return [replace(self.parent, key="/".join(parts[:count])) for count in range(len(parts), -1, -1)]

    def __truediv__(self, name: str | os.PathLike[str]) -> Url:
        below = PurePosixPath(name).as_posix() if isinstance(name, str) else Path(name).as_posix()
        return replace(self, key=f"{self.key}/{below}".lstrip("/"), is_folder=False, query="", is_listed=False)

    def with_name(self, name: str) -> Url:
        return self.parent / name

    def with_suffix(self, suffix: str) -> Url:
        return self.parent / f"{self.stem}{suffix}"

    def relative_to(self, other: Url) -> Path:
        return Path(PurePosixPath(self.key).relative_to(other.key))

    def resolve(self) -> Url:
        return self

    # What is there.
    def details(self) -> dict[str, Any]:
        """What the server says of it now. FileNotFoundError if it is not there; InputError for what else is wrong."""
        try:
            found: dict[str, Any] = self.files.info(self.address)
        except OSError as error:
            if is_missing(error):
                raise FileNotFoundError(str(self)) from None
            with explained(self):
                raise
        except Exception:
            with explained(self):
                raise
        return found

    def stat(self) -> Status:
        try:
            found = self.details()
        except FileNotFoundError:
            raise FileNotFoundError(errno.ENOENT, "there is no such file", str(self)) from None
        if found.get("type") == "directory":
            raise InputError("is a folder; name a file in it", path=self)
        return status_of(found)

    def exists(self) -> bool:
        try:
            self.details()
        except FileNotFoundError:
            return False
        return True

    def is_file(self) -> bool:
        return self.is_listed or self._type() == "file"

    def is_dir(self) -> bool:
        if self.is_folder or not self.system.lists:
            return self.is_folder
        return self._type() == "directory"

    def _type(self) -> str:
        try:
            return str(self.details().get("type"))
        except FileNotFoundError:
            return ""

    def mkdir(self, **options: Any) -> None:
        """A folder is there as soon as something is in it."""

    def rglob(self, pattern: str) -> Iterator[Url]:
        """All files below a folder; the pattern is always "*"."""
        self._require_listing()
        with explained(self, "listed"):
            try:
                found = self.files.find(self.address)
            except FileNotFoundError as error:
                if not is_missing(error):
                    raise
                found = []
        yield from self._listed(found)

    def glob_whole(self) -> tuple[Url, list[Url]]:
        """For a URL that is a pattern: the folder below which it looks, and the files that it means."""
        self._require_listing()
        fixed = self
        while _MAGIC.search(fixed.key):
            fixed = fixed.parent
        with explained(self, "listed"):
            found = self.files.glob(self.address, detail=True)
        return fixed, sorted(self._listed(name for name, each in found.items() if each["type"] == "file"))

    def _listed(self, names: Iterable[str]) -> Iterator[Url]:
        """Urls of what fsspec calls "bucket/folder/file", but for keys that would lead out of a folder on a disk."""
        for name in names:
            key = name.removeprefix(f"{self.place}/") if self.place else name.lstrip("/")
            if _is_tame(key):
                yield replace(self, key=key, is_folder=False, query="", is_listed=True)

    def _require_listing(self) -> None:
        if not self.system.lists:
            raise InputError("a web server does not list what it has; name the files one by one", path=self)

    def open(self, mode: str = "rb", buffering: int = -1) -> BinaryIO:
        """A file that is read in ranges of at least `buffering` bytes."""
        assert mode == "rb", "what goes to a URL is written by files.whole_file"
        return open_ranges(self, buffering)

    def reads_ranges(self, least: int) -> bool:
        """Whether parts of it can be had, all of one version, and it has at least so many bytes. Asks the server."""
        try:
            status = status_of(self.details())
            if status.st_size < least or not status.st_ino:
                return False
            with self.open("rb") as file:
                file.seek(1)
                return len(file.read(1)) == 1
        except (FileNotFoundError, io.UnsupportedOperation):
            return False


def _is_tame(key: str) -> bool:
    """Whether a key is a path below a folder, on any system: others may put any text there."""
    wild = "\\\0" if os.name != "nt" else "\\\0:"
    return not any(part in ("", ".", "..") or any(mark in part for mark in wild) for part in key.split("/"))


def status_of(found: dict[str, Any]) -> Status:
    """What fsspec's `info` says, in one form for all servers."""
    modified = found.get("LastModified") or found.get("Last-Modified") or found.get("updated") or found.get("created")
    version = found.get("ETag") or found.get("etag") or modified
    seconds = 0.0
    if isinstance(modified, str):
        try:
            seconds = parsedate_to_datetime(modified).timestamp()
        except (ValueError, OverflowError):
            seconds = 0.0
    elif modified is not None:
        seconds = modified.timestamp()
    return Status(int(found.get("size") or 0), int(seconds * 1e9), str(version or ""))


def is_url(text: object) -> bool:
    """Whether it is text that begins as a URL does, or a `Url`."""
    return isinstance(text, Url) or (isinstance(text, str) and _SCHEME.match(text) is not None)


def as_url(path: object) -> Url | None:
    """The `Url` that passes for a `Path`, or None if it is a path indeed."""
    return path if isinstance(path, Url) else None


def located(name: str | os.PathLike[str]) -> Path:
    """Where something is that a user has named: a `Path`, or a `Url` in its place.

    InputError for schemes that are not known, or a URL that names nothing.
    """
    if isinstance(name, Url):
        return cast(Path, name)
    if not isinstance(name, str) or (found := _SCHEME.match(name)) is None:
        return Path(name)
    scheme = found[1].lower()
    if scheme == "file":
        return _local(name)
    if scheme not in SYSTEMS:
        raise InputError(
            f"{found[0]}... is not known; there are file, {', '.join(SYSTEMS)}, each followed by ://, and paths"
        )
    return cast(Path, _parsed(scheme, name))


def _parsed(scheme: str, text: str) -> Url:
    rest = text[len(scheme) + 3 :]
    query = ""
    if not SYSTEMS[scheme].lists:  # elsewhere these characters are parts of names
        rest = rest.partition("#")[0]
        rest, mark, query = rest.partition("?")
        query = mark + query
    place, _, key = rest.partition("/") if scheme != "memory" else ("", "", rest)
    user, at, place = place.rpartition("@")
    url = Url(scheme, place, key.strip("/"), is_folder=key.endswith("/") or not key, user=user + at, query=query)
    if user and scheme not in ("http", "https"):
        raise InputError("credentials do not belong into the URL; put them into your configuration", path=url)
    if scheme != "memory" and not place:
        raise InputError(f"{scheme}:// must be followed by {'a host' if query or not url.system.lists else 'a bucket'}")
    if not url.system.lists:
        _check_host(url)
    if "::" in url.key or ("::" in place and not place.startswith("[")):  # as addresses of hosts may be written
        raise InputError("chains of URLs (::) are not followed; name the file itself", path=url)
    return url


def _check_host(url: Url) -> None:
    """InputError for a host or a port that cannot be one; libraries would call it a file that is not there."""
    try:
        port = urlsplit(f"//{url.place}").port
    except ValueError:
        port = 0
    if port == 0:
        raise InputError("is no URL that could be asked for; look at its host and its port", path=url)


def _local(text: str) -> Path:
    parts = urlsplit(text)
    if parts.netloc not in ("", "localhost"):
        raise InputError(f"file://{parts.netloc.rpartition('@')[2]}/...: a file of this machine is file:///folder/name")
    return Path(url2pathname(parts.path))
