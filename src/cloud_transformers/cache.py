"""Caches: folders keyed by the content that they were made from, complete or absent, safe under several processes."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import platformdirs

from cloud_transformers.errors import InputError
from cloud_transformers.files import naming, open_to_all
from cloud_transformers.temporary import temporary_folder

NAME = "cloud-transformers"


def cache_root() -> Path:
    """Where caches live: $CLOUDT_CACHE, else the user's cache folder. Nothing is written beside the user's data."""
    if chosen := os.environ.get("CLOUDT_CACHE"):
        return Path(chosen)
    root = platformdirs.user_cache_path(NAME, appauthor=False)
    if not root.is_absolute():  # "~" that could not be expanded
        raise InputError("there is no home folder to keep caches in: name a folder in CLOUDT_CACHE")
    return root


def _older_root() -> Path | None:
    """Where version 0.1 had it on macOS and Windows; still read, so that nothing is prepared twice."""
    if os.environ.get("CLOUDT_CACHE") or sys.platform not in ("darwin", "win32"):
        return None
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA") or Path.home() / ".cache"
    return Path(base) / NAME


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
    target, older = cache_root() / kind / key, _older_root()
    if target.is_dir():
        return target
    if older and (older / kind / key).is_dir():
        return older / kind / key
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = temporary_folder(target)
    try:
        with naming(target):
            build(temporary)
        open_to_all(temporary)
        try:
            temporary.rename(target)
        except OSError:
            if not target.is_dir():
                raise
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    return target
