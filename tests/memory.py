"""What tests do about memory: a process that runs hundreds of them should not hold the sum of what they took."""

import ctypes
import gc
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cloud_transformers.native.memory import keep_freed_memory, set_thresholds

_USUAL = 32 << 20  # bytes; the largest that the C library, left to itself, does not ask the system for


@contextmanager
def kept() -> Iterator[None]:
    """What is freed, for one that needs the same large arrays again: fresh pages took a fifth of the golden tests."""
    keep_freed_memory()
    try:
        yield
    finally:
        set_thresholds(mmap=_USUAL, trim=2 * _USUAL)
        give_back()


def give_back() -> None:
    """To the system, what was freed: the C library keeps it for the next time."""
    gc.collect()
    getattr(ctypes.CDLL(None), "malloc_trim", lambda pad: None)(0)


def resident_bytes() -> int:
    if sys.platform != "linux":  # nothing can be given back either
        return 0
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")
