"""One process at a time where two would spoil each other's work: a lock that dies with its holder."""

from __future__ import annotations

import contextlib
import os
import platform
from collections.abc import Iterator
from pathlib import Path

from filelock import FileLock, Timeout

from cloud_transformers.errors import InputError


@contextlib.contextmanager
def owning(lock: Path, what: str) -> Iterator[None]:
    """While entered, no other process owns this lock file, which is removed in the end.

    If another does, InputError says which process that is and `what` it is busy with. A killed process leaves the file,
    but not the lock.
    """
    held = FileLock(lock)
    try:
        held.acquire(timeout=0)
    except Timeout:
        raise InputError(f"{_holder(lock)} is {what} already; wait for it, or stop it") from None
    try:
        with contextlib.suppress(OSError):  # Windows lets nobody write to what is locked; the name is a courtesy
            lock.write_text(f"process {os.getpid()} on {platform.node()}", encoding="utf-8")
        yield
    finally:
        with contextlib.suppress(OSError):
            lock.unlink()  # before it is free: afterwards it may be another's
        held.release()


def wait_until_free(lock: Path, seconds: float) -> None:
    """Give a process that owns this lock time to end: one that is being killed, say."""
    if lock.is_file():
        with contextlib.suppress(Timeout), FileLock(lock).acquire(timeout=seconds):
            pass


def _holder(lock: Path) -> str:
    try:
        text = lock.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        text = ""
    return text if text.startswith("process ") and text.isprintable() else "another process"
