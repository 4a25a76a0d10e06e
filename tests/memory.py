"""What tests do about memory: a process that runs hundreds of them should not hold the sum of what they took."""

import ctypes
import gc
import os
import sys
from pathlib import Path


def give_back() -> None:
    """To the system, what was freed: the C library keeps it for the next time."""
    gc.collect()
    getattr(ctypes.CDLL(None), "malloc_trim", lambda pad: None)(0)


def resident_bytes() -> int:
    if sys.platform != "linux":  # nothing can be given back either
        return 0
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")
