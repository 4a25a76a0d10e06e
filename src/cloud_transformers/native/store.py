"""Compiled libraries on disk. Loading one runs what is in it, so only what this user put there whole is loaded.

A library is trusted if it and its folder belong to the user and nobody else may write them, and if its bytes are
those whose digest was written beside it: not planted by others, not cut short by a full disk or a crash. Windows, which
has no such owners and permission bits, keeps caches in the user's own profile; there the digest alone decides.
"""

import hashlib
import os
import stat
from pathlib import Path

from cloud_transformers.files import whole_file

HAS_OWNERS = hasattr(os, "geteuid")
OTHERS_MAY_WRITE = stat.S_IWGRP | stat.S_IWOTH


def own_folder(root: Path) -> Path:
    """ROOT/native; ROOT/native-USER where that is another user's, as in a cache that several share.

    A folder of ours that others may write is closed to them first: what they put there belongs to them.
    """
    names = ("native", f"native-{os.geteuid()}") if HAS_OWNERS else ("native",)
    for folder in (root / name for name in names):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not HAS_OWNERS:
            return folder
        status = folder.stat()
        if status.st_uid == os.geteuid():
            if status.st_mode & OTHERS_MAY_WRITE:
                folder.chmod(0o700)
            return folder
    raise PermissionError(f"{folder} belongs to another user")


def is_trusted(library: Path) -> bool:
    digest = _digest_file(library)
    try:
        return _is_ours(library) and _is_ours(digest) and digest.read_text(encoding="utf-8") == _digest(library)
    except (OSError, UnicodeDecodeError):
        return False


def put(built: Path, library: Path) -> None:
    """Move a finished library to its place, then say that it is whole: interrupted in between, it is not trusted."""
    built.chmod(0o700)
    digest = _digest(built)
    os.replace(built, library)
    with whole_file(_digest_file(library)) as path:
        path.write_text(digest, encoding="utf-8")
        path.chmod(0o600)


def _digest_file(library: Path) -> Path:
    return library.with_name(f"{library.name}.sha256")


def _digest(library: Path) -> str:
    return hashlib.sha256(library.read_bytes()).hexdigest()


def _is_ours(path: Path) -> bool:
    status = path.lstat()
    if not stat.S_ISREG(status.st_mode):
        return False
    return not HAS_OWNERS or (status.st_uid == os.geteuid() and not status.st_mode & OTHERS_MAY_WRITE)
