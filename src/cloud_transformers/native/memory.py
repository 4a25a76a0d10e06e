"""How the process deals with memory that it has freed."""

import ctypes
import sys

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3  # of glibc's mallopt
_LARGE = 2**30


def keep_freed_memory() -> bool:
    """Use freed memory again in place of giving it back to the system and asking anew; False where that is not offered.

    For loops that allocate the same large tensors in every step: fetching fresh pages, which the system fills with
    zeros, is some 5 % of a training step. The process's peak stays what it was, but it is held until the process ends.
    """
    if sys.platform != "linux":
        return False
    try:
        set_option = ctypes.CDLL(None).mallopt
    except AttributeError:  # another C library
        return False
    return bool(set_option(_M_MMAP_THRESHOLD, _LARGE) and set_option(_M_TRIM_THRESHOLD, _LARGE))
