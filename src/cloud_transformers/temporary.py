"""Names for what is not whole yet, which say which process writes there.

A killed process cannot remove what it was writing; the next one that writes into the same folder does.
"""

import functools
import hashlib
import os
import platform
import re
import secrets
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path


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
