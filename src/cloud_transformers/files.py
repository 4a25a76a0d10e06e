"""Files and folders that appear whole or not at all.

They are written under a temporary name, which says which process writes there. A killed process cannot remove what it
was writing; the next one that writes into the same folder does.
"""

import functools
import hashlib
import os
import platform
import re
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from cloud_transformers.errors import InputError


@contextmanager
def whole_file(path: str | Path) -> Iterator[Path]:
    """A path beside the wanted one to write to; it takes its place when the block ends without an error.

    The temporary file keeps the suffix, since some libraries choose the format by it, and is removed on any error, an
    interrupt included.
    """
    path = Path(path)
    if not path.parent.is_dir():
        raise InputError(f"the folder {path.parent} does not exist; create it first", path=path)
    if path.is_dir():
        raise InputError(f"{path} is a folder; name a file")
    temporary = temporary_path(path)
    try:
        with naming(path, instead=temporary):
            yield temporary
            temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def new_folder(out: Path) -> Iterator[Path]:
    """A temporary folder that becomes `out` if all goes well and vanishes if not. `out` must be absent or empty."""
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise InputError("exists and is not an empty folder; name another one or remove it", path=out)
    out.parent.mkdir(parents=True, exist_ok=True)
    temporary = temporary_folder(out)
    try:
        with naming(out):
            yield temporary
        open_to_all(temporary)
        if out.is_dir():
            out.rmdir()
        temporary.rename(out)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def temporary_path(path: Path) -> Path:
    """A name beside this one, with its suffix, for what is not whole yet."""
    _remove_leftovers(path.parent)
    return path.with_name(f".{path.stem}.{_writer()}-{secrets.token_hex(4)}{path.suffix}")


def temporary_folder(path: Path) -> Path:
    """A new folder beside this path, for this user alone."""
    _remove_leftovers(path.parent)
    return Path(tempfile.mkdtemp(prefix=f".{path.name}.{_writer()}-", dir=path.parent))


@functools.cache
def _place() -> str:
    """Where process numbers count: a machine or, in a container, what it sees of one."""
    try:
        numbers = os.readlink("/proc/self/ns/pid")
    except OSError:
        numbers = ""
    return hashlib.blake2b(f"{platform.node()} {numbers}".encode(), digest_size=2).hexdigest()


def _writer() -> str:
    return f"{_place()}-{os.getpid()}"


_LEFTOVER = re.compile(r"\..+\.([0-9a-f]{4})-(\d+)-\w{8}(\.\w+)?", re.ASCII)
_swept: set[Path] = set()  # folders that this process has looked through


def _remove_leftovers(folder: Path) -> None:
    """Remove what processes that are no more have left in a folder, once per process: folders may be large."""
    folder = folder.absolute()
    if folder in _swept:
        return
    _swept.add(folder)
    with suppress(OSError):
        for entry in os.scandir(folder):
            found = _LEFTOVER.fullmatch(entry.name) if entry.name.startswith(".") else None
            if found is not None and found[1] == _place() and not _is_running(int(found[2])):
                path = Path(entry.path)
                if entry.is_dir(follow_symlinks=False):
                    shutil.rmtree(path, ignore_errors=True)
                else:
                    path.unlink(missing_ok=True)


def _is_running(process: int) -> bool:
    import psutil

    return bool(psutil.pid_exists(process))


def is_fresh(folder: Path) -> bool:
    """Whether nothing is in a folder but what is hidden, such as a lock or what a killed process was writing."""
    return all(each.name.startswith(".") for each in folder.iterdir())


def open_to_all(folder: Path) -> None:
    """mkdtemp's folder is for its owner alone; the result is for whom the user's umask allows."""
    mask = os.umask(0)
    os.umask(mask)
    folder.chmod(0o777 & ~mask)


@contextmanager
def naming(path: str | Path, *, instead: Path | None = None) -> Iterator[None]:
    """Gives the system's complaints that name no file, as that of a full disk, the name of what was being written.

    Those about `instead`, which means nothing to a user, get it too.
    """
    try:
        yield
    except OSError as error:
        if error.errno is None and re.fullmatch(r"\d+ requested and \d+ written", str(error)):  # numpy's own words
            raise InputError("could not be written whole, the disk may be full", path=path) from error
        if error.errno is not None and error.filename in (None, instead and str(instead)):
            error.filename = str(path)
        raise
