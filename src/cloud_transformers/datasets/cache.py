"""Caches: folders keyed by the content that they were made from, complete or absent, safe under several processes."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from cloud_transformers.errors import InputError
from cloud_transformers.files import naming


def cache_root() -> Path:
    """Where caches live: $CLOUDT_CACHE, else the user's cache folder. Nothing is written beside the user's data."""
    if chosen := os.environ.get("CLOUDT_CACHE"):
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA") or Path.home() / ".cache"
    return Path(base) / "cloud-transformers"


def fingerprint(files: Iterable[Path], **parameters: Any) -> str:
    """A key for what is derived from these files with these parameters (JSON values, the code's version among them).

    Files enter by path, size and time of change, not by their bytes: hashing a benchmark would take as long as
    preparing it.
    """
    digest = hashlib.sha256(json.dumps(parameters, sort_keys=True).encode())
    for path in sorted(files):
        stat = path.stat()
        digest.update(f"\0{path.resolve()}\0{stat.st_size}\0{stat.st_mtime_ns}".encode())
    return digest.hexdigest()[:32]


def cached_folder(kind: str, key: str, build: Callable[[Path], None]) -> Path:
    """The folder `kind/key` of the cache, built first if it is not there.

    `build` fills a temporary folder, which takes its name only when it is complete. If two processes build at the
    same time, the first to finish wins and the other takes its result.
    """
    target = cache_root() / kind / key
    if target.is_dir():
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = Path(tempfile.mkdtemp(prefix=f".{key}-", dir=target.parent))
    try:
        with naming(target):
            build(temporary)
        _open_to_all(temporary)
        try:
            temporary.rename(target)
        except OSError:
            if not target.is_dir():
                raise
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    return target


@contextmanager
def new_folder(out: Path) -> Iterator[Path]:
    """A temporary folder that becomes `out` if all goes well and vanishes if not. `out` must be absent or empty."""
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise InputError(f"{out}: exists and is not an empty folder; name another one or remove it")
    out.parent.mkdir(parents=True, exist_ok=True)
    temporary = Path(tempfile.mkdtemp(prefix=f".{out.name}-", dir=out.parent))
    try:
        with naming(out):
            yield temporary
        _open_to_all(temporary)
        if out.is_dir():
            out.rmdir()
        temporary.rename(out)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _open_to_all(folder: Path) -> None:
    """mkdtemp's folder is for its owner alone; the result is for whom the user's umask allows."""
    mask = os.umask(0)
    os.umask(mask)
    folder.chmod(0o777 & ~mask)
